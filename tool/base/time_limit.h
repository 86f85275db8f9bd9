// A flag that is raised when a time is up, or when another flag is: whatever watches it as `cancelled` ends then, every
// child process included, and returns interruptedError(). So a limit never looks like a verdict on what was running.
#pragma once

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

namespace agentic {

/// A thread of its own watches the clock, every 20 ms. Thread-safe, except for the end of its life.
class TimeLimit {
public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// `end`: of steadySeconds(). `cancelled` may be nullptr; must outlive this.
  explicit TimeLimit(double end, const std::atomic<bool> *cancelled = nullptr);
  ~TimeLimit();
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;

  /// Raised within 20 ms, and at once where the time is up already.
  const std::atomic<bool> *flag() const { return &flag_; }
  /// Whether time was what raised it.
  bool isUp() const { return isUp_; }
  /// Another end; what is raised stays raised.
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
