#include "tool/build/machine_fingerprint.h"

#include "tool/base/cpus.h"
#include "tool/base/files.h"
#include "tool/base/version.h"
#include "tool/build/host.h"

#include <sys/utsname.h>

namespace agentic {

MachineFingerprint machineFingerprint() {
  MachineFingerprint machine{.cpu = cpuName(), .tool = kVersion, .cpus = static_cast<int>(usableCpus().size())};
  utsname name{};
  if (::uname(&name) == 0)
    machine.kernel = name.release;
  machine.microcode = cpuInfoValue(readFile("/proc/cpuinfo").value_or(std::string()), "microcode");
  machine.governor = readTrimmed("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  return machine;
}

std::string machineIdentity() {
  return readTrimmed("/proc/sys/kernel/random/boot_id") + " " + readTrimmed("/proc/sys/kernel/hostname");
}

} // namespace agentic
