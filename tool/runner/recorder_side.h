// Two sides of a comparison in forks of the program: the same addresses, the same memory, nothing of it shared but the
// areas that the outcomes go to. What the call does there, the program never sees.
#pragma once

#include "tool/runner/recorder_regions.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace agentic::recorder {

/// Fresh blocks follow each other behind `Side::fresh()`, each with its bytes, padded to 8.
struct FreshBlock {
  std::uint64_t address, size;
};

/// What came of the call in one fork.
class Side {
public:
  explicit Side(const Regions &regions);
  ~Side() { release(); }
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;

  wire::Ending ending() const;
  std::uint32_t signal() const { return head_ ? head_->signal : 0; }
  /// What a region holds there; null: it was freed. Only of a side that Returned.
  const void *memory(std::size_t region) const;
  /// `freshBytes` bytes of FreshBlocks; whatever the child wrote as lengths fits in there.
  const unsigned char *fresh() const { return fresh_; }
  std::size_t freshBytes() const;
  bool isPartial() const { return head_->isPartial != 0; }

  // In the forks, and of them.
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

/// Both sides of a call. The program is forked once, for the control, and the candidate's is forked from that: other
/// threads change nothing in between. The control calls the baseline, with the candidate's shared object loaded all the
/// same: what that alone changes, the loader's lists, then differs by itself. Each has at most 20 CPU seconds.
class Forks {
public:
  Forks(const Regions &regions, const PendingCall &call, const char *candidate);
  ~Forks() { wait(0); }
  Forks(const Forks &) = delete;
  Forks &operator=(const Forks &) = delete;

  /// Until both ended, or were ended after `seconds`. Before either side is asked.
  void wait(double seconds);
  const Side &candidate() const { return candidate_; }
  const Side &control() const { return control_; }

private:
  [[noreturn]] void run(const PendingCall &call, const char *candidate);

  Side candidate_, control_;
  pid_t child_ = -1;
  int end_ = -1; ///< of a pipe: at its end when both are
};

} // namespace agentic::recorder
