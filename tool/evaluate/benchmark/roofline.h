// The limits of this machine on one core: bandwidth per level of the memory hierarchy and single-precision arithmetic.
// Measured once and kept by CPU: a kernel's time is judged against them.
//
// Only bandwidth is a bound, and only for the bytes that a call must move; arithmetic is a hint, because a look-up
// table beats it. A level's bandwidth is the better of a loop that reads and of a triad (read two arrays, write one;
// the bytes of all three count), with the widest vectors that the CPU has. The best of many short passes counts: other
// programs can only make it slower. Costs at most 3 s the first time, a file's read later.
#pragma once

#include "tool/base/error.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct MemoryLevel {
  std::string name;          ///< "L1", "L2", "L3", "memory"
  double bytes = 0;          ///< capacity; of "memory": 0
  double bytesPerSecond = 0; ///< one core
};

struct Roofline {
  std::string cpu;
  std::vector<MemoryLevel> levels; ///< smallest first; the last is "memory"
  double flopsPerSecond = 0;       ///< single precision, a multiply-add counts as two

  /// Returns the first level that holds `bytes`.
  const MemoryLevel &levelFor(double bytes) const;
};

/// The percentage of the bandwidth that a call which moves `bytes` in `ns` achieves, at the level that holds them.
/// Above 100 not all of them were moved: the benchmark counts bytes twice, or part of them stayed in a nearer cache.
struct BandwidthShare {
  double percent = 0;
  std::string level;
};
BandwidthShare bandwidthShare(const Roofline &roofline, double bytes, double ns);

/// Returns data and unified caches of one CPU from sysfs (`folder`: /sys/devices/system/cpu/cpu0/cache), smallest
/// first; typical sizes where sysfs tells nothing.
std::vector<MemoryLevel> cacheLevels(const std::string &folder);

/// Returns the roofline from `file` if that holds this CPU's, else measures it under the machine-wide lock and keeps it
/// there. A file that cannot be written is no error: the next call measures again. Errors: the lock is held for too
/// long; interrupted.
Result<Roofline> measuredRoofline(const std::string &file, const std::atomic<bool> *cancelled,
                                  const std::string &lockFile = {});

/// Measures again, and returns and keeps the best that this machine ever showed. Before a claim is refused because it
/// is beyond the machine: other programs may have slowed every pass of the first time. Errors: those of
/// measuredRoofline.
Result<Roofline> betterRoofline(const std::string &file, const std::atomic<bool> *cancelled,
                                const std::string &lockFile = {});

/// Returns the better of each level and of the arithmetic. Both are of the same CPU and caches; else `second`.
Roofline bestOf(const Roofline &first, Roofline second);

/// Parses a file's text; nullopt for anything that is not a roofline of `cpu` with positive, finite numbers.
std::optional<Roofline> parseRoofline(const std::string &text, const std::string &cpu);
std::string rooflineText(const Roofline &roofline);

} // namespace agentic
