// The CPUs that this process may use, and who of it uses which. Linux.
#pragma once

#include <optional>
#include <vector>

namespace agentic {

/// Returns the CPUs that the calling thread may use, in rising order; empty if the system does not tell. Measurements
/// take the last one: the first ones serve most interrupts.
std::vector<int> usableCpus();
/// Returns that one; nullopt if the system does not tell.
std::optional<int> measuringCpu();

/// Confines the calling thread, and the processes and threads that it starts from now on, to the CPUs. Returns whether
/// the system did so.
bool confineThread(const std::vector<int> &cpus);

} // namespace agentic
