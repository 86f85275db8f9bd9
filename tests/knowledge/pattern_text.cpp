#include "tests/knowledge/pattern_text.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace agentic::test {
namespace {

constexpr std::string_view kFence = "```";

std::string valueOf(const std::vector<std::pair<std::string, std::string>> &pairs, const std::string &key) {
  const auto found = std::ranges::find(pairs, key, &std::pair<std::string, std::string>::first);
  return found == pairs.end() ? std::string() : found->second;
}

} // namespace

std::string PatternText::field(const std::string &key) const {
  return valueOf(fields, key);
}

std::string PatternText::section(const std::string &heading) const {
  return valueOf(sections, heading);
}

std::vector<std::string> PatternText::words(const std::string &key) const {
  std::vector<std::string> words;
  if (const std::string value = field(key); !value.empty())
    for (const std::string &word : split(value, ','))
      words.emplace_back(trim(word));
  return words;
}

std::string PatternText::directive(const std::string &key) const {
  const std::string start = "// " + key + ":";
  for (const std::string &line : split(sketch, '\n'))
    if (line.starts_with(start))
      return std::string(trim(std::string_view(line).substr(start.size())));
  return {};
}

std::vector<std::string> PatternText::includes() const {
  std::vector<std::string> lines;
  for (const std::string &line : split(sketch, '\n'))
    if (line.starts_with("#include"))
      lines.push_back(line);
  return lines;
}

PatternText patternText(std::string name, std::string text) {
  PatternText pattern{.name = std::move(name), .text = std::move(text)};
  bool isCode = false;
  std::size_t number = 0;
  for (const std::string &line : split(pattern.text, '\n')) {
    ++number;
    const bool isFence = line.starts_with(kFence);
    if (isFence) {
      isCode = !isCode;
      if (isCode && pattern.sketchLine == 0)
        pattern.sketchLine = number + 1;
    } else if (!isCode && line.starts_with("## ")) {
      pattern.sections.emplace_back(line.substr(3), "");
      continue;
    }
    if (pattern.sections.empty()) {
      if (line.starts_with("# ") && pattern.title.empty())
        pattern.title = line.substr(2);
      else if (const std::size_t colon = line.find(": "); colon != std::string::npos)
        pattern.fields.emplace_back(line.substr(0, colon), std::string(trim(line.substr(colon + 2))));
      else if (!trim(line).empty())
        pattern.fields.emplace_back(line, "");
      continue;
    }
    pattern.sections.back().second += line + "\n";
    if (isCode && !isFence && pattern.sections.back().first == "Sketch")
      pattern.sketch += line + "\n";
  }
  return pattern;
}

Result<std::vector<PatternText>> patternTexts(const std::filesystem::path &folder) {
  std::vector<PatternText> patterns;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    auto text = readFile(entry.path());
    if (!text)
      return std::unexpected(text.error());
    if (entry.path().extension() == ".md")
      patterns.push_back(patternText(entry.path().stem().string(), std::move(*text)));
  }
  std::ranges::sort(patterns, {}, &PatternText::name);
  return patterns;
}

std::vector<PatternText> shippedPatterns() {
  auto patterns = patternTexts(AGENTIC_PATTERNS);
  EXPECT_TRUE(patterns) << patterns.error().message;
  return patterns ? std::move(*patterns) : std::vector<PatternText>();
}

} // namespace agentic::test
