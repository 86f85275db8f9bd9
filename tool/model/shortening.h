// A winner without what contributes nothing to it, or as a reviewer wrote it.
#pragma once

#include "tool/model/candidate.h"
#include "tool/model/evaluation.h"

#include <optional>
#include <string>

namespace agentic {

/// A shorter text that was tried in the place of a winner.
struct TriedShorter {
  std::string candidate;   ///< its id
  bool isKept = false;     ///< it is correct and not slower than the winner
  bool isMeasured = false; ///< the tests and the benchmark had a say, because its code is another one
  std::string objectHash;  ///< empty: it was not compiled
  /// In a review: what the reviewer hears of the text, and of the winner what clang-tidy says (Evaluation::review).
  std::optional<Evaluation> verdict = {};
};

/// What came of one winner: by shortening, or by a review of what that left.
struct Shortened {
  Candidate candidate;     ///< whose parent is the winner; the winner itself if nothing was changed
  bool hasSameCode = true; ///< the winner's object code, so that its verdicts count for both
  std::string summary;     ///< one line for people; empty: nothing was changed
};

} // namespace agentic
