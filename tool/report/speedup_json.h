// How every result shows a speedup: {"ratio","low","high"}.
#pragma once

#include "tool/model/measurement.h"

#include <nlohmann/json_fwd.hpp>

namespace agentic {

nlohmann::json speedupJson(const Speedup &speedup);

} // namespace agentic
