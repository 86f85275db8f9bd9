// What a call must leave as it was: the state of the processor, the thread and the process around it.
#pragma once

#include <csignal>
#include <cstdint>

namespace agentic::runner {

/// Taken before and after a call (about 30 us). Where /proc is not mounted, threads are not seen, and of the
/// descriptors the first 1024.
struct ProcessState {
  std::uint64_t floatingPoint = 0; ///< control registers, x87 tags, direction flag; not the sticky exception flags
  std::uint64_t threads = 0;
  std::uint64_t descriptors = 0; ///< a hash of the numbers and what they refer to
  std::uint64_t signals = 0;     ///< a hash of the thread's mask and of the handlers for faults
  sigset_t mask;
};

ProcessState takeState();

/// The floating-point state alone, for the instant after a call: before any other code could meet it.
std::uint64_t floatingPointState();

/// wire::Disturbance bits. Threads that are just ending are waited for, up to 50 ms.
std::uint32_t differences(const ProcessState &before, const ProcessState &after);

/// So that the runner itself goes on as it was.
void restoreFloatingPoint(std::uint64_t state);

} // namespace agentic::runner
