#include "tool/agent/call_in_flight.h"

#include "tool/base/clock.h"

namespace agentic {

void Mailbox::put(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  calls_.push_back(std::move(call));
}

void Mailbox::open() {
  std::vector<std::function<void()>> calls;
  {
    const std::lock_guard lock(mutex_);
    calls.swap(calls_);
  }
  for (const auto &call : calls)
    call();
}

CallInFlight::CallInFlight(Asker &asker, Question question)
    : question_(std::move(question)), limit_(steadySeconds() + question_.secondsLeft, question_.cancelled) {
  thread_ = std::thread([this, &asker] {
    result_ = asker.ask(question_.request, limit_.flag(), {}, question_.ask);
    if (question_.isReady)
      question_.isReady();
  });
}

CallInFlight::~CallInFlight() {
  limit_.moveTo(0);
  thread_.join();
}

} // namespace agentic
