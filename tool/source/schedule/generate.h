// Writes the kernel's text with a schedule applied.
#pragma once

#include "tool/source/loops/loop_nest.h"
#include "tool/source/schedule/schedule.h"

#include <string>

namespace agentic::moves {

/// Writes the text with `comment` lines (without slashes) in front. Loops that the schedule does not touch keep their
/// exact text.
std::string generate(const Nest &nest, const Schedule &schedule, const std::vector<std::string> &comment, bool forGcc);

/// Returns the pragma lines of a hint; empty if there is none. Clang knows width, interleave and unroll, GCC ivdep and
/// unroll.
std::vector<std::string> pragmaLines(const LoopHint &hint, bool forGcc);

} // namespace agentic::moves
