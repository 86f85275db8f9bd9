// This machine: CPU name and the levels it reaches.
#pragma once

#include "tool/model/level.h"

#include <string>

namespace agentic {

std::string cpuName();                      ///< "AMD EPYC 9B45" from /proc/cpuinfo
bool cpuHasLevel(const Level &level);       ///< CPU and operating system
/// The highest level of this machine; nullptr if none of the table fits.
const Level *hostLevel();

} // namespace agentic
