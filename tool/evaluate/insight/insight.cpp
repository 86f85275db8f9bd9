#include "tool/evaluate/insight/insight.h"

#include "tool/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {

std::string insightJson(const Insight &insight) {
  nlohmann::json object = {{"title", insight.title}, {"sections", nlohmann::json::array()}};
  for (const InsightSection &section : insight.sections)
    object["sections"].push_back({{"title", section.title}, {"text", section.text}, {"note", section.note}});
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::vector<std::string> limitsIn(const Insight &insight) {
  const auto limits = std::ranges::find(insight.sections, kLimitsTitle, &InsightSection::title);
  return limits == insight.sections.end() || limits->text.empty() ? std::vector<std::string>()
                                                                  : split(limits->text, '\n');
}

std::string insightText(const Insight &insight, std::size_t most) {
  std::string text;
  for (const InsightSection &section : insight.sections) {
    text += section.title + ":\n" + section.text;
    if (!section.text.empty() && !section.text.ends_with('\n'))
      text += '\n';
    if (!section.note.empty())
      text += "(" + section.note + ")\n";
  }
  if (text.size() <= most)
    return text;
  constexpr std::string_view kCut = "(cut)\n";
  const std::size_t end = most < kCut.size() ? std::string::npos : text.rfind('\n', most - kCut.size() - 1);
  return end == std::string::npos ? "" : text.substr(0, end + 1) + std::string(kCut);
}

} // namespace agentic
