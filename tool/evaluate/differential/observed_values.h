// Which values the kernel's integer parameters have in the project's benchmarks: learnt from the trap control that
// stops each benchmark at its first call, at no cost of its own. Hints for a search, never facts.
#pragma once

#include "tool/model/kernel_spec.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// By the parameter's name, in the order of the benchmarks: different values only, at most eight.
using ObservedValues = std::map<std::string, std::vector<std::int64_t>>;

/// A body that says its integer arguments on standard error and aborts.
std::string observingBody(const KernelSpec &spec);

/// Adds what such a body said in `output`; everything else in there, and names that are no integer parameter of the
/// kernel, are passed over.
void addObserved(const KernelSpec &spec, std::string_view output, ObservedValues &values);

} // namespace agentic
