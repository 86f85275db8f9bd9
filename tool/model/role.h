// Who of a run's models is asked: each role has a prompt and may have a model of its own (agent/roles.h); and what the
// roles say, as the journal has it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Planner: the next steps, in words. Coder: a file. Fixer: a broken file, mended. Judge: whether a file is worth
/// trying. Summarizer: what is to be learnt of a change. Researcher: what could help, before the first file. Reviewer:
/// the winner, simpler to read.
enum class Role { Planner, Coder, Fixer, Judge, Summarizer, Researcher, Reviewer };
inline constexpr std::array<std::string_view, 7> kRoleNames = {"planner",    "coder",      "fixer",   "judge",
                                                               "summarizer", "researcher", "reviewer"};
inline constexpr std::string_view roleName(Role role) {
  return kRoleNames[static_cast<std::size_t>(role)];
}

/// A judge's word on a candidate, before it was tried. It drops a candidate or keeps it, and accepts none.
struct Opinion {
  std::string candidate; ///< id
  std::string objection; ///< "wrong" for some input, "same" as an earlier one; empty: none
  std::string why;       ///< one line; may be empty
  bool isDropped = false;
  double seconds = 0; ///< of the judge's call
};

/// The words of a memory item on one change that helped or did not, and what was measured of it.
struct Summary {
  std::string candidate, parent; ///< ids; parent empty: the baseline
  std::string title, what, why;  ///< one line each: the change; what was done; why it helped or did not
  double ratio = 1;              ///< candidate over parent
  double low = 1, high = 1;
};

} // namespace agentic
