#include "tool/report/page.h"

#include "tool/report/html_text.h"
#include "tool/report/page_data.h"
#include "tool/report/page_html.h"
#include "tool/report/text_pack.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace agentic {
namespace {

/// Makes one script: the page's start comes last, after all that it needs.
std::string pageScript() {
  std::string script;
  for (const char *name : {"text.js", "sources.js", "highlight.js", "charts.js", "candidates.js", "page.js"})
    script += pageFile(name);
  return script;
}

std::string titleOf(const PageModel &page) {
  return page.runs.size() == 1 ? page.runs[0].name + " – Agentic Kernel report" : "Agentic Kernel report";
}

/// Allows inline scripts and the style by their hashes. Chart.js sets styles through the DOM, which this permits.
std::string policyOf(std::string_view chart, std::string_view script, std::string_view style, bool isFollowing) {
  return "default-src 'none'; script-src " + policyHash(chart) + " " + policyHash(script) + "; style-src " +
         policyHash(style) + "; base-uri 'none'; form-action 'none'" + (isFollowing ? "; connect-src 'self'" : "");
}

} // namespace

std::string pageHtml(const PageModel &page, const PageOptions &options) {
  TextPack pack;
  const nlohmann::json data = pageData(page, options.followState, pack);
  const std::string_view chart = pageFile("chart.min.js"), style = pageFile("page.css");
  const std::string script = pageScript();
  const std::map<std::string_view, std::string, std::less<>> values = {
      {"policy", policyOf(chart, script, style, !options.followState.empty())},
      {"title", htmlText(clippedText(titleOf(page), 200))},
      {"style", std::string(style)},
      {"summary", summaryHtml(page)},
      {"sections", sectionsHtml(page)},
      {"candidates", candidatesHtml(page)},
      {"environment", environmentHtml(page)},
      {"data", scriptJson(data)},
      {"texts", scriptJson(pack.blocks())},
      {"chart", std::string(chart)},
      {"script", script},
  };
  return filledTemplate(pageFile("page.html"), [&](std::string_view name) -> std::string_view {
    const auto value = values.find(name);
    return value == values.end() ? std::string_view() : std::string_view(value->second);
  });
}

std::string reportPage(std::span<const RunReport> runs, const PageOptions &options) {
  return pageHtml(pageModel(runs), options);
}

} // namespace agentic
