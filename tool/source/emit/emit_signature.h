// Rewrites a kernel's definition: the renamed copy that stays as the baseline, and the dispatcher's own signature.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <string>
#include <vector>

namespace agentic {

std::string baselineName(std::string_view kernel); ///< "agentic_kernel_baseline_dot"

/// Returns the definition under its new name, unqualified and without `extern "C"`; it is in an unnamed namespace, so
/// it may be `static` or not; in C it is `static`. It has as many lines as the original.
std::string baselineText(const KernelSpec &spec);

/// Returns the namespaces that a qualified definition ("bmm::matmul", "bmm::Engine::step") names; empty for an
/// unqualified one.
std::vector<std::string> qualifyingNamespaces(const KernelSpec &spec);

/// The signature, exact but for names given to unnamed parameters, and every parameter's name in order.
struct Dispatcher {
  std::string signature;
  std::vector<std::string> arguments;
};

/// Errors (User): an unnamed parameter whose place cannot be found (the next step is to name it); variable arguments.
Result<Dispatcher> dispatcherSignature(const KernelSpec &spec);

} // namespace agentic
