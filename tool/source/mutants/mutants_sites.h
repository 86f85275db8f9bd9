// The site of a future mutant: edits on the kernel's text, free of Clang types.
#pragma once

#include "tool/source/candidate/candidate_edits.h"
#include "tool/source/mutants/mutants.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic::mutants {

struct Site {
  MutantKind kind = MutantKind::Zeros;
  std::size_t at = 0;      ///< the place in the kernel's text that the user is shown
  unsigned line = 0;       ///< line of `at`; inOrder sets it
  std::optional<int> loop; ///< the innermost loop around it, or the loop that it changes
  EditList edits;          ///< on the kernel's text
  std::string helper;      ///< a function that the edits call, placed in front
  std::string change, advice;
};

/// Takes one site of each kind, round by round: the one whose line, then whose loop, has fewest so far. Deterministic.
std::vector<Site> inOrder(std::vector<Site> sites, const std::string &text);

} // namespace agentic::mutants
