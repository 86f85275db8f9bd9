// tool/llm/prices.json, put into the tool when it is built.
#pragma once

#include <string_view>

namespace agentic {

extern const std::string_view kPricesText;

} // namespace agentic
