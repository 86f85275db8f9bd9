// Checks the arguments of a call by a tool's input schema, of the few words that our schemas use: type, properties,
// required, enum, minimum, maximum, maxLength. Whatever a schema does not name is refused. Pure.
#pragma once

#include "tool/mcp/json_rpc.h"

#include <string>

namespace agentic::mcp {

/// Returns what is wrong with `arguments`, for the caller: "'wait' is more than 25"; empty if they fit.
std::string misfit(const Json &schema, const Json &arguments);

/// {"type": "object", "properties": {…}, "required": […]}
Json objectSchema(Json properties, std::vector<std::string> required);

/// The schema of a result that may also be failed(): clients hold failures against a tool's output schema, too.
Json orFailed(Json schema);

} // namespace agentic::mcp
