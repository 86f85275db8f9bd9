// Has a winner reviewed before it is confirmed: somebody may propose the same code as a text that is simpler to read.
// It counts if it passes what a shorter text passes, at the same rule (search/shorter_judge.h), against the winner as
// it would be confirmed without a review; and if it is no longer than that, comments aside. Else the winner stays as it
// is.
#pragma once

#include "tool/base/error.h"
#include "tool/model/agent.h"
#include "tool/model/shortening.h"
#include "tool/search/shortening.h"

#include <functional>
#include <optional>
#include <string>

namespace agentic {

/// What a review does beside judging.
struct ReviewSteps {
  std::function<Result<std::optional<Review>>(const ReviewQuestion &)> ask; ///< Agent::review()
  std::function<Result<void>(const Candidate &answer)> record;              ///< called before the answer is judged
  std::function<bool(const std::string &candidate)> isAttempt; ///< of the search, where it has a verdict of its own
};

struct Reviewed {
  Shortened text;   ///< the winner itself if nothing counts
  std::string note; ///< why an answer does not count; empty: it does, or there is none
};

/// Asks once, and once more if the stages refuse the answer. `request`: of the winner, with `isReview`.
Result<Reviewed> review(const ShorteningRequest &request, const ReviewSteps &steps);

} // namespace agentic
