#include "tool/base/text.h"
#include "tool/knowledge/cut.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

constexpr unsigned kLinesOfAPart = 60;
constexpr std::size_t kMostCuts = 20'000;

/// A line of one repeated sign under a heading.
bool isUnderline(std::string_view line) {
  return line.size() >= 3 && isOneOf(line.substr(0, 1), {"=", "-", "~", "^", "\""}) &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

class Sections {
public:
  void begin(std::string name, unsigned line) {
    cuts_.push_back({.name = std::move(name), .text = {}, .firstLine = line, .lastLine = line});
  }
  void add(std::string_view line, unsigned number) {
    if (cuts_.empty())
      begin("", number);
    Cut &cut = cuts_.back();
    cut.lastLine = number;
    if (cut.text.size() + line.size() < kLongestPassage)
      cut.text += std::string(line) + "\n";
  }
  bool isLong(unsigned line) const { return !cuts_.empty() && line - cuts_.back().firstLine >= kLinesOfAPart; }
  const std::string &name() const {
    static const std::string kNone;
    return cuts_.empty() ? kNone : cuts_.back().name;
  }
  std::vector<Cut> take() {
    std::erase_if(cuts_, [](const Cut &cut) { return trim(cut.text).empty(); });
    return std::move(cuts_);
  }

private:
  std::vector<Cut> cuts_;
};

/// Returns the text of a page; headings are lines behind "# ".
std::string pageText(std::string_view html) {
  constexpr auto kEntities = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", " "}, {"&#39;", "'"}});
  std::string text;
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] == '&') {
      const auto entity =
          std::ranges::find_if(kEntities, [&](const auto &entry) { return html.substr(at).starts_with(entry.first); });
      if (entity != kEntities.end()) {
        text += entity->second;
        at += entity->first.size();
        continue;
      }
    }
    if (html[at] != '<') {
      text += html[at++];
      continue;
    }
    const std::size_t close = std::min(html.find('>', at), html.size());
    const std::string tag = lowered(html.substr(at, std::min<std::size_t>(close - at, 16)));
    at = std::min(close + 1, html.size());
    for (const char *skipped : {"script", "style"})
      if (tag.starts_with(std::string("<") + skipped)) {
        const std::string end = std::string("</") + skipped;
        const std::size_t found = html.find(end, at);
        at = found == std::string_view::npos ? html.size() : found;
      }
    const bool isHeading = tag.size() > 2 && tag.starts_with("<h") && tag[2] >= '1' && tag[2] <= '6';
    if (isHeading)
      text += "\n# ";
    else if (tag.starts_with("</h") || tag.starts_with("<p") || tag.starts_with("<br") || tag.starts_with("<li") ||
             tag.starts_with("<tr") || tag.starts_with("<div"))
      text += '\n';
  }
  return text;
}

} // namespace

FileKind fileKindOf(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::string ending = dot == std::string_view::npos ? "" : lowered(path.substr(dot + 1));
  if (isOneOf(ending,
              {"c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "cu", "cuh", "rs", "cl"}))
    return FileKind::Code;
  if (isOneOf(ending, {"s", "asm"}))
    return FileKind::Assembly;
  if (isOneOf(ending, {"md", "markdown", "rst", "adoc"}))
    return FileKind::Markdown;
  if (isOneOf(ending, {"html", "htm", "xhtml"}))
    return FileKind::Html;
  if (isOneOf(ending, {"txt", "text", "tex"}))
    return FileKind::Text;
  return ending == "pdf" ? FileKind::Pdf : FileKind::Other;
}

std::vector<Cut> cutSections(std::string_view text) {
  Sections sections;
  unsigned number = 0;
  bool inCode = false;
  std::string_view previous;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    at = end + 1;
    ++number;
    if (line.starts_with("```"))
      inCode = !inCode;
    const std::size_t marks = line.find_first_not_of('#');
    const bool isHeading =
        !inCode && line.starts_with('#') && marks != std::string_view::npos && marks <= 6 && line[marks] == ' ';
    const bool isUnderlined = !inCode && isUnderline(line) && !trim(previous).empty() && previous.size() < 120;
    if (isHeading)
      sections.begin(std::string(trim(line.substr(marks))), number);
    else if (isUnderlined)
      sections.begin(std::string(trim(previous)), number);
    else if (sections.isLong(number) && trim(line).empty())
      sections.begin(std::string(sections.name()), number);
    else
      sections.add(line, number);
    previous = line;
  }
  return sections.take();
}

std::vector<Cut> cutPage(std::string_view html) {
  return cutSections(pageText(html));
}

std::vector<Cut> cutFile(FileKind kind, std::string_view text) {
  std::vector<Cut> cuts = kind == FileKind::Code       ? cutFunctions(text)
                          : kind == FileKind::Assembly ? cutLabels(text)
                          : kind == FileKind::Html     ? cutPage(text)
                          : kind == FileKind::Markdown || kind == FileKind::Text || kind == FileKind::Pdf
                              ? cutSections(text)
                              : std::vector<Cut>();
  cuts.resize(std::min(cuts.size(), kMostCuts)); // generated tables of labels
  return cuts;
}

} // namespace agentic
