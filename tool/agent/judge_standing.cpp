#include "tool/agent/judge_standing.h"

#include <fmt/format.h>

#include <set>

namespace agentic {
namespace {

constexpr int kLeastChecked = 4, kLeastRead = 12, kSeldom = 12, kCheckEach = 4;

double meanSeconds(std::span<const Attempt> attempts) {
  double seconds = 0;
  for (const Attempt &attempt : attempts)
    seconds += attempt.evaluation.seconds;
  return attempts.empty() ? 0 : seconds / static_cast<double>(attempts.size());
}

std::string reasonToEnd(const JudgeStanding &standing, double itsSeconds, double savedSeconds) {
  if (standing.checked >= kLeastChecked && standing.right * 4 < standing.checked * 3)
    return fmt::format("only {} of {} of its objections were right", standing.right, standing.checked);
  if (standing.judged < kLeastRead)
    return {};
  if (standing.objections * kSeldom < standing.judged)
    return fmt::format("it objected to {} of {} candidates", standing.objections, standing.judged);
  if (itsSeconds > savedSeconds)
    return fmt::format("its calls took {:.0f} s, and trying what it objected to takes {:.0f} s", itsSeconds,
                       savedSeconds);
  return {};
}

} // namespace

JudgeStanding judgeStanding(std::span<const Opinion> judged, std::span<const Attempt> attempts) {
  JudgeStanding standing;
  std::set<std::string> seen;
  double seconds = 0;
  for (const Opinion &opinion : judged) {
    if (!seen.insert(opinion.candidate).second)
      continue;
    ++standing.judged;
    seconds += opinion.seconds;
    standing.objections += opinion.objection.empty() ? 0 : 1;
    standing.dropped += opinion.isDropped ? 1 : 0;
    const auto attempt = attemptOf(attempts, opinion.candidate);
    if (!attempt)
      continue;
    const Evaluation &evaluation = attempts[*attempt].evaluation;
    const bool isRejected = evaluation.verdict == Verdict::Rejected;
    if (opinion.objection.empty()) {
      const bool isWrong = evaluation.stage == Stage::Test || evaluation.stage == Stage::Differential;
      standing.missed += isRejected && isWrong ? 1 : 0;
      continue;
    }
    ++standing.checked;
    standing.right += isRejected || !evaluation.sameCodeAs.empty() ? 1 : 0;
  }
  standing.why = reasonToEnd(standing, seconds, meanSeconds(attempts) * standing.objections);
  standing.mode = !standing.why.empty()              ? JudgeMode::Off
                  : standing.checked < kLeastChecked ? JudgeMode::Watched
                                                     : JudgeMode::Dropping;
  return standing;
}

bool dropsNext(const JudgeStanding &standing) {
  return standing.mode == JudgeMode::Dropping && standing.objections % kCheckEach != kCheckEach - 1;
}

std::string judgeText(const JudgeStanding &standing) {
  std::string text = fmt::format("{} read, {} objections ({} dropped, {} of {} that were tried were right), {} wrong "
                                 "ones missed",
                                 standing.judged, standing.objections, standing.dropped, standing.right,
                                 standing.checked, standing.missed);
  return text + (standing.why.empty() ? "" : "; off, because " + standing.why);
}

} // namespace agentic
