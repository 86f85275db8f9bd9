// This machine: its CPU's name and features.
#pragma once

#include "tool/model/cpu.h"

#include <string>
#include <string_view>

namespace agentic {

/// Returns the value of the first line `key : value` of /proc/cpuinfo's text, as a view of `text`; empty if there is
/// none.
std::string_view cpuInfoValue(std::string_view text, std::string_view key);

std::string cpuName(); ///< "AMD EPYC 9B45" from /proc/cpuinfo, which decides nothing

/// Returns the answers of CPUID, XGETBV, the auxiliary vector and hwprobe on this machine; asked once.
const Cpu &hostCpu();

} // namespace agentic
