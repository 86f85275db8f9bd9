// The text of tool/llm/prices.json, embedded in the tool at build time.
#pragma once

#include <string_view>

namespace agentic {

extern const std::string_view kPricesText;

} // namespace agentic
