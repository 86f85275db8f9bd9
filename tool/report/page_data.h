// What the page's script reads: columns of numbers and indices into a table of names, and the packed texts.
#pragma once

#include "tool/report/page_model.h"
#include "tool/report/text_pack.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace agentic {

/// {"names", "runs", "agents", "texts", "follow"}; puts the sources and details into `pack`, which is finished then.
nlohmann::json pageData(const PageModel &page, const std::string &follow, TextPack &pack);

} // namespace agentic
