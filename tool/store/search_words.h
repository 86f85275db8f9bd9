// Splits texts and identifiers into the words that are searched for. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Returns the words of a text in lower case: letters and digits, identifiers in their parts: "halfToFloat" gives half,
/// to, float; "mm256_shuffle_epi8" gives mm256, shuffle, epi8. Words longer than 64 bytes are left out. Linear.
std::vector<std::string> searchWords(std::string_view text);

/// Returns them with spaces between.
std::string wordText(std::string_view text);

/// Returns the first `most` different words of two letters or more.
std::vector<std::string> questionWords(std::string_view text, std::size_t most);

/// Returns the question of full-text search for texts with any of the words; empty: there is none.
std::string anyOf(const std::vector<std::string> &words);

/// Returns what several forms of a word have in common: "validate" and "validation" give "valid". Crude.
std::string stemOf(std::string_view word);

} // namespace agentic
