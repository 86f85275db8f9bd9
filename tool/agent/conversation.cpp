#include "tool/agent/conversation.h"

#include "tool/agent/asked_text.h"
#include "tool/agent/bounded_text.h"
#include "tool/agent/prompt_language.h"
#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kMostRows = 8;
constexpr std::size_t kBestBytes = 32u << 10, kLatestBytes = 16u << 10, kEarlierVerdict = 1024;

/// Returns the verdicts on one reply's candidates; `standing` gets the rank of the last.
std::string verdictsOf(const RunState &state, const Exchange &exchange, std::string &standing) {
  std::string text;
  for (std::size_t i = 0; i < exchange.candidates.size(); ++i) {
    const auto index = attemptOf(state, exchange.candidates[i]);
    if (!index)
      continue; // the run ended before it was evaluated
    text += (text.empty() ? "" : "\n\n") +
            verdictText(state.attempts[*index], static_cast<int>(*index) + 1, exchange.parsed.files[i].name);
    standing = rankText(state, *index);
  }
  return boundedText(text, kFeedbackBytes);
}

/// "Repeated": every file of the reply has the text of an earlier one.
std::string problemOf(const Exchange &exchange) {
  return !exchange.parsed.problem.empty() ? exchange.parsed.problem
                                          : "Every file of that reply was tried before; its verdict stands.";
}

/// Returns the problem without what the answers to its calls already say.
std::string unsaidProblemOf(const Exchange &exchange) {
  return exchange.parsed.malformedCalls > 0 && exchange.candidates.empty() ? "" : problemOf(exchange);
}

bool isUnusable(const RunState &state, const Exchange &exchange) {
  return exchange.candidates.empty() || std::ranges::none_of(exchange.candidates, [&](const std::string &id) {
           return attemptOf(state, id).has_value();
         });
}

/// Returns the state before the first reply's candidates, so that a later request repeats the same text.
RunState stateBefore(const RunState &state, const std::vector<Exchange> &exchanges) {
  RunState before = state;
  std::size_t count = state.attempts.size();
  for (const Exchange &exchange : exchanges)
    for (const std::string &id : exchange.candidates)
      count = std::min(count, attemptOf(state, id).value_or(count));
  before.attempts.resize(count);
  before.incumbent.reset();
  const std::vector<RankedAttempt> all = rankedAttempts(before);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].led)
      before.incumbent = i;
  return before;
}

/// Returns the budget after exchange `index` (-1: before the first), without the seconds, so that it stays the same.
BudgetLeft budgetAfter(const RunState &state, const std::vector<Exchange> &exchanges, int index, double budgetUsd) {
  BudgetLeft left{.tries = state.iterationsLeft};
  for (std::size_t i = static_cast<std::size_t>(index + 1); left.tries && i < exchanges.size(); ++i)
    *left.tries += std::max(1, static_cast<int>(exchanges[i].candidates.size()));
  if (budgetUsd >= 0)
    left.usd = std::max(0.0, budgetUsd - (index < 0 ? 0 : exchanges[static_cast<std::size_t>(index)].spentUsd));
  return left;
}

/// Returns the exchange that made this candidate; nullptr: it is not of this model.
const Exchange *exchangeOf(const RunState &state, const std::vector<Exchange> &exchanges,
                           const std::string &candidate) {
  const auto attempt = attemptOf(state, candidate);
  for (const Exchange &exchange : exchanges)
    if (attempt && std::ranges::any_of(exchange.candidates,
                                       [&](const std::string &id) { return isOf(state.attempts[*attempt], id); }))
      return &exchange;
  return nullptr;
}

/// Returns what the exchange was asked to go on from.
std::string parentOf(const RunState &state, const Exchange &exchange) {
  for (const Asked &asked : state.asked)
    for (const std::string &id : exchange.candidates)
      if (std::ranges::find(asked.candidates, id) != asked.candidates.end())
        return asked.ask.parent;
  return {};
}

/// Returns the exchanges that led to what is gone on from now, the first first; none if another agent took part.
std::vector<const Exchange *> lineageOf(const RunState &state, const std::vector<Exchange> &exchanges) {
  std::vector<const Exchange *> lineage;
  for (std::string id = state.ask.parent; !id.empty(); id = parentOf(state, *lineage.front())) {
    const Exchange *exchange = exchangeOf(state, exchanges, id);
    if (!exchange || std::ranges::find(lineage, exchange) != lineage.end())
      return {};
    lineage.insert(lineage.begin(), exchange);
  }
  return lineage;
}

/// Turns tool calls into text, for a server that gets no more tools.
std::string withoutCalls(const ChatMessage &message, const ParsedReply &parsed) {
  std::string text = message.text;
  for (const ReplyFile &file : parsed.files)
    text += "\n\n" + fencedSource(file.text, file.name);
  return text;
}

} // namespace

std::vector<std::string> historyNames() {
  return {"full", "compact", "best"};
}

History historyNamed(const std::string &name) {
  const std::vector<std::string> names = historyNames();
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? History::Compact : static_cast<History>(found - names.begin());
}

std::string Conversation::first(const RunState &state, const std::string &budget) const {
  const std::string tried = leaderboard(state, {}, kMostRows);
  std::string text = tried.empty() ? "" : "Tried before you, by the project:\n\n" + tried;
  if (const Attempt *leader = incumbentOf(state))
    text += "\nThe best of them:\n\n" + fencedSource(boundedText(leader->candidate.text, kBestBytes));
  return prompts_.fill(
      "first.md", {{"baseline", baselineText(state)}, {"shapes", shapes(state)}, {"tried", text}, {"budget", budget}});
}

std::string Conversation::compact(const RunState &state, const std::vector<Exchange> &exchanges,
                                  const std::string &budget) const {
  const CandidateNames names = namesIn(exchanges);
  std::string latest;
  const std::size_t count = state.attempts.size();
  if (count >= 2)
    latest = verdictText(state.attempts[count - 2], static_cast<int>(count) - 1,
                         names.fileOf(state.attempts[count - 2].candidate.id), kEarlierVerdict) +
             "\n\n";
  if (count >= 1) {
    const Attempt &last = state.attempts.back();
    const std::string name = names.fileOf(last.candidate.id);
    latest += verdictText(last, static_cast<int>(count), name) + "\n";
    if (state.incumbent != count - 1)
      latest += "\nIts source:\n\n" + fencedSource(boundedText(last.candidate.text, kLatestBytes), name) + "\n";
  }
  if (!exchanges.empty() && isUnusable(state, exchanges.back()))
    latest += "\nYour last reply held no candidate. " + problemOf(exchanges.back()) + "\n";
  return prompts_.fill("compact.md", {{"baseline", baselineText(state)},
                                      {"shapes", shapes(state)},
                                      {"leaderboard", leaderboard(state, names.ideas, kMostRows)},
                                      {"best", bestSource(state, names, kBestBytes)},
                                      {"latest", latest},
                                      {"budget", budget}});
}

std::string Conversation::best(const RunState &state, const std::vector<Exchange> &exchanges,
                               const std::string &budget) const {
  std::string best = "None yet: the baseline leads.", standing;
  if (const Attempt *leader = incumbentOf(state))
    best = fencedSource(boundedText(leader->candidate.text, kBestBytes));
  const Exchange &last = exchanges.back();
  const std::string verdict = isUnusable(state, last) ? "Your last reply held no candidate. " + problemOf(last)
                                                      : verdictsOf(state, last, standing);
  return prompts_.fill("best.md", {{"baseline", baselineText(state)},
                                   {"shapes", shapes(state)},
                                   {"best", best},
                                   {"verdict", verdict},
                                   {"budget", budget}});
}

/// Adds the reply as it came, then its result.
void Conversation::addAnswer(ChatRequest &request, const Exchange &exchange, const std::string &text) const {
  request.messages.push_back(exchange.reply.message);
  request.messages.back().role = ChatRole::Assistant;
  const std::vector<CallAnswer> &calls = exchange.parsed.calls;
  if (!calls.empty() && !options_.system.usesTools)
    request.messages.back() = {.role = ChatRole::Assistant,
                               .text = withoutCalls(exchange.reply.message, exchange.parsed)};
  if (calls.empty() || !options_.system.usesTools) {
    request.messages.push_back({.role = ChatRole::User, .text = text});
    return;
  }
  // Every call must be answered, in order; the last answer covers all of them.
  for (const CallAnswer &call : calls) {
    ChatMessage answer{.role = ChatRole::Tool, .toolCallId = call.id, .toolName = call.tool};
    answer.text = !call.error.empty() ? "error: " + call.error : &call == &calls.back() ? "" : "evaluated: see below";
    if (&call == &calls.back())
      answer.text += (answer.text.empty() ? "" : "\n\n") + text;
    request.messages.push_back(std::move(answer));
  }
}

void Conversation::addAll(ChatRequest &request, const RunState &state, const std::vector<Exchange> &exchanges,
                          double budgetUsd) const {
  request.messages.push_back(
      {.role = ChatRole::User,
       .text = first(stateBefore(state, exchanges), budgetText(budgetAfter(state, exchanges, -1, budgetUsd)))});
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const Exchange &exchange = exchanges[i];
    std::string text, standing;
    if (isUnusable(state, exchange)) {
      text = prompts_.fill("unusable.md", {{"problem", unsaidProblemOf(exchange)},
                                           {"answer", answerText(prompts_, options_.system.usesTools)}});
    } else {
      const std::string verdict = verdictsOf(state, exchange, standing);
      text = prompts_.fill("feedback.md",
                           {{"verdict", verdict},
                            {"standing", standing},
                            {"budget", budgetText(budgetAfter(state, exchanges, static_cast<int>(i), budgetUsd))}});
    }
    addAnswer(request, exchange, text);
  }
}

/// With the whole history: the conversation that led to the parent; else only the parent itself.
void Conversation::addAsked(ChatRequest &request, const RunState &state, const std::vector<Exchange> &exchanges,
                            double budgetUsd, History history) const {
  AskedTextParts parts{.shapes = shapes(state), .problem = {}, .budget = {}, .isShort = history == History::Best};
  const auto budget = [&](int index) { return budgetText(budgetAfter(state, exchanges, index, budgetUsd)); };
  parts.budget = budget(static_cast<int>(exchanges.size()) - 1);
  if (!exchanges.empty() && isUnusable(state, exchanges.back()))
    parts.problem = "The last reply held no candidate. " + problemOf(exchanges.back());
  const std::string asked = askedText(prompts_, state, namesIn(exchanges), parts);
  const auto lineage = history == History::Full ? lineageOf(state, exchanges) : std::vector<const Exchange *>();
  request.messages.push_back(
      {.role = ChatRole::User, .text = lineage.empty() ? asked : first(stateBefore(state, exchanges), budget(-1))});
  for (const Exchange *exchange : lineage) {
    std::string standing;
    const std::string verdict = verdictsOf(state, *exchange, standing);
    const auto index = static_cast<int>(exchange - exchanges.data());
    addAnswer(
        request, *exchange,
        exchange == lineage.back()
            ? asked
            : prompts_.fill("feedback.md", {{"verdict", verdict}, {"standing", standing}, {"budget", budget(index)}}));
  }
}

ChatRequest Conversation::request(const RunState &state, const std::vector<Exchange> &exchanges, double budgetUsd,
                                  History history) const {
  ChatRequest request;
  request.maxOutputTokens = options_.maxOutputTokens;
  request.temperature = options_.temperature;
  request.effort = options_.effort;
  request.seed = options_.seed;
  if (options_.system.usesTools)
    request.tools.push_back(evaluateTool(state.spec.function));
  request.messages.push_back({.role = ChatRole::System, .text = systemPrompt(prompts_, state, options_.system)});
  if (!state.ask.strategy.empty()) {
    addAsked(request, state, exchanges, budgetUsd, history);
    return inLanguage(std::move(request), state.spec.language);
  }
  if (history == History::Full) {
    addAll(request, state, exchanges, budgetUsd);
    return inLanguage(std::move(request), state.spec.language);
  }
  BudgetLeft now = budgetAfter(state, exchanges, static_cast<int>(exchanges.size()) - 1, budgetUsd);
  if (state.secondsLeft < 1e8)
    now.seconds = state.secondsLeft;
  const std::string left = budgetText(now);
  const std::string text = exchanges.empty()             ? first(state, left)
                           : history == History::Compact ? compact(state, exchanges, left)
                                                         : best(state, exchanges, left);
  request.messages.push_back({.role = ChatRole::User, .text = text});
  if (options_.system.usesTools && !exchanges.empty() && exchanges.back().parsed.malformedCalls > 0 &&
      exchanges.back().candidates.empty())
    addAnswer(request, exchanges.back(), answerText(prompts_, true));
  return inLanguage(std::move(request), state.spec.language);
}

} // namespace agentic
