#include "tool/agent/roles.h"

#include "tool/agent/llm_agent.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>

namespace agentic {
namespace {

constexpr int kMostRoleFailures = 3, kMostFixes = 2, kMostPlansAsked = 32;
constexpr int kRoleOutputTokens = 8192; ///< of a role that writes no file, reasoning included
constexpr std::size_t kMostSummaries = 64, kSummariesAtOnce = 2;

bool canBeMended(const Evaluation &evaluation) {
  return evaluation.verdict == Verdict::Rejected &&
         (evaluation.stage == Stage::Check || evaluation.stage == Stage::Compile || evaluation.stage == Stage::Test);
}

/// Returns whether it will fail whatever is asked.
bool isForGood(ChatErrorKind kind) {
  return kind == ChatErrorKind::Key || kind == ChatErrorKind::Money || kind == ChatErrorKind::Model ||
         kind == ChatErrorKind::Request;
}

} // namespace

Roles::Roles(const LlmAgentSettings &settings, ChatModel &own, CallLog &log, const Conversation &conversation)
    : log_(log), conversation_(conversation), conventions_(settings.conventions), note_(settings.note),
      sources_(settings.research), runDirectory_(settings.runDirectory), redact_(settings.redact) {
  if (!settings.hypotheses.empty())
    researched_ = Researched{.call = 0, .hypotheses = settings.hypotheses};
  for (const RoleSeat &given : settings.roles) {
    RoleSeat seat = given.model ? given : ownSeat(settings);
    seat.role = given.role;
    ChatModel &model = seat.model ? *seat.model : own;
    const Role role = seat.role;
    AskOptions options = askOptions(settings, seat);
    if (role == Role::Researcher)
      options.shareUsd =
          settings.researchShare * std::max(0.0, settings.config.budgetUsd - settings.config.spentBeforeUsd);
    auto asker = std::make_unique<Asker>(model, log, makeSpending(settings.config, seat.isLocal, seat.prices),
                                         std::move(options));
    const std::optional<double> temperature = settings.config.temperatureOf(std::string(roleName(role)));
    seats_.insert_or_assign(role, Seated{std::move(seat), &model, std::move(asker), temperature});
    for (const CallRecord &call : log.calls())
      if (call.purpose.role == roleName(role))
        tellAgain(model, call);
  }
}

const CallRecord *Roles::answered(Role role, const std::string &about) const {
  for (const CallRecord &call : log_.calls())
    if (call.reply && call.purpose.role == roleName(role) && call.purpose.about == about)
      return &call;
  return nullptr;
}

/// Goes on without this answer, if that is right.
std::expected<const CallRecord *, AskFailure> Roles::without(Seated &seated, AskFailure failure) {
  const std::string role(roleName(seated.seat.role));
  const bool isOfModel = failure.kind == AskFailure::Kind::Model;
  const bool hasAnswered = std::ranges::any_of(
      log_.calls(), [&](const CallRecord &call) { return call.isAnswered() && call.purpose.role == role; });
  if (failure.kind == AskFailure::Kind::Records ||
      (isOfModel && (failure.error.kind == ChatErrorKind::Cancelled || failure.error.kind == ChatErrorKind::Missing ||
                     (isForGood(failure.error.kind) && !hasAnswered)))) {
    if (isOfModel && failure.error.kind != ChatErrorKind::Cancelled)
      failure.error.message = "the " + role + ": " + failure.error.message;
    return std::unexpected(std::move(failure));
  }
  ++seated.failures;
  if (note_)
    note_(fmt::format("the {} ({}) is not asked: {}{}", role, seated.seat.label,
                      isOfModel ? failure.error.message : failure.text,
                      seated.failures >= kMostRoleFailures ? "; it is asked no more" : ""));
  return nullptr;
}

std::expected<const CallRecord *, AskFailure> Roles::ask(Role role, const std::string &about, ChatRequest request,
                                                         const std::atomic<bool> *cancelled) {
  Seated &seated = seats_.at(role);
  if (seated.failures >= kMostRoleFailures)
    return nullptr;
  const bool isFile = role == Role::Fixer || role == Role::Reviewer;
  request.maxOutputTokens =
      isFile ? seated.seat.maxOutputTokens : std::min(seated.seat.maxOutputTokens, kRoleOutputTokens);
  request.temperature = seated.temperature;
  request.effort = conversation_.options().effort;
  if (!fitToContext(request, seated.model->requestBody(request).size(), seated.seat.contextTokens))
    return without(seated, {.kind = AskFailure::Kind::Budget, .text = "its context is too small for the request"});
  CallPurpose purpose{std::string(roleName(role)), about};
  if (role == Role::Researcher)
    purpose.told = request.messages.back().text;
  auto asked = seated.asker->ask(request, cancelled, purpose);
  if (!asked)
    return without(seated, std::move(asked.error()));
  seated.failures = 0;
  const auto call = std::ranges::find_if(
      log_.calls(), [&](const CallRecord &record) { return record.call == *asked && record.isAnswered(); });
  return &*call;
}

/// A strategy that counts plans is given as many for each parent and round, by one call; else there is one for each
/// question.
std::expected<std::optional<Roles::Chosen>, AskFailure> Roles::plan(const RunState &state, const CandidateNames &names,
                                                                    std::size_t answers,
                                                                    const std::atomic<bool> *cancelled) {
  TRY(research(state, names, answers == 0, cancelled));
  if (!isOn(Role::Planner))
    return nextHypothesis(state);
  const Ask &next = state.ask;
  const bool isCounted = next.plans > 0;
  const int count = isCounted ? std::min(next.plans, kMostPlansAsked) : 1;
  const std::string about =
      isCounted ? fmt::format("round {} from {}", next.round, next.parent.empty() ? "the baseline" : next.parent)
                : fmt::format("question {}", answers + 1);
  const CallRecord *answer = answered(Role::Planner, about);
  if (!answer)
    answer = TRY(ask(Role::Planner, about, plannerRequest(contextOf(state, names), count, hypotheses()), cancelled));
  if (!answer)
    return std::nullopt;
  const std::vector<StepPlan> plans = readPlans(*answer->reply, static_cast<std::size_t>(count));
  const auto index = static_cast<std::size_t>(isCounted ? next.plan : 0);
  if (index >= plans.size())
    return std::nullopt;
  return Chosen{plans[index], fmt::format("plan {} of call {}", index + 1, answer->call)};
}

std::optional<std::size_t> Roles::broken(const RunState &state, const std::vector<Exchange> &exchanges) const {
  if (!isOn(Role::Fixer) || exchanges.empty())
    return std::nullopt;
  int fixes = 0;
  for (const Exchange &exchange : exchanges | std::views::reverse) {
    if (exchange.role != roleName(Role::Fixer))
      break;
    ++fixes;
  }
  if (fixes >= kMostFixes)
    return std::nullopt;
  std::optional<std::size_t> first;
  for (const std::string &id : exchanges.back().candidates) {
    const auto attempt = attemptOf(state, id);
    if (!attempt || state.attempts[*attempt].evaluation.verdict != Verdict::Rejected)
      return std::nullopt; // one of its files is right, or was dropped
    const Attempt &made = state.attempts[*attempt];
    if (!first && canBeMended(made.evaluation) && made.candidate.text.size() <= kMostRoleFileBytes)
      first = attempt;
  }
  return first;
}

std::expected<bool, AskFailure> Roles::fix(const RunState &state, const CandidateNames &names, std::size_t attempt,
                                           const std::atomic<bool> *cancelled) {
  const std::string &id = state.attempts[attempt].candidate.id;
  if (answered(Role::Fixer, id))
    return false; // the same file came once more
  const CallRecord *answer = TRY(ask(Role::Fixer, id, fixerRequest(contextOf(state, names), attempt), cancelled));
  return answer != nullptr;
}

std::expected<void, AskFailure> Roles::judge(Proposal &proposal, const RunState &state, const CandidateNames &names,
                                             const std::atomic<bool> *cancelled) {
  if (!isOn(Role::Judge))
    return {};
  std::vector<Opinion> judged = state.judged;
  std::vector<Candidate> kept;
  JudgeStanding standing = judgeStanding(judged, state.attempts);
  for (Candidate &candidate : proposal.candidates) {
    const CallRecord *answer = answered(Role::Judge, candidate.id);
    if (!answer && standing.mode != JudgeMode::Off && candidate.text.size() <= kMostRoleFileBytes)
      answer = TRY(ask(Role::Judge, candidate.id, judgeRequest(contextOf(state, names), candidate), cancelled));
    if (!answer) {
      kept.push_back(std::move(candidate));
      continue;
    }
    Opinion opinion = readOpinion(*answer->reply);
    opinion.candidate = candidate.id;
    opinion.seconds = answer->seconds;
    opinion.isDropped = !opinion.objection.empty() && dropsNext(standing);
    judged.push_back(opinion);
    if (opinion.isDropped)
      proposal.note += fmt::format("{}the judge dropped {} ({}): {}", proposal.note.empty() ? "" : "; ", candidate.id,
                                   opinion.objection, opinion.why);
    else
      kept.push_back(std::move(candidate));
    proposal.judged.push_back(std::move(opinion));
    JudgeStanding after = judgeStanding(judged, state.attempts);
    if (note_ && after.mode == JudgeMode::Off && standing.mode != JudgeMode::Off)
      note_("the judge does not pay and is asked no more: " + after.why);
    standing = std::move(after);
  }
  proposal.candidates = std::move(kept);
  proposal.isUnusable = proposal.candidates.empty();
  return {};
}

std::expected<void, AskFailure> Roles::summarize(Proposal &proposal, const RunState &state, const CandidateNames &names,
                                                 const std::atomic<bool> *cancelled) {
  if (!isOn(Role::Summarizer) || state.summaries.size() >= kMostSummaries)
    return {};
  for (const Change &change : notableChanges(state)) {
    const std::string &id = state.attempts[change.attempt].candidate.id;
    if (std::ranges::any_of(state.summaries, [&](const Summary &known) { return known.candidate == id; }))
      continue;
    const CallRecord *answer = answered(Role::Summarizer, id);
    if (!answer)
      answer = TRY(ask(Role::Summarizer, id, summarizerRequest(contextOf(state, names), change), cancelled));
    if (!answer)
      return {};
    Summary summary = readSummary(*answer->reply).value_or(Summary());
    summary.candidate = id;
    summary.parent = change.parent ? state.attempts[*change.parent].candidate.id : "";
    summary.ratio = change.ratio, summary.low = change.low, summary.high = change.high;
    proposal.summaries.push_back(std::move(summary)); // without words, if it said none: it is not asked again
    if (proposal.summaries.size() >= kSummariesAtOnce)
      break;
  }
  return {};
}

std::expected<std::optional<Review>, AskFailure> Roles::review(const RunState &state, const CandidateNames &names,
                                                               const ReviewQuestion &question,
                                                               const std::atomic<bool> *cancelled) {
  const Candidate &winner = question.winner;
  if (!isOn(Role::Reviewer))
    return std::nullopt;
  if (winner.text.size() > kMostRoleFileBytes) {
    if (note_)
      note_("the reviewer is not asked: the winner is longer than 32 KiB");
    return std::nullopt;
  }
  const std::string about = winner.id + (question.refused ? " instead of " + question.refused->candidate.id : "");
  const CallRecord *answer = answered(Role::Reviewer, about);
  if (!answer)
    answer =
        TRY(ask(Role::Reviewer, about, reviewerRequest(contextOf(state, names), question, conventions_), cancelled));
  if (!answer)
    return std::nullopt;
  const ParsedReply parsed = parseReply(*answer->reply, {.identifier = state.spec.identifier});
  return Review{.text = parsed.files.empty() ? "" : parsed.files.front().text, .by = answer->agent};
}

} // namespace agentic
