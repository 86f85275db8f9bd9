// Resolves a candidate's conditionals on level-feature macros, so that the evaluated text is the shipped text.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"
#include "tool/source/candidate/candidate_edits.h"
#include "tool/source/parse/lexed_text.h"

#include <optional>

namespace agentic {

/// Adds removals of resolved conditionals and their dead branches to `edits`, and removes from `lexed` all tokens and
/// directives outside the one live reading. A conditional on anything else is a problem, unless the kernel itself has
/// it.
void resolveConditionals(const KernelSpec &spec, const Level &level, LexedText &lexed, EditList &edits,
                         std::vector<CandidateProblem> &problems);

/// Returns the value of the condition of `#if`, `#ifdef`, … on this level; nullopt if it needs anything but level
/// features.
std::optional<long> levelCondition(std::string_view text, const LexDirective &directive, const Level &level);

/// Returns that of each directive of a conditional, 1 for #else and #endif. A null level decides nothing.
std::vector<std::optional<long>> conditionValues(const LexedText &lexed, const std::vector<std::size_t> &group,
                                                 const Level *level);

/// Whole lines of a directive.
struct LineRange {
  std::size_t begin = 0, end = 0;
};
LineRange wholeLines(std::string_view text, std::size_t begin, std::size_t end);

} // namespace agentic
