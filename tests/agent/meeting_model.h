// A model that many threads ask at once: each call waits at a meeting until the test lets it go on. No test depends on
// how long anything takes.
#pragma once

#include "tests/agent/scripted_model.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace agentic::testing_support {

/// State that a model shares with the test that owns it. Thread-safe.
class Meeting {
public:
  /// Says which calls go on, by their number (from 1) and with how many are here.
  using Opens = std::function<bool(int call, int arrived, int here)>;
  using AnswerTo = std::function<ChatResult<ChatReply>(int call, const ChatRequest &request)>;

  explicit Meeting(
      AnswerTo answer, Opens opens = [](int, int, int) { return true; })
      : answer_(std::move(answer)), opens_(std::move(opens)) {}

  ChatResult<ChatReply> meet(const ChatRequest &request, const std::atomic<bool> *cancelled) {
    std::unique_lock lock(mutex_);
    const int call = ++arrived_;
    mostHere_ = std::max(mostHere_, ++here_);
    changed_.notify_all();
    while (!opens_(call, arrived_, here_) && !(cancelled && *cancelled))
      changed_.wait_for(lock, std::chrono::milliseconds(5)); // nobody signals a cancellation
    --here_;
    ++gone_;
    changed_.notify_all();
    if (cancelled && *cancelled)
      return std::unexpected(ChatError{ChatErrorKind::Cancelled, "interrupted", {}, std::nullopt, true});
    lock.unlock();
    return answer_(call, request);
  }

  void waitUntilHere(int count) { waitUntil(here_, count); }
  void waitUntilGone(int count) { waitUntil(gone_, count); }
  int arrived() const { return read(arrived_); }
  int mostHere() const { return read(mostHere_); }

private:
  void waitUntil(const int &number, int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return number >= count; });
  }
  int read(const int &number) const {
    const std::lock_guard lock(mutex_);
    return number;
  }

  AnswerTo answer_;
  Opens opens_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0, here_ = 0, mostHere_ = 0, gone_ = 0;
};

class MeetingModel : public ChatModel {
public:
  explicit MeetingModel(std::shared_ptr<Meeting> meeting) : meeting_(std::move(meeting)) {}
  const std::string &name() const override { return name_; }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override { return ModelFacts{}; }
  std::string requestBody(const ChatRequest &request) const override { return dumpLine(requestJson(request)); }
  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &) override {
    return meeting_->meet(request, cancelled);
  }

private:
  std::shared_ptr<Meeting> meeting_;
  std::string name_ = "meeting";
};

/// A run with `most` calls in flight, driven like searchAhead() does it, without any evaluation.
class MeetingRun : public ScriptedRun {
public:
  explicit MeetingRun(int most, std::shared_ptr<Meeting> meeting = nullptr) : meeting(std::move(meeting)) {
    settings.inFlight = std::make_shared<CallsInFlight>(most);
    settings.config.maxOutputTokens = 1000;
  }

  /// Makes the run's agent, which lives as long as the run.
  LlmAgent *agent() {
    auto made = LlmAgent::create(std::make_unique<MeetingModel>(meeting), settings);
    EXPECT_TRUE(made) << made.error().message;
    agent_ = std::move(*made);
    return agent_.get();
  }

  /// Begins one more; returns why that was not possible.
  std::string begin(LlmAgent &agent, Ask ask = {}) {
    state.ask = std::move(ask);
    auto begun = agent.begin(state, [this] {
      const std::lock_guard lock(mutex_);
      ++ready_;
      changed_.notify_one();
    });
    EXPECT_TRUE(begun) << begun.error().message;
    if (!begun || !begun->flight)
      return begun ? begun->stop : "";
    flights.push_back(std::move(*begun->flight));
    ++state.inFlight;
    return {};
  }

  void waitUntilReady(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_ >= count; });
  }

  std::shared_ptr<Meeting> meeting;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int ready_ = 0;
  std::unique_ptr<LlmAgent> agent_;

public:
  std::vector<ProposalInFlight> flights; ///< the first to be destroyed
};

} // namespace agentic::testing_support
