#include "tool/base/time_limit.h"

#include "tool/base/clock.h"

#include <chrono>

namespace agentic {
namespace {

constexpr std::chrono::milliseconds kPeriod{20};

} // namespace

TimeLimit::TimeLimit(double end, const std::atomic<bool> *cancelled) : end_(end), cancelled_(cancelled) {
  look();
  thread_ = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!ended_.wait_for(lock, kPeriod, [this] { return isEnding_; }))
      look();
  });
}

TimeLimit::~TimeLimit() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isEnding_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void TimeLimit::moveTo(double end) {
  end_ = end;
  look();
}

void TimeLimit::look() {
  if (flag_)
    return;
  if (cancelled_ && *cancelled_) {
    flag_ = true;
  } else if (steadySeconds() >= end_) {
    isUp_ = true;
    flag_ = true;
  }
}

} // namespace agentic
