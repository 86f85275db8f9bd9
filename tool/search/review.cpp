#include "tool/search/review.h"

#include "tool/model/stages.h"
#include "tool/search/shorter_judge.h"
#include "tool/source/parse/lexed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

constexpr int kMostQuestions = 2;

std::size_t linesIn(const std::string &text) {
  return std::size_t(std::ranges::count(text, '\n'));
}

/// Returns why the answer is not judged; empty: it is.
std::string whyNotJudged(const Candidate &answer, const Candidate &winner, const ReviewSteps &steps) {
  if (answer.text == winner.text)
    return "it leaves the winner as it is";
  if (steps.isAttempt(answer.id))
    return "it was tried in the search";
  const std::size_t before = tokenText(winner.text).size(), after = tokenText(answer.text).size();
  return after > before ? fmt::format("it is longer: {} bytes without comments instead of {}", after, before) : "";
}

std::string whyRefused(const Evaluation &verdict) {
  return verdict.verdict == Verdict::Rejected ? std::string("it ") + rowOf(verdict.stage).rejected : "it may be slower";
}

std::string summaryOf(const Review &answer, const Candidate &winner, const Candidate &reviewed, bool isSame) {
  return fmt::format("by {}: {} lines became {}; {}", answer.by, linesIn(winner.text), linesIn(reviewed.text),
                     comparedText(isSame));
}

} // namespace

Result<Reviewed> review(const ShorteningRequest &request, const ReviewSteps &steps) {
  const Candidate &winner = request.winner;
  Reviewed reviewed{.text = {.candidate = winner}};
  ShorterJudge judge(request);
  const auto own = TRY(judge.judged(winner, false, false));
  if (!own || !judge.knowsCode())
    return reviewed;
  ReviewQuestion question{.winner = winner, .notes = own->verdict->review};
  for (int asked = 0; asked < kMostQuestions; ++asked) {
    const auto answer = TRY(steps.ask(question));
    if (!answer)
      break;
    if (answer->text.empty()) {
      reviewed.note = answer->by + " proposes nothing";
      break;
    }
    // What ships is what is judged.
    const Candidate text =
        makeCandidate(request.format ? request.format(answer->text) : answer->text, winner.origin, winner.id);
    reviewed.note = whyNotJudged(text, winner, steps);
    if (!reviewed.note.empty())
      break;
    TRY(steps.record(text));
    const auto tried = TRY(judge.judged(text, true));
    if (!tried) {
      reviewed.note = "the time for it is up";
      break;
    }
    if (tried->isKept) {
      reviewed.text = {.candidate = text,
                       .hasSameCode = judge.isSame(),
                       .summary = summaryOf(*answer, winner, text, judge.isSame())};
      break;
    }
    reviewed.note = whyRefused(*tried->verdict);
    question.refused = Attempt{.candidate = text, .evaluation = *tried->verdict};
  }
  return reviewed;
}

} // namespace agentic
