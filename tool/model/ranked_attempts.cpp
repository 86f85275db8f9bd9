#include "tool/model/ranked_attempts.h"

namespace agentic {
namespace {

void takeSpeedup(RankedAttempt &ranked, const Speedup &speedup, double times) {
  ranked.ratio = speedup.ratio * times;
  ranked.low = speedup.low * times;
  ranked.high = speedup.high * times;
}

} // namespace

std::vector<RankedAttempt> rankedAttempts(const RunState &state) {
  std::vector<RankedAttempt> result;
  double best = 1; // ratio of the incumbent at each time
  bool hasIncumbent = false;
  for (const Attempt &attempt : state.attempts) {
    const Evaluation &evaluation = attempt.evaluation;
    RankedAttempt ranked{.number = static_cast<int>(result.size()) + 1};
    if (evaluation.measurement) {
      takeSpeedup(ranked, evaluation.measurement->speedup, 1);
      ranked.isDirect = true;
    } else if (evaluation.againstIncumbent) {
      takeSpeedup(ranked, evaluation.againstIncumbent->speedup, best);
    }
    ranked.led = evaluation.verdict == Verdict::Accepted && evaluation.measurement &&
                 (!hasIncumbent ||
                  (evaluation.againstIncumbent && evaluation.againstIncumbent->comparison == Comparison::Faster));
    if (ranked.led)
      best = ranked.ratio, hasIncumbent = true;
    result.push_back(ranked);
  }
  return result;
}

} // namespace agentic
