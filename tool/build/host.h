// This machine: the name of its CPU, and what it has.
#pragma once

#include "tool/model/cpu.h"

#include <string>
#include <string_view>

namespace agentic {

/// Value of the first line `key : value` of /proc/cpuinfo's text; empty if there is none. A view of `text`.
std::string_view cpuInfoValue(std::string_view text, std::string_view key);

std::string cpuName(); ///< "AMD EPYC 9B45" from /proc/cpuinfo, which decides nothing

/// What CPUID, XGETBV, the auxiliary vector and hwprobe say here; asked once.
const Cpu &hostCpu();

} // namespace agentic
