#include "tool/base/cpu_limit.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>

namespace agentic {
namespace {

constexpr double kWallPerCpu = 6;

std::string wholeSeconds(double seconds) {
  return std::to_string(std::lround(seconds)) + " s";
}

} // namespace

void limitCpu(ProcessSpec &spec, double seconds) {
  spec.limits.cpuSeconds = static_cast<std::uint64_t>(std::max(1.0, seconds));
  spec.timeoutSeconds = kWallPerCpu * seconds;
}

bool hasUsedUpCpu(const ProcessResult &result, double seconds) {
  return (result.end == ProcessResult::End::Signalled && result.code == SIGXCPU) || result.cpuSeconds >= seconds;
}

std::unexpected<Error> starvedError(const std::string &name, double seconds) {
  return userError(name + " did not get " + wholeSeconds(seconds) + " of a CPU within " +
                       wholeSeconds(kWallPerCpu * seconds),
                   "run it again when fewer programs use this machine");
}

} // namespace agentic
