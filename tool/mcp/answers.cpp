#include "tool/mcp/answers.h"

#include "tool/agent/feedback.h"
#include "tool/agent/leaderboard.h"
#include "tool/mcp/schema.h"
#include "tool/model/stages.h"
#include "tool/report/speedup_json.h"
#include "tool/search/stop_reason.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace agentic::mcp {
namespace {

constexpr std::size_t kNameLetters = 40, kMostListed = 200;

Json text() {
  return {{"type", "string"}};
}
Json number() {
  return {{"type", "number"}};
}
Json listOf(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}
/// A value that is not always known.
Json orNull(const char *type) {
  return {{"type", {type, "null"}}};
}

std::string nameOf(const Candidate &candidate) {
  return candidate.origin.starts_with(kOrigin) ? candidate.origin.substr(std::string_view(kOrigin).size())
                                               : candidate.origin;
}

Json findingsJson(const std::vector<Finding> &findings) {
  Json list = Json::array();
  for (const Finding &finding : findings)
    list.push_back(
        {{"check", finding.check}, {"message", finding.message}, {"line", finding.line}, {"column", finding.column}});
  return list;
}

Json bestOf(const RunState &state) {
  const Attempt *best = incumbentOf(state);
  if (!best)
    return nullptr;
  Json json = {{"candidate", best->candidate.id}, {"name", nameOf(best->candidate)}, {"number", *state.incumbent + 1}};
  json["speedup"] = best->evaluation.measurement ? speedupJson(best->evaluation.measurement->speedup) : Json(nullptr);
  return json;
}

Json numberOrNull(double value) {
  return value > 0 ? Json(value) : Json(nullptr);
}

const char *outcomeOf(bool hasBest, bool isWritten, bool isExisting) {
  if (!hasBest)
    return "no-improvement";
  return isWritten ? "written" : isExisting ? "checked-in-variant-stays" : "confirmed-not-written";
}

Json winnerJson(const Candidate &candidate, const Measurement *measurement) {
  Json json = {{"candidate", candidate.id}, {"name", nameOf(candidate)}};
  json["speedup"] = measurement ? speedupJson(measurement->speedup) : Json(nullptr);
  return json;
}

} // namespace

std::string plainName(const std::string &name) {
  std::string plain = name.substr(0, kNameLetters);
  for (char &c : plain)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_' && c != '-')
      c = '_';
  return plain.empty() ? "candidate" : plain;
}

RunState stateOf(const RunRecord &record) {
  RunState state;
  state.attempts = record.attempts;
  state.incumbent = record.incumbent;
  if (const Attempt *best = incumbentOf(state); best && best->evaluation.measurement)
    state.bestRatio = best->evaluation.measurement->speedup.ratio;
  return state;
}

Json attemptAnswer(const RunState &state, std::size_t index) {
  const Attempt &attempt = state.attempts[index];
  const Evaluation &evaluation = attempt.evaluation;
  const std::string name = nameOf(attempt.candidate);
  Json json = {{"candidate", attempt.candidate.id},
               {"name", name},
               {"number", index + 1},
               {"verdict", verdictName(evaluation.verdict)},
               {"stage", stageName(evaluation.stage)},
               {"became_best", attempt.becameBest},
               {"findings", findingsJson(evaluation.findings)},
               {"notes", findingsJson(evaluation.notes)},
               {"same_code_as", evaluation.sameCodeAs},
               {"tuning", evaluation.tuning},
               {"review", evaluation.review},
               {"standing", rankText(state, index)},
               {"feedback", verdictText(attempt, static_cast<int>(index) + 1, name)},
               {"best", bestOf(state)},
               {"seconds", evaluation.seconds}};
  json["speedup"] = evaluation.measurement ? speedupJson(evaluation.measurement->speedup) : Json(nullptr);
  json["against_best"] =
      evaluation.againstIncumbent ? speedupJson(evaluation.againstIncumbent->speedup) : Json(nullptr);
  return json;
}

Json attemptSchema() {
  const Json finding = objectSchema({{"check", text()}, {"message", text()}, {"line", number()}, {"column", number()}},
                                    {"check", "message", "line", "column"});
  return objectSchema({{"candidate", text()},
                       {"name", text()},
                       {"number", number()},
                       {"verdict", {{"type", "string"}, {"enum", {"accepted", "rejected", "not-faster"}}}},
                       {"stage", text()},
                       {"became_best", {{"type", "boolean"}}},
                       {"findings", listOf(finding)},
                       {"notes", listOf(finding)},
                       {"same_code_as", text()},
                       {"tuning", text()},
                       {"review", listOf(text())},
                       {"standing", text()},
                       {"feedback", text()},
                       {"best", orNull("object")},
                       {"speedup", orNull("object")},
                       {"against_best", orNull("object")},
                       {"seconds", number()},
                       {"iterations_left", orNull("number")},
                       {"seconds_left", orNull("number")}},
                      {"candidate", "verdict", "stage", "findings", "feedback", "speedup"});
}

Json attemptsAnswer(const RunRecord &record, const std::string &candidate) {
  const RunState state = stateOf(record);
  Json json = {{"agent", record.config.agent},   {"started", record.started}, {"finished", record.finished},
               {"count", state.attempts.size()}, {"best", bestOf(state)},     {"attempts", Json::array()}};
  if (!candidate.empty()) {
    const auto index = attemptOf(state, candidate);
    if (!index)
      return nullptr;
    json["attempts"].push_back(attemptAnswer(state, *index));
    json["attempts"].back()["source"] = state.attempts[*index].candidate.text;
    return json;
  }
  std::vector<RankedAttempt> ranked = rankedAttempts(state);
  std::ranges::sort(ranked, [](const RankedAttempt &a, const RankedAttempt &b) {
    return a.ratio != b.ratio ? a.ratio > b.ratio : a.number < b.number;
  });
  for (const RankedAttempt &one : ranked) {
    if (json["attempts"].size() >= kMostListed)
      break;
    const Attempt &attempt = state.attempts[one.number - 1];
    json["attempts"].push_back({{"candidate", attempt.candidate.id},
                                {"name", nameOf(attempt.candidate)},
                                {"number", one.number},
                                {"verdict", verdictName(attempt.evaluation.verdict)},
                                {"stage", stageName(attempt.evaluation.stage)},
                                {"ratio", numberOrNull(one.ratio)},
                                {"became_best", one.led}});
  }
  return json;
}

Json attemptsSchema() {
  return objectSchema({{"kernel", text()},
                       {"agent", text()},
                       {"started", text()},
                       {"finished", {{"type", "boolean"}}},
                       {"count", number()},
                       {"best", orNull("object")},
                       {"attempts", listOf({{"type", "object"}})}},
                      {"kernel", "count", "attempts"});
}

Json finishAnswer(const OptimizedKernel &run) {
  const RunOutcome &outcome = run.outcome;
  const bool isWritten = !run.written.files.empty();
  std::vector<std::string> review = outcome.review;
  review.insert(review.end(), run.written.review.begin(), run.written.review.end());
  Json json = {{"kernel", run.kernel},
               {"outcome", outcomeOf(outcome.best.has_value(), isWritten, outcome.bestIsExisting)},
               {"files", run.written.files},
               {"review", review},
               {"warnings", run.written.warnings},
               {"limits", run.limits},
               {"iterations", outcome.iterations},
               {"rejected", outcome.rejected},
               {"nearest", run.nearest},
               {"reason", reasonAndRemedy(outcome, run.budget->moreTime())}};
  json["best"] = outcome.best ? winnerJson(*outcome.best, run.measurement()) : Json(nullptr);
  json["next"] = isWritten
                     ? "build the project and look at the files that were written; the variant's header says what "
                       "was assumed and measured"
                     : "another evaluate begins a new run";
  return json;
}

Json finishAnswer(const RunRecord &record) {
  const bool isWritten = !record.written.empty();
  Json json = {
      {"kernel", record.identity.kernel},
      {"outcome", outcomeOf(record.winner.has_value(), isWritten, record.winner && record.winner->agent.empty())},
      {"files", record.written},
      {"review", record.winner ? record.winner->evaluation.review : std::vector<std::string>()},
      {"iterations", record.iterations.size()},
      {"reason", record.reason},
      {"next", "another evaluate begins a new run"}};
  json["best"] = record.winner ? winnerJson(record.winner->candidate, record.shipped ? &*record.shipped
                                                                      : record.winner->evaluation.measurement
                                                                          ? &*record.winner->evaluation.measurement
                                                                          : nullptr)
                               : Json(nullptr);
  return json;
}

Json finishSchema() {
  return objectSchema({{"kernel", text()},
                       {"outcome", text()},
                       {"best", orNull("object")},
                       {"files", listOf(text())},
                       {"review", listOf(text())},
                       {"warnings", listOf(text())},
                       {"limits", listOf(text())},
                       {"iterations", number()},
                       {"rejected", {{"type", "object"}}},
                       {"nearest", text()},
                       {"reason", text()},
                       {"next", text()}},
                      {"kernel", "outcome", "best", "files", "reason"});
}

} // namespace agentic::mcp
