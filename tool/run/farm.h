// --farm: the hosts that a run measures on.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/remote/measuring_hosts.h"
#include "tool/run/surroundings.h"

#include <string>

namespace agentic {

/// Returns no hosts for an empty text. Errors: parseFarm()'s; the worker belongs to the tool and is missing.
Result<FarmOptions> farmOptions(const std::string &text, const Surroundings &surroundings);

} // namespace agentic
