// The values of the kernel's integer parameters in the project's benchmarks: learnt from the trap control that stops
// each benchmark at its first call, at no cost of its own. Hints for a search, never facts.
#pragma once

#include "tool/model/kernel_spec.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The values by parameter's name, in the order of the benchmarks: different values only, at most eight.
using ObservedValues = std::map<std::string, std::vector<std::int64_t>>;

/// Returns a body that prints its integer arguments on standard error and aborts.
std::string observingBody(const KernelSpec &spec);

/// Adds the values that such a body printed in `output`; skips everything else in there, and names that are no integer
/// parameter of the kernel.
void addObserved(const KernelSpec &spec, std::string_view output, ObservedValues &values);

} // namespace agentic
