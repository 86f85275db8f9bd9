// This machine: the name of its CPU, and what it has.
#pragma once

#include "tool/model/cpu.h"
#include "tool/model/level.h"

#include <string>

namespace agentic {

std::string cpuName(); ///< "AMD EPYC 9B45" from /proc/cpuinfo, which decides nothing

/// What CPUID, XGETBV, the auxiliary vector and hwprobe say here; asked once.
const Cpu &hostCpu();

bool cpuHasLevel(const Level &level); ///< CPU and operating system
/// The highest level of this machine that is not on request only; nullptr if none of the table fits.
const Level *hostLevel();

} // namespace agentic
