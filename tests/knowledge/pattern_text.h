// A pattern of tool/knowledge/patterns, taken apart as its tests need it.
#pragma once

#include "tool/base/error.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace agentic::test {

struct PatternText {
  std::string name;                                          ///< of the file, without ".md"
  std::string text;                                          ///< of the whole file
  std::string title;                                         ///< behind "# "
  std::vector<std::pair<std::string, std::string>> fields;   ///< "features" → "reduction, float", in order
  std::vector<std::pair<std::string, std::string>> sections; ///< "When" → its text, in order
  std::string sketch;                                        ///< the block of C++ in the section Sketch; empty if none
  std::size_t sketchLine = 0;                                ///< of the file, where the sketch begins

  std::string field(const std::string &key) const; ///< empty if there is none
  std::vector<std::string> words(const std::string &key) const;
  std::string section(const std::string &heading) const;
  /// The value of a line `// key: value` of the sketch: tolerance, values, order, sizes, elements.
  std::string directive(const std::string &key) const;
  std::vector<std::string> includes() const; ///< lines of the sketch
};

PatternText patternText(std::string name, std::string text);

/// All patterns of a folder, by name.
Result<std::vector<PatternText>> patternTexts(const std::filesystem::path &folder);
/// All patterns that ship; fails the test if they cannot be read.
std::vector<PatternText> shippedPatterns();

} // namespace agentic::test
