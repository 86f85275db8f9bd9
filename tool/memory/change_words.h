// Says in words of ours what changed between two sources of a kernel: what a memory may hold that outlives a project.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The closed list: word and what it means.
struct ChangeWord {
  std::string_view word, meaning;
};
std::span<const ChangeWord> changeWords();
inline constexpr const char *kNoChangeWord = "a change that has no word of ours";

/// Returns what the tokens of `after` have that those of `before` have not, sorted: "vector-instructions",
/// "lookup-table". A guess by form, comments and literals left out; linear.
std::vector<std::string> changeWordsOf(std::string_view before, std::string_view after);

/// Returns the names of the moves in a recipe of the built-in search, sorted, each once.
std::vector<std::string> moveNames(std::string_view recipe);

/// Returns the meanings of the words, as one line: "vector instructions by hand; a table of constants". Names of moves
/// stay as they are.
std::string changeText(std::span<const std::string> words);

/// The lines that differ, without the lines around them that are equal.
struct ChangedLines {
  std::string before, after;
};
ChangedLines changedLines(std::string_view before, std::string_view after);

} // namespace agentic
