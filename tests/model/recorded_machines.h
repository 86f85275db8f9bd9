// The answers of known machines, as data, each with its source: for every test of a CPU's features.
#pragma once

#include "tool/model/cpu.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct RecordedMachine {
  std::string name, processor;
  // x86: CPUID and XCR0.
  std::uint32_t highestLeaf = 0, leaf1Ecx = 0, leaf7Eax = 0, leaf7Ebx = 0, leaf7Ecx = 0, leaf7Sub1Eax = 0;
  std::uint32_t highestExtended = 0, extendedEcx = 0, xcr0 = 0;
  // Elsewhere: the auxiliary vector, and hwprobe's IMA_EXT_0 if the kernel has the call.
  std::uint64_t hwcap = 0, hwcap2 = 0;
  std::optional<std::uint64_t> ima;
  std::string cpuInfo;                            ///< the line of /proc/cpuinfo that lists features
  std::vector<std::string> levels;                ///< all that it has
  std::string highest;                            ///< the default level; empty: none
  std::string lackedLevel;                        ///< the lowest that it lacks; empty: none
  std::vector<std::string> lacked;                ///< … and of what
  std::vector<std::string> notListed, onlyListed; ///< features that only CPUID or HWCAP, and only cpuinfo, reports
};

/// Answers like the machine, and fails a test that asks for something that would fault there.
CpuSource sourceOf(const RecordedMachine &machine);
const std::vector<RecordedMachine> &recordedMachines();
const RecordedMachine &recordedMachine(const std::string &name);

} // namespace agentic
