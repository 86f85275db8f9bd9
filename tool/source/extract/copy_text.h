// What directives of SOURCE make of a declaration that is copied: where the copies stand, all of SOURCE's directives
// are behind them.
#pragma once

#include "tool/source/extract/extract_unit.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns Fragment::copy of a declaration in SOURCE. Conditionals that ask for macros of the compiler or its options
/// (names with an underscore in front) stay: variants are compiled for other processors.
std::string copyText(const ParsedUnit &unit, const ByteRange &range, Fragment::Kind kind);

/// Returns the conditionals that neither copies nor the kernel's own text have any more. `isInPrelude`: of SOURCE's
/// directives.
std::vector<DecidedConditional> decidedConditionals(const ParsedUnit &unit, const std::vector<bool> &isInPrelude);

/// Returns findings about the words in the kernel's own text that mean something else in a variant: `__LINE__`,
/// `__func__` and their like.
std::vector<Finding> wordsOfPlace(const ParsedUnit &unit, const clang::FunctionDecl &kernel);

} // namespace agentic
