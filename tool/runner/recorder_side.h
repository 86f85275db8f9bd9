// The two sides of a comparison, in forks of the program: they have the same addresses and the same memory, and share
// only the areas for the outcomes. The program never sees effects of the call there.
#pragma once

#include "tool/runner/recorder_regions.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace agentic::recorder {

/// Fresh blocks follow each other in `Side::fresh()`, each with its bytes, padded to 8.
struct FreshBlock {
  std::uint64_t address, size;
};

/// The outcome of the call in one fork.
class Side {
public:
  explicit Side(const Regions &regions);
  ~Side() { release(); }
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;

  wire::Ending ending() const;
  std::uint32_t signal() const { return head_ ? head_->signal : 0; }
  /// Returns a region's content in the fork; null: it was freed. Only for a side that Returned.
  const void *memory(std::size_t region) const;
  /// Returns `freshBytes` bytes of FreshBlocks; the lengths that the child wrote are checked to fit.
  const unsigned char *fresh() const { return fresh_; }
  std::size_t freshBytes() const;
  bool isPartial() const { return head_->isPartial != 0; }

  // Called in the forks.
  void run(const PendingCall &call, void *function);
  void settle(wire::Ending ending, std::uint32_t signal);
  void release();

private:
  struct Head {
    std::atomic<std::uint32_t> ending; ///< wire::Ending; NotStarted at first, Died during the call
    std::uint32_t signal, isPartial, reserved;
    std::uint64_t freshBytes;
  };
  void copyOut();

  const Regions &regions_;
  unsigned char *area_ = nullptr;
  std::size_t areaBytes_ = 0;
  Head *head_ = nullptr;
  unsigned char *isThere_ = nullptr, *copies_ = nullptr, *fresh_ = nullptr;
};

/// Runs `work` in a fork of the program, which prints nothing and ends by itself after at most 20 CPU seconds. Returns
/// what `work` returned (0 to 255); -1: it ended otherwise, or no fork was possible.
int runAside(int (*work)(void *closure), void *closure);

/// Returns the kernel of a candidate's shared object, or null.
void *load(const char *candidate, const agentic_glue *glue, void *baseline);

/// Both sides of a call. The program is forked once, for the control, and the candidate's side is forked from that:
/// other threads change nothing in between. The control calls the baseline with the candidate's shared object loaded,
/// too: then the changes by loading alone, such as the loader's lists, differ by themselves. Each has at most 20 CPU
/// seconds.
class Forks {
public:
  Forks(const Regions &regions, const PendingCall &call, const char *candidate);
  ~Forks() { wait(0); }
  Forks(const Forks &) = delete;
  Forks &operator=(const Forks &) = delete;

  /// Waits until both ended, or were killed after `seconds`. Call it before any access to either side.
  void wait(double seconds);
  const Side &candidate() const { return candidate_; }
  const Side &control() const { return control_; }

private:
  [[noreturn]] void run(const PendingCall &call, const char *candidate);

  Side candidate_, control_;
  pid_t child_ = -1;
  int end_ = -1; ///< read end of a pipe: end of file when both have ended
};

} // namespace agentic::recorder
