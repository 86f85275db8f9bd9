// The JSON of a speedup in every result ({"ratio","low","high"}), of the application, of what roles cost, and of an
// unknown value: null.
#pragma once

#include "tool/model/call_totals.h"
#include "tool/model/end_to_end.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>

namespace agentic {

nlohmann::json speedupJson(const Speedup &speedup);

/// Returns null for an unknown value: an empty text, a figure of 0 or less, an empty optional.
nlohmann::json known(const std::string &text);
nlohmann::json known(double figure);
nlohmann::json known(const std::optional<double> &value);
nlohmann::json known(const std::optional<Speedup> &speedup);
/// {"outcome","application","metric","printed","kernel_share","speedup","spread","pairs","text"}; null for what is not
/// known.
nlohmann::json known(const std::optional<EndToEnd> &application);

/// Returns {"planner": {"calls", "answered", "tokens_in", "tokens_out", "cost_usd", "call_seconds"}, …}; null without
/// roles.
nlohmann::json rolesJson(const std::map<std::string, CallTotals> &roles);

} // namespace agentic
