// Classifies pragmas. Shared by the checks pragmas, threads and unknown-pragma-or-attribute.
#pragma once

#include "ast-checks/lexemes.h"

#include <string>
#include <vector>

namespace agentic::checks {

enum class PragmaKind { Loop, Threads, Banned };

/// `text` follows `#pragma`: "omp simd reduction(+:sum)".
PragmaKind pragmaKind(const std::string &text);

/// Returns the words that name the pragma: "GCC optimize".
std::string pragmaTitle(const std::string &text);

struct WrittenPragma {
  std::size_t offset = 0;
  bool readable = true; ///< false for a _Pragma whose operand is no plain string literal
  std::string text;
};

/// Returns all pragmas written in own text, directives and _Pragma operators, also in skipped blocks and macros.
std::vector<WrittenPragma> writtenPragmas(const Lexemes &lexemes);

} // namespace agentic::checks
