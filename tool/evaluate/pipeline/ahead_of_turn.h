// Work on candidates before their turn comes, in threads of its own.
#pragma once

#include "tool/base/clock.h"
#include "tool/model/candidate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace agentic {

/// Called by one thread, except for rest(). Its destruction ends the work that is going on: `work` watches stopped().
template <typename Value> class AheadOfTurn {
public:
  /// Works on a candidate, in the thread of that number. nullopt: nothing came of it.
  using Work = std::function<std::optional<Value>(std::size_t worker, const Candidate &candidate)>;

  AheadOfTurn(std::size_t workers, Work work) : work_(std::move(work)) {
    for (std::size_t i = 0; i < workers; ++i)
      threads_.emplace_back([this, i] { run(i); });
  }
  ~AheadOfTurn() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  AheadOfTurn(const AheadOfTurn &) = delete;
  AheadOfTurn &operator=(const AheadOfTurn &) = delete;

  const std::atomic<bool> *stopped() const { return &stopped_; }

  /// The next turns are probably these, in this order. Each is worked on once; others that have not begun are dropped.
  void expect(const std::vector<Candidate> &candidates) {
    {
      const std::lock_guard lock(mutex_);
      queue_.clear();
      for (const Candidate &candidate : candidates)
        if (!found_.contains(candidate.id))
          queue_.push_back(candidate);
    }
    changed_.notify_all();
  }

  /// Returns what came of it, once; waits for work that has begun, until `cancelled`. nullopt: nothing, or it has not
  /// begun, and it will not any more.
  std::optional<Value> take(const std::string &id, const std::atomic<bool> *cancelled) {
    std::unique_lock lock(mutex_);
    std::erase_if(queue_, [&](const Candidate &candidate) { return candidate.id == id; });
    const auto found = found_.find(id);
    if (found == found_.end())
      return std::nullopt;
    if (!waits(lock, cancelled, [&] { return found->second.isDone; }))
      return std::nullopt;
    return std::exchange(found->second.value, std::nullopt);
  }

  /// No work goes on from the return until resume(): waits for the ends of the steps, or until `cancelled`.
  void pause(const std::atomic<bool> *cancelled) {
    std::unique_lock lock(mutex_);
    isPaused_ = true;
    waits(lock, cancelled, [&] { return active_ == 0; });
  }
  void resume() {
    {
      const std::lock_guard lock(mutex_);
      isPaused_ = false;
    }
    changed_.notify_all();
  }
  /// Called by `work` between two steps: where a pause may begin. Returns its seconds.
  double rest() {
    const double begin = steadySeconds();
    std::unique_lock lock(mutex_);
    leave();
    changed_.wait(lock, [&] { return !isPaused_ || stopped_; });
    ++active_;
    return steadySeconds() - begin;
  }

private:
  struct Found {
    bool isDone = false;
    std::optional<Value> value;
  };

  /// Returns whether `isSo` became true. `cancelled`, which nobody notifies of, is looked at every 20 ms.
  template <typename Condition>
  bool waits(std::unique_lock<std::mutex> &lock, const std::atomic<bool> *cancelled, const Condition &isSo) {
    while (!changed_.wait_for(lock, std::chrono::milliseconds(20), isSo))
      if (cancelled && *cancelled)
        return false;
    return true;
  }
  void leave() {
    --active_;
    changed_.notify_all();
  }

  void run(std::size_t worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || (!queue_.empty() && !isPaused_); });
      if (stopped_)
        return;
      const Candidate candidate = std::move(queue_.front());
      queue_.pop_front();
      const auto [entry, isNew] = found_.try_emplace(candidate.id);
      if (!isNew)
        continue;                   // it was expected twice
      Found &found = entry->second; // a map's elements stay where they are
      ++active_;
      lock.unlock();
      std::optional<Value> value = work_(worker, candidate);
      lock.lock();
      found = {.isDone = true, .value = std::move(value)};
      leave();
    }
  }

  const Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Candidate> queue_;
  std::map<std::string, Found> found_; ///< by id: begun
  int active_ = 0;                     ///< threads in a step
  bool isPaused_ = false;
  std::atomic<bool> stopped_ = false;
  std::vector<std::jthread> threads_; ///< the first to be destroyed
};

} // namespace agentic
