// Reads the energy counters of this machine's processors and GPUs, for the electricity of a local model.
#pragma once

#include "tool/agent/gpu_energy.h"

#include <map>
#include <optional>
#include <string>

namespace agentic {

/// The places of counters; empty: none.
struct EnergySources {
  std::string packages = "/sys/class/powercap"; ///< RAPL's, as Linux shows them in files below a folder
  std::string gpus = kNvmlLibrary;
};

/// RAPL's energy counters of all packages, and those of NVIDIA's GPUs: the sum of the readable ones.
class EnergyCounters {
public:
  /// Reads nothing if the machine has no such counters, or, as is usual for packages, only root may read them.
  explicit EnergyCounters(EnergySources sources);
  bool canBeRead() const { return !last_.empty() || gpus_.canBeRead(); }

  /// Returns the joules since the last call (or the construction): gross, of everything that ran. Call it before a
  /// counter can have wrapped twice (about 20 minutes at full load). nullopt: the counters are no longer readable.
  std::optional<double> joules();

private:
  std::map<std::string, double> readings() const; ///< microjoules, by folder
  std::optional<double> joulesOfPackages();
  std::string root_;
  std::map<std::string, double> last_;
  GpuEnergy gpus_;
};

} // namespace agentic
