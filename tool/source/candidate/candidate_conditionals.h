// Resolves a candidate's conditionals on level-feature macros, so that what is evaluated is what ships.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"
#include "tool/source/candidate/candidate_edits.h"
#include "tool/source/parse/lexed_text.h"

#include <optional>

namespace agentic {

/// Removes resolved conditionals and their dead branches from `edits`, and from `lexed` all tokens and directives that
/// are not part of the one live reading. A conditional on anything else is a problem, unless the kernel itself has it.
void resolveConditionals(const KernelSpec &spec, const Level &level, LexedText &lexed, EditList &edits,
                         std::vector<CandidateProblem> &problems);

/// Value of the condition of `#if`, `#ifdef`, … on this level; nullopt if it asks for anything but level features.
std::optional<long> levelCondition(std::string_view text, const LexDirective &directive, const Level &level);

/// The whole lines of a directive.
struct LineRange {
  std::size_t begin = 0, end = 0;
};
LineRange wholeLines(std::string_view text, std::size_t begin, std::size_t end);

} // namespace agentic
