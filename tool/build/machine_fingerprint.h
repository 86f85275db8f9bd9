// What the timings of a machine depend on, as far as it tells.
#pragma once

#include <string>

namespace agentic {

/// The properties that timings depend on. Empty where the machine does not tell.
struct MachineFingerprint {
  std::string cpu, kernel, microcode, governor, tool;
  int cpus = 0; ///< CPUs that this process may use
  bool operator==(const MachineFingerprint &) const = default;
};
MachineFingerprint machineFingerprint();

/// Another for each machine, and after each start of it.
std::string machineIdentity();

} // namespace agentic
