// A flag that is raised at a time or by another flag. Whatever watches it as `cancelled` then ends, every child process
// included, and returns interruptedError(). So a limit never looks like a verdict on the work that it ended.
#pragma once

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

namespace agentic {

/// A thread of its own watches the clock, every 20 ms. Thread-safe, except for its destruction.
class TimeLimit {
public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// `end` is a time of steadySeconds(). `cancelled` may be nullptr; it must outlive this object.
  explicit TimeLimit(double end, const std::atomic<bool> *cancelled = nullptr);
  ~TimeLimit();
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;

  /// The flag is raised within 20 ms of the end, and at once if the end has passed already.
  const std::atomic<bool> *flag() const { return &flag_; }
  /// Returns whether the time, not `cancelled`, raised the flag.
  bool isUp() const { return isUp_; }
  /// Sets another end; a raised flag stays raised.
  void moveTo(double end);

private:
  void look();

  std::atomic<double> end_;
  const std::atomic<bool> *cancelled_;
  std::atomic<bool> flag_ = false, isUp_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool isEnding_ = false;
  std::thread thread_;
};

} // namespace agentic
