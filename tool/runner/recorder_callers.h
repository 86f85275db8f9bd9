// How the program's threads call the kernel: how many of them do, and whether their calls run side by side. It also
// lets one call be alone while it is recorded or compared: what other threads' calls write meanwhile, into another part
// of the same array for instance, would look like its own.
//
// Nobody waits for ever. A call that never ends (longjmp out of it, a cancelled thread) or calls that wait for each
// other cost the patience once; from then on nobody waits. One object at a time; usable before main and after fork.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace agentic::recorder {

inline thread_local unsigned callDepth __attribute__((tls_model("initial-exec"))) = 0;
inline thread_local bool isKnownThread __attribute__((tls_model("initial-exec"))) = false;

class Callers {
public:
  /// `patience`: seconds.
  constexpr explicit Callers(double patience = 5) : patience_(patience) {}

  /// Begins a call of this thread; one inside of another counts as a part of that. Waits while a call is alone.
  void enter() {
    if (callDepth++ > 0)
      return;
    if (!std::exchange(isKnownThread, true))
      threads_.fetch_add(1);
    bool hasCompany = isAlone_.load();
    while (true) {
      await([this] { return !isAlone_.load(); });
      hasCompany |= inProgress_.fetch_add(1) > 0;
      if (!isAlone_.load() || isHopeless_.load())
        break;
      inProgress_.fetch_sub(1); // one asked for it just now
      hasCompany = true;
    }
    if (hasCompany)
      areSideBySide_.store(true);
  }
  void leave() {
    if (--callDepth == 0)
      inProgress_.fetch_sub(1);
  }

  /// Makes the call that this thread has begun the only one. One thread at a time. False: other calls do not end.
  bool beAlone() {
    isAlone_.store(true);
    const bool isIt = await([this] { return inProgress_.load() == 1; });
    if (!isIt)
      isAlone_.store(false);
    return isIt;
  }
  void endAlone() { isAlone_.store(false); }

  std::uint32_t threads() const { return threads_.load(); } ///< those that called so far
  bool areSideBySide() const { return areSideBySide_.load(); }

private:
  static double now() {
    struct timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  /// Returns what `isTrue` says at the end.
  template <class F> bool await(F isTrue) {
    constexpr int kYields = 2; // on a busy machine each costs milliseconds, also of the call that is waited for
    constexpr unsigned kMicroseconds = 50;
    double begin = 0;
    for (int tries = 0; !isTrue(); ++tries) {
      if (isHopeless_.load())
        return false;
      if (tries < kYields) {
        ::sched_yield();
        continue;
      }
      begin = begin == 0 ? now() : begin;
      if (now() - begin > patience_)
        isHopeless_.store(true);
      ::usleep(kMicroseconds);
    }
    return true;
  }

  const double patience_;
  std::atomic<std::uint32_t> threads_ = 0;
  std::atomic<int> inProgress_ = 0;
  std::atomic<bool> isAlone_ = false, areSideBySide_ = false, isHopeless_ = false;
};

} // namespace agentic::recorder
