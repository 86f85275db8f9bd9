// A winner without what contributes nothing to it.
#pragma once

#include "tool/model/candidate.h"

#include <string>

namespace agentic {

/// A shorter text that was tried in the place of a winner.
struct TriedShorter {
  std::string candidate;   ///< its id
  bool isKept = false;     ///< it is correct and not slower than the winner
  bool isMeasured = false; ///< the tests and the benchmark had a say, because its code is another one
  std::string objectHash;  ///< empty: it was not compiled
};

/// What came of one winner.
struct Shortened {
  Candidate candidate;     ///< whose parent is the winner; the winner itself if nothing was left out
  bool hasSameCode = true; ///< the winner's object code, so that its verdicts count for both
  std::string summary;     ///< one line for people; empty: nothing was changed
};

} // namespace agentic
