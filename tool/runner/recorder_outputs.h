// What a call of a kernel writes, where nothing declares it, for recorder_audit.h.
#pragma once

#include "tool/runner/recorder_regions.h"

#include <cstddef>
#include <cstdint>

namespace agentic::recorder {

/// The bytes that a call sets to the same values, whatever they and the memory around them held: found by the unchanged
/// kernel in forks, in up to 32 MiB of its arguments' memory and of what they lead to. Cost: at most 2 s and a call or
/// two, or 25 calls of the baseline.
class Outputs {
public:
  explicit Outputs(const PendingCall &call);
  ~Outputs();
  Outputs(const Outputs &) = delete;
  Outputs &operator=(const Outputs &) = delete;

  /// Writes garbage over all of them, or over a few short pieces of the results, which a candidate that looks at some
  /// of them does not see (where there are none yet, the unchanged kernel's are put there first). Returns how many
  /// bytes.
  std::uint32_t overwrite(bool isAll) const;

private:
  static constexpr std::size_t kMost = 12;
  struct Part {
    unsigned char *begin;
    std::size_t size, at; ///< `at`: its offset in a copy of all
  };
  /// One call by the unchanged kernel.
  struct Trial {
    const Outputs &outputs;
    const PendingCall &call;
    const Part *filled;     ///< overwritten before the call; null: nothing is
    std::uint64_t seed;     ///< of what it is overwritten with
    unsigned char inverted; ///< 0xff: with the complement of that
    unsigned char *results; ///< of all parts after the call
  };

  const Part *begin() const { return parts_; }
  const Part *end() const { return parts_ + count_; }
  unsigned char *results() const { return memory_; }
  unsigned char &mark(std::size_t at) const { return memory_[3 * bytes_ + at]; }

  void add(const SeenRegion &region);
  void find(const PendingCall &call);
  static int tryCall(void *trial);
  bool run(const PendingCall &call, const Part *filled, std::uint64_t seed, unsigned char inverted,
           unsigned char *results) const;
  void putResults() const;

  Part parts_[kMost];
  std::size_t count_ = 0, bytes_ = 0, written_ = 0;
  /// Shared with the forks: the results, those with one filling, those with the other, and a mark for each byte.
  unsigned char *memory_ = nullptr;
};

} // namespace agentic::recorder
