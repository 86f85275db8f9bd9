#include "tool/agent/calls_in_flight.h"

#include <algorithm>
#include <chrono>

namespace agentic {
namespace {

constexpr std::chrono::milliseconds kLook{20};

} // namespace

void CallsInFlight::ends() {
  --reserved_;
  ended_.notify_all();
}

void CallsInFlight::waitForEnd(std::unique_lock<std::mutex> &lock) {
  const int before = reserved_;
  ended_.wait_for(lock, kLook, [&] { return reserved_ < before; });
}

double CallsInFlight::pause(const std::string &provider, double seconds) {
  const std::lock_guard lock(pauseMutex_);
  double &until = pauses_[provider];
  until = std::max(until, clock_() + seconds);
  return until;
}

double CallsInFlight::pausedUntil(const std::string &provider) const {
  const std::lock_guard lock(pauseMutex_);
  const auto found = pauses_.find(provider);
  return found == pauses_.end() ? 0 : found->second;
}

} // namespace agentic
