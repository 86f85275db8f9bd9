// Says with which sizes and values a candidate was compared: what it does with others, no run has shown.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/plan.h"

#include <string>
#include <string_view>

namespace agentic {

/// Returns "compared with 'x' of 0 to 8192 elements, 'n' 0 to 8192, 'eps' 0.5 only": of the calls that have steps, one
/// part for each parameter with a number or elements. Empty if there is none.
std::string triedValues(const Plan &plan, const GlueDescription &kernel);

/// Returns whether a remark is such a text.
bool isTriedValues(std::string_view remark);

} // namespace agentic
