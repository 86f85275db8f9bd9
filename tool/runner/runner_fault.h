// Reports a crash: a last result says which argument was left, where, and how.
#pragma once

#include "tool/runner/wire.h"

#include <csignal>

namespace agentic::runner {

class CallStack;
class OutputWatch;
class Slot;

/// The signals of a crash; the parent handles SIGXCPU and SIGTERM.
inline constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

/// The state of the current call, for the handler. Everything in it outlives the call.
struct FaultScene {
  int descriptor = -1; ///< descriptor of the result
  const Slot *slot = nullptr;
  const CallStack *stack = nullptr;
  OutputWatch *outputs = nullptr; ///< armed, or null
  std::uint64_t step = 0;
};

/// The only scene: a handler has no arguments of its own.
extern FaultScene faultScene;

/// Makes a crash of any thread write a Fault or StackOverflow result and end the process with kKernelFault. Maps the
/// alternate stack that it needs.
void installFaultHandler();

} // namespace agentic::runner
