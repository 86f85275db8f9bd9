// The data for the page's script: columns of numbers and indices into a table of names, and the packed texts.
#pragma once

#include "tool/report/page_model.h"
#include "tool/report/text_pack.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace agentic {

/// Returns {"names", "runs", "agents", "texts", "follow"}; adds the sources and details to `pack` and finishes it.
nlohmann::json pageData(const PageModel &page, const std::string &follow, TextPack &pack);

} // namespace agentic
