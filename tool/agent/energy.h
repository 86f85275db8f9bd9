// What this machine's processors and GPUs draw, by their own counters: for the electricity of a local model.
#pragma once

#include "tool/agent/gpu_energy.h"

#include <map>
#include <optional>
#include <string>

namespace agentic {

/// Where counters are looked for; empty: nowhere.
struct EnergySources {
  std::string packages = "/sys/class/powercap"; ///< RAPL's, as Linux shows them in files below a folder
  std::string gpus = kNvmlLibrary;
};

/// RAPL's energy counters of all packages, and those of NVIDIA's GPUs: the sum of what can be read.
class EnergyCounters {
public:
  /// Nothing can be read where the machine has no such counters, or, as is usual of packages, only root may read them.
  explicit EnergyCounters(EnergySources sources);
  bool canBeRead() const { return !last_.empty() || gpus_.canBeRead(); }

  /// Joules since the last call (or the construction): gross, of all that ran. To be called before a counter can have
  /// wrapped twice (about 20 minutes at full load). nullopt: they cannot be read any more.
  std::optional<double> joules();

private:
  std::map<std::string, double> readings() const; ///< microjoules, by folder
  std::optional<double> joulesOfPackages();
  std::string root_;
  std::map<std::string, double> last_;
  GpuEnergy gpus_;
};

} // namespace agentic
