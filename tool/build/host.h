// This machine: CPU name and the levels it reaches.
#pragma once

#include "tool/model/level.h"

#include <string>
#include <string_view>

namespace agentic {

std::string cpuName();                ///< "AMD EPYC 9B45" from /proc/cpuinfo
bool cpuHasLevel(const Level &level); ///< CPU and operating system
/// The highest level of this machine that is not on request only; nullptr if none of the table fits.
const Level *hostLevel();

/// Whether the text of /proc/cpuinfo lists every feature of a level's comma-separated `features` (pure, for tests).
bool cpuInfoHasFeatures(std::string_view cpuInfoText, std::string_view features);

} // namespace agentic
