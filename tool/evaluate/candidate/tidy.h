// What the project's own clang-tidy says of a winner: notes for its reviewer, which refuse nothing.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/candidate/candidate_build.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Returns the path of the .clang-tidy that applies to `source`, as clang-tidy finds it; empty: there is none.
std::string tidyFileFor(const std::string &source);

/// Returns the warnings in clang-tidy's output, at most five and "… more", with positions of the candidate's own text.
/// Those of other lines are left out. Pure.
std::vector<std::string> tidyNotes(std::string_view output, const BuiltCandidate &built);

/// Runs clang-tidy in the sandbox with the project's own checks; empty where the project has none, the program is not
/// installed, or 30 s do not suffice.
Result<std::vector<std::string>> tidyNotes(const BuildContext &context, const BuiltCandidate &built);

} // namespace agentic
