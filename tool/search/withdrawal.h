// Ends the evaluation of one candidate while its run goes on: whoever proposed it takes it back.
//
// The evaluator watches flag(), which is raised with the run's own flag, or alone for the candidate in work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace agentic {

/// A thread of its own watches the run's flag, every 20 ms. Thread-safe.
class Withdrawal {
public:
  /// `run` outlives this object.
  explicit Withdrawal(const std::atomic<bool> &run);
  ~Withdrawal();
  Withdrawal(const Withdrawal &) = delete;
  Withdrawal &operator=(const Withdrawal &) = delete;

  const std::atomic<bool> *flag() const { return &flag_; }

  /// Takes back the work of this name if it is the one that has begun and not ended; returns whether it is.
  bool withdraw(const std::string &work);

  /// Of the run's thread: the work between begins() and ends() can be withdrawn.
  void begins(const std::string &work);
  /// Returns whether the work was withdrawn; the next can begin.
  bool ends();

private:
  void look() {
    if (run_)
      flag_ = true;
  }

  const std::atomic<bool> &run_;
  std::atomic<bool> flag_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string work_; ///< in work; empty: nothing that can be withdrawn
  bool isWithdrawn_ = false, isEnding_ = false;
  std::thread thread_;
};

} // namespace agentic
