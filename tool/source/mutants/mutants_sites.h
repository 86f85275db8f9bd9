// What is about to become a mutant: edits on the kernel's text, free of Clang types.
#pragma once

#include "tool/source/candidate/candidate_edits.h"
#include "tool/source/mutants/mutants.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic::mutants {

struct Site {
  MutantKind kind = MutantKind::Zeros;
  std::size_t at = 0; ///< the place in the kernel's text that the user is shown
  unsigned line = 0;  ///< of `at`; set by inOrder
  int loop = -1;      ///< the innermost loop around it, or that it changes; -1: none
  EditList edits;     ///< on the kernel's text
  std::string helper; ///< a function that the edits call, to stand in front
  std::string change, advice;
};

/// Round by round one site of each kind: the one whose line, then whose loop, has fewest so far. Deterministic.
std::vector<Site> inOrder(std::vector<Site> sites, const std::string &text);

} // namespace agentic::mutants
