// Cuts a file into passages: functions of source code, sections of documents. By form, without a compiler: what it
// takes wrongly for a function is one more passage, and nothing else. Pure and linear.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

enum class FileKind { Code, Assembly, Markdown, Html, Text, Pdf, Other };

/// By the ending of its name.
FileKind fileKindOf(std::string_view path);

struct Cut {
  std::string name; ///< of the function: "utf8_validate"; of a section: its heading
  std::string text; ///< at most kLongestPassage bytes
  unsigned firstLine = 0, lastLine = 0;
};
inline constexpr std::size_t kLongestPassage = 16u << 10;

/// Returns the functions of C, C++, CUDA, Rust and other languages with braces, with what stands in front of the body.
std::vector<Cut> cutFunctions(std::string_view text);
/// Returns what follows each label that is no local one.
std::vector<Cut> cutLabels(std::string_view text);
/// Returns sections below their headings; a text without any in parts of some 60 lines.
std::vector<Cut> cutSections(std::string_view text);
/// Returns the same for the text of an HTML page.
std::vector<Cut> cutPage(std::string_view html);

std::vector<Cut> cutFile(FileKind kind, std::string_view text);

} // namespace agentic
