// What a crash leaves behind: a last result that says which argument was left, where, and how.
#pragma once

#include "tool/runner/wire.h"

#include <csignal>

namespace agentic::runner {

class CallStack;
class OutputWatch;
class Slot;

/// SIGXCPU and SIGTERM are the parent's business.
inline constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

/// What is going on, for the handler. Everything in it outlives the call.
struct FaultScene {
  int descriptor = -1; ///< of the result
  const Slot *slot = nullptr;
  const CallStack *stack = nullptr;
  OutputWatch *outputs = nullptr; ///< armed, or null
  std::uint64_t step = 0;
};

/// The one scene: a handler has no arguments of its own.
extern FaultScene faultScene;

/// From now on a crash of any thread writes a Fault or StackOverflow result and ends the process with kKernelFault.
/// Needs an alternate stack, which it maps.
void installFaultHandler();

} // namespace agentic::runner
