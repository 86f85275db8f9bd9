// What all calls in flight of a run share: one budget and the pauses that providers ask for.
//
// Each call in flight has a thread of its own, over the blocking ChatModel, rather than a place in one libcurl multi
// handle: so programs (command:), recordings and every decorator of a model work like servers, a call stays the plain
// sequence "reserve, send, settle, wait, again", and each exchange keeps a connection of its own. A thread costs
// nothing beside a call, of which there are a few dozen at most.
#pragma once

#include "tool/base/clock.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace agentic {

/// Thread-safe.
class CallsInFlight {
public:
  /// `most`: as many calls are made at a time; each may spend that part of what is left. `clock` returns seconds.
  explicit CallsInFlight(int most = 1, std::function<double()> clock = steadySeconds)
      : most_(most), clock_(std::move(clock)) {}

  int most() const { return most_; }

  /// Held while a call's amount is compared with the budget and reserved, and while it is settled: no two calls look at
  /// the same money. Also for what the calls use one after the other: counters of energy, recordings.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  /// With the lock: a reservation is open from begins() to ends().
  void begins() { ++reserved_; }
  void ends();
  int reserved() const { return reserved_; }
  /// Waits until a reservation was settled, or some milliseconds: the caller looks whether it was cancelled.
  void waitForEnd(std::unique_lock<std::mutex> &lock);

  /// Nothing is sent to this provider for so many seconds: all of its calls wait, not only the one that was told so.
  /// Returns when that is over.
  double pause(const std::string &provider, double seconds);
  /// Returns when the provider's last pause is over; the past if it is none.
  double pausedUntil(const std::string &provider) const;
  double now() const { return clock_(); }

private:
  const int most_;
  const std::function<double()> clock_;
  mutable std::mutex mutex_, pauseMutex_;
  std::condition_variable ended_;
  int reserved_ = 0;
  std::map<std::string, double> pauses_; ///< when each is over
};

} // namespace agentic
