// The parts of the page that need no JavaScript: HTML, with all foreign text escaped.
#pragma once

#include "tool/report/page_model.h"

#include <string>
#include <string_view>

namespace agentic {

std::string summaryHtml(const PageModel &page);
std::string sectionsHtml(const PageModel &page);    ///< agents, stages, rejections, lineage, difference, comparisons
std::string candidatesHtml(const PageModel &page);  ///< a table of the best 200
std::string environmentHtml(const PageModel &page); ///< with the command that repeats the run

/// Returns <table> rows of the sources side by side; lines and their number are bounded.
std::string differenceHtml(std::string_view before, std::string_view after);

} // namespace agentic
