// What this machine's processors draw, by their own counters: for the electricity of a local model.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace agentic {

/// RAPL's energy counters of all packages, as Linux shows them in files below a folder.
class EnergyCounters {
public:
  /// `root`: /sys/class/powercap. Nothing can be read where the machine has no such counters, or, as is usual, only
  /// root may read them.
  explicit EnergyCounters(std::string root);
  bool canBeRead() const { return !last_.empty(); }

  /// Joules since the last call (or the construction): gross, of all that ran. To be called before a counter can have
  /// wrapped twice (about 20 minutes at full load). nullopt: they cannot be read any more.
  std::optional<double> joules();

private:
  std::map<std::string, double> readings() const; ///< microjoules, by folder
  std::string root_;
  std::map<std::string, double> last_;
};

} // namespace agentic
