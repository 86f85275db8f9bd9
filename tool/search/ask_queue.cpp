#include "tool/search/ask_queue.h"

#include "tool/source/candidate/tunables.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace agentic {
namespace {

/// With less, the calls rest while a candidate is evaluated that takes longer than they do.
constexpr std::size_t kWaitingPerCall = 2;

/// One that leaves constants open is not what will be evaluated, and one that was tried will not be.
std::vector<Candidate> settled(const std::deque<Candidate> &waiting, const RunState &state) {
  std::vector<Candidate> candidates;
  std::ranges::copy_if(waiting, std::back_inserter(candidates), [&](const Candidate &candidate) {
    const auto text = TunableText::read(candidate.text);
    return text && text->tunables().empty() &&
           std::ranges::none_of(state.attempts, [&](const Attempt &attempt) { return isOf(attempt, candidate.id); });
  });
  return candidates;
}

} // namespace

bool AskQueue::isBusyHere() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(flights_, [this](const auto &flight) {
    return flight.second.isHere && std::ranges::find(ready_, flight.first) == ready_.end();
  });
}

bool AskQueue::isReady() const {
  const std::lock_guard lock(mutex_);
  return !ready_.empty();
}

RunState AskQueue::ahead(RunState state, const std::deque<Candidate> &waiting) const {
  state.inFlight = flights_.size();
  for (const Candidate &candidate : waiting)
    state.waiting.push_back(candidate.id);
  for (const auto &[number, flight] : flights_) {
    if (!flight.ask.strategy.empty())
      state.asked.push_back({.ask = flight.ask, .candidates = {}, .isInFlight = true});
    if (flight.agent.empty())
      continue;
    ++state.standings[flight.agent].turns;
    state.lastAgent = flight.agent;
  }
  return state;
}

Result<bool> AskQueue::begin(const RunState &state, std::string &stop) {
  const int number = next_++;
  auto begun = TRY(agent_.begin(state, [this, number] {
    const std::lock_guard lock(mutex_);
    ready_.push_back(number);
    changed_.notify_one(); // with the lock: who waits may destroy this object next
  }));
  if (!begun.flight) {
    stop = std::move(begun.stop);
    return false;
  }
  flights_.emplace(number, std::move(*begun.flight));
  return true;
}

void AskQueue::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty(); });
}

Result<std::optional<Proposal>> AskQueue::take(const RunState &state) {
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ready_.front();
    ready_.pop_front();
  }
  const auto node = flights_.extract(number);
  return node.mapped().take(state);
}

Result<std::optional<std::string>> searchAhead(Agent &agent, int most, const SearchSteps &steps) {
  AskQueue queue(agent);
  std::deque<Candidate> waiting;
  std::optional<std::string> stop; // for good: no outcome of what is ahead can change it
  const auto size = static_cast<std::size_t>(most);
  const auto now = [&] { return queue.ahead(steps.state(), waiting); };
  const auto hasRoom = [&](const RunState &state) {
    const std::size_t ahead = queue.size() + waiting.size(); // each may be an iteration
    return queue.size() < size && waiting.size() < kWaitingPerCall * size &&
           (!state.iterationsLeft || ahead < static_cast<std::size_t>(*state.iterationsLeft));
  };
  for (bool isOpening = true;;) {
    while (queue.isReady()) {
      const auto proposal = TRY(queue.take(now()));
      if (!proposal)
        continue;
      isOpening = false;
      TRY(steps.proposed(*proposal));
      waiting.insert(waiting.end(), proposal->candidates.begin(), proposal->candidates.end());
      if (proposal->isStop())
        stop = proposal->stop;
    }
    if (!steps.mayGoOn(isOpening || !waiting.empty()))
      return std::nullopt;
    std::string notNow;
    for (RunState state = now(); !stop && hasRoom(state); state = now())
      if (!TRY(queue.begin(state, notNow)))
        break;
    if (queue.isReady())
      continue;
    if (!waiting.empty() && !queue.isBusyHere()) {
      const Candidate candidate = std::move(waiting.front());
      waiting.pop_front();
      steps.expects(settled(waiting, steps.state()));
      if (!TRY(steps.tries(candidate)))
        return std::nullopt;
    } else if (queue.size() > 0) {
      steps.waits();
      queue.wait();
    } else {
      return stop.value_or(notNow);
    }
  }
}

} // namespace agentic
