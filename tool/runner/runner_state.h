// The state that a call must leave unchanged: of the processor, the thread and the process around it.
#pragma once

#include <csignal>
#include <cstdint>

namespace agentic::runner {

/// A snapshot before or after a call (about 30 us). Without /proc, threads are not seen, and only the first 1024
/// descriptors.
struct ProcessState {
  std::uint64_t floatingPoint = 0; ///< control registers, x87 tags, direction flag; not the sticky exception flags
  std::uint64_t threads = 0;
  std::uint64_t descriptors = 0; ///< hash of the numbers and the files that they refer to
  std::uint64_t signals = 0;     ///< hash of the thread's mask and of the handlers for faults
  sigset_t mask;
};

ProcessState takeState();

/// Returns the floating-point state alone, for the instant after a call, before any other code meets it.
std::uint64_t floatingPointState();

/// Returns wire::Disturbance bits. Waits up to 50 ms for threads that are just ending.
std::uint32_t differences(const ProcessState &before, const ProcessState &after);

/// Restores the state, so that the runner itself goes on as before.
void restoreFloatingPoint(std::uint64_t state);

} // namespace agentic::runner
