// --farm: the hosts that a run measures on.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/remote/measuring_hosts.h"
#include "tool/model/level.h"
#include "tool/model/manifest.h"
#include "tool/run/surroundings.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns no hosts for an empty text. Errors: parseFarm()'s; the worker belongs to the tool and is missing.
Result<FarmOptions> farmOptions(const std::string &text, const Surroundings &surroundings);

/// Returns chosenLevels(), and with hosts also those of the manifest's levels that this machine lacks and a host has.
/// Asks hosts only if there is such a level. Errors: chosenLevels()'s and farmOptions()'s.
Result<std::vector<const Level *>> levelsToTune(const Manifest &manifest, const std::string &wanted,
                                                const std::string &farm, const Surroundings &surroundings);

} // namespace agentic
