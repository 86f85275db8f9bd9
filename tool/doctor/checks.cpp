#include "tool/doctor/check.h"

#include <array>

namespace agentic {

const char *healthName(Health health) {
  switch (health) {
  case Health::Ok:
    return "ok";
  case Health::Warn:
    return "warn";
  case Health::Fail:
    return "fail";
  }
  return "";
}

std::span<const DoctorCheck> doctorChecks() {
  static constexpr std::array kChecks = {
      DoctorCheck{"CPU levels", "machine", lookAtLevels},
      DoctorCheck{"governor", "machine", lookAtGovernor},
      DoctorCheck{"boost", "machine", lookAtBoost},
      DoctorCheck{"hardware threads", "machine", lookAtThreads},
      DoctorCheck{"ASLR", "machine", lookAtRandomization},
      DoctorCheck{"load", "machine", lookAtLoad},
      DoctorCheck{"clock", "machine", lookAtClock},
      DoctorCheck{"counters", "machine", lookAtCounters},
      DoctorCheck{"user namespaces", "machine", lookAtNamespaces},
      DoctorCheck{"sandbox", "programs", lookAtSandbox},
      DoctorCheck{"compilers", "programs", lookAtCompilers},
      DoctorCheck{"Clang headers", "programs", lookAtClangHeaders},
      DoctorCheck{"CMake and Ninja", "programs", lookAtCMake},
      DoctorCheck{"agents", "programs", lookAtAgents},
      DoctorCheck{"other machines", "programs", lookAtFarm},
      DoctorCheck{"build tree", "project", lookAtTree},
      DoctorCheck{"permissions", "project", lookAtPermissions},
      DoctorCheck{"coverage", "project", lookAtCoverage},
      DoctorCheck{"callers", "project", lookAtCallers},
      DoctorCheck{"versions", "project", lookAtVersions},
      DoctorCheck{"noise", "project", lookAtNoise},
      DoctorCheck{"disk", "project", lookAtDisk},
  };
  return kChecks;
}

} // namespace agentic
