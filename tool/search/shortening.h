// Shortens a winner before it is confirmed: leaves out what contributes nothing, by delta debugging over the pieces of
// its text, and formats what is left in the project's style. A shorter text is kept if its object code is the same,
// which costs a compile alone, or if it passes the stages and the lower bound of its ratio to the unreduced winner is
// at least 0.99: never to the last step, since ten losses of 1 % would pass.
//
// Only hints (PieceKind) may change the object code: another statement that is left out, and whose absence no test
// notices, is a fault that the tests do not find, and a search over all of them would find every one.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/shortening.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The steps that made a winner, where each may be left out: its text is made anew.
struct WinnerSteps {
  std::vector<std::string> names; ///< empty: it is not made of steps
  /// Returns the candidate of the steps with these indices; nullopt: they are not legal together.
  std::function<std::optional<Candidate>(const std::vector<std::size_t> &kept)> make;
};

/// Settings of a run; the default changes nothing.
struct ShorteningSettings {
  bool leavesOut = false; ///< false: winners are only formatted
  /// Returns the seconds that are left for leaving out now. Empty: none.
  std::function<double()> secondsLeft;
  /// Returns a text in the project's style; the text itself where there is none. May be empty.
  std::function<std::string(const std::string &text)> format;
  std::function<WinnerSteps(const Candidate &winner)> stepsOf; ///< may be empty
  /// Returns the seconds that a review that begins now may take. Empty: nobody reviews.
  std::function<double()> reviewSeconds = {};
};

struct ShorteningRequest {
  Candidate winner;
  bool leavesOut = true;
  bool isReview = false;           ///< what is tried is a reviewer's: its verdicts are kept
  std::vector<TriedShorter> tried; ///< by an earlier process of the run: not judged again
  /// Judges a shorter text: Evaluator::shortened(). nullopt: the run is interrupted, or, `isLimited`, the time is up.
  std::function<Result<std::optional<Evaluation>>(const Candidate &, ShorterRequest, bool isLimited)> judge;
  std::function<Result<void>(const TriedShorter &)> record; ///< called before the next one begins
  std::function<std::string(const std::string &text)> format;
  WinnerSteps steps;
};

/// Returns what came of it until the time was up. Its format is tried in any case, at the cost of a compile.
Result<Shortened> shorten(const ShorteningRequest &request);

} // namespace agentic
