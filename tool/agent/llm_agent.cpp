#include "tool/agent/llm_agent.h"

#include "tool/agent/bounded_text.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/base/time_limit.h"
#include "tool/llm/cassette.h"
#include "tool/llm/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace agentic {
namespace {

constexpr int kMostMalformedCalls = 3;
constexpr std::size_t kNoteBytes = 100;
constexpr double kBytesPerToken = 3; ///< fewer than in real tokens of code, so that the estimate is safe
constexpr int kLeastOutput = 2048;   ///< enough for a kernel's file and some words
constexpr std::string_view kCallMark = " call ";

/// No counters, unless a model runs on this machine and the user did not give its watts.
EnergySources energyOf(const LlmAgentSettings &settings, const std::string &model) {
  const bool isAsked = settings.isLocal && settings.config.watts <= 0 && !model.starts_with(kReplayPrefix);
  return isAsked ? settings.energy : EnergySources{.packages = {}, .gpus = {}};
}

bool isOfCoder(const CallRecord &call) {
  return call.purpose.role.empty() || call.purpose.role == roleName(Role::Coder);
}

} // namespace

void tellAgain(ChatModel &model, const CallRecord &call) {
  if (call.reply)
    model.wasGiven(*call.reply);
  else if (!call.outcome.empty())
    model.wasGiven(std::unexpected(ChatError{.kind = chatErrorKindOf(call.outcome)}));
}

std::string agentLabel(const std::string &name) {
  constexpr std::string_view kCommand = "command:";
  if (name.starts_with(kCommand)) {
    const std::vector<std::string> words = splitCommandLine(std::string_view(name).substr(kCommand.size()));
    return std::string(kCommand) + (words.empty() ? "" : fs::path(words.front()).filename().string());
  }
  if (constexpr std::string_view kReplay = "replay:"; name.starts_with(kReplay))
    return std::string(kReplay) + fs::path(name.substr(kReplay.size())).filename().string();
  // http://user:password@host/path?query#model
  std::string label = name;
  if (const std::size_t scheme = label.find("://"); scheme != std::string::npos) {
    const std::size_t model = std::min(label.find('#'), label.size()), begin = scheme + 3;
    const std::size_t query = label.find('?', begin);
    if (query < model)
      label.erase(query, model - query);
    const std::size_t end = label.find_first_of("/#", begin), at = label.rfind('@', std::min(end, label.size()));
    if (at != std::string::npos && at >= begin)
      label.erase(begin, at + 1 - begin);
  }
  return label;
}

int callOfOrigin(const std::string &origin) {
  const std::size_t at = origin.rfind(kCallMark);
  int call = 0;
  if (at != std::string::npos)
    std::from_chars(origin.data() + at + kCallMark.size(), origin.data() + origin.size(), call);
  return call;
}

Result<Conversation> makeConversation(const LlmAgentSettings &settings) {
  const ModelConfig &config = settings.config;
  auto prompts = TRY(Prompts::load(config.promptDir));
  ConversationOptions options;
  options.history = historyNamed(config.history);
  options.system = {settings.machine, config.blind, config.hint, config.protocol == "tools"};
  options.system.knowledge = settings.knowledge;
  options.system.memory = settings.memory;
  options.system.dropouts = config.menuDropouts;
  options.maxOutputTokens = config.maxOutputTokens;
  options.temperature = config.temperatureOf(std::string(roleName(Role::Coder)));
  options.effort = config.effort;
  return Conversation(std::move(prompts), std::move(options));
}

bool fitToContext(ChatRequest &request, std::size_t bodyBytes, std::int64_t contextTokens) {
  if (contextTokens <= 0)
    return true;
  const std::int64_t left = contextTokens - static_cast<std::int64_t>(double(bodyBytes) / kBytesPerToken);
  if (left < std::min(kLeastOutput, request.maxOutputTokens))
    return false;
  request.maxOutputTokens = static_cast<int>(std::min<std::int64_t>(left, request.maxOutputTokens));
  return true;
}

Spending makeSpending(const ModelConfig &config, bool isLocal, Prices prices) {
  return Spending({.budgetUsd = config.budgetUsd,
                   .allowUnknownPrice = config.allowUnknownPrice,
                   .isLocal = isLocal,
                   .watts = config.watts,
                   .usdPerKwh = config.usdPerKwh,
                   .callSeconds = config.longestCall()},
                  std::move(prices));
}

Spending makeSpending(const LlmAgentSettings &settings) {
  return makeSpending(settings.config, settings.isLocal, settings.prices);
}

RoleSeat ownSeat(const LlmAgentSettings &settings) {
  return {.model = nullptr,
          .label = settings.label,
          .prices = settings.prices,
          .isLocal = settings.isLocal,
          .contextTokens = settings.contextTokens,
          .maxOutputTokens = settings.config.maxOutputTokens,
          .record = settings.record,
          .provider = settings.provider};
}

AskOptions askOptions(const LlmAgentSettings &settings, const RoleSeat &seat) {
  return {.label = seat.label,
          .retry = settings.retry,
          .wait = {},
          .progress = settings.progress,
          .note = settings.note,
          .warn = settings.warn,
          .joules = {},
          .spentElsewhere = settings.spentElsewhere,
          .unforeseenUsd = seat.isLocal ? settings.config.unforeseenUsd : 0,
          .record = seat.record,
          .provider = seat.provider,
          .inFlight = settings.inFlight};
}

Result<std::unique_ptr<LlmAgent>> LlmAgent::create(std::unique_ptr<ChatModel> model, LlmAgentSettings settings) {
  auto conversation = TRY(makeConversation(settings));
  auto log = TRY(CallLog::open(settings.runDirectory, settings.redact));
  return std::unique_ptr<LlmAgent>(
      new LlmAgent(std::move(model), std::move(settings), std::move(log), std::move(conversation)));
}

LlmAgent::LlmAgent(std::unique_ptr<ChatModel> model, LlmAgentSettings settings, CallLog log, Conversation conversation)
    : model_(std::move(model)), settings_(std::move(settings)), log_(std::move(log)),
      conversation_(std::move(conversation)), energy_(energyOf(settings_, model_->name())) {
  AskOptions options = askOptions(settings_, ownSeat(settings_));
  if (settings_.inFlight->most() > 1) { // others listen in the loop's thread alone
    options.progress = mailbox_.of(options.progress);
    options.note = mailbox_.of(options.note);
    options.warn = mailbox_.of(options.warn);
    options.record = mailbox_.of(options.record);
  }
  if (energy_.canBeRead())
    options.joules = [this] { return energy_.joules(); };
  if (!settings_.roles.empty() || !settings_.hypotheses.empty())
    roles_ = std::make_unique<Roles>(settings_, *model_, log_, conversation_);
  for (const CallRecord &call : log_.calls())
    if (isOfCoder(call))
      tellAgain(*model_, call);
  lastOfEarlier_ = log_.nextCall() - 1;
  asker_ = std::make_unique<Asker>(*model_, log_, makeSpending(settings_), std::move(options));
}

/// Reads every call once, in the order in which they ended.
void LlmAgent::readExchanges(const RunState &state) {
  const ReplyRules rules{.identifier = state.spec.identifier};
  for (const CallRecord &record : log_.endedAfter(readCalls_)) {
    ++readCalls_;
    readUsd_ = sumUsd(readUsd_, record.cost.usd);
    tooLong_ += record.outcome == "too-long" ? 1 : 0;
    takesNoTools_ = takesNoTools_ || record.outcome == "tools";
    const CallPurpose &purpose = record.purpose;
    const bool isFix = purpose.role == roleName(Role::Fixer);
    if (!record.isAnswered() || (!isFix && !isOfCoder(record)))
      continue;
    Exchange exchange{
        record.call,  *record.reply, parseReply(*record.reply, rules), {}, readUsd_, purpose.role, purpose.about,
        record.agent, record.ask};
    if (isFix)
      exchange.reply.message.raw.clear(); // of another model, perhaps
    for (const ReplyFile &file : exchange.parsed.files)
      exchange.candidates.push_back(makeCandidate(file.text, "").id);
    exchanges_.push_back(std::move(exchange));
  }
  conversation_.useTools(usesTools());
  for (const Opinion &opinion : state.judged)
    for (Exchange &exchange : exchanges_)
      if (opinion.isDropped && exchange.candidates == std::vector{opinion.candidate})
        exchange.parsed.problem = "It was not tried, because a reader objected to it: " + opinion.why;
}

/// Uses text if the server takes no tools, or if so many calls in a row could not be read.
bool LlmAgent::usesTools() const {
  if (settings_.config.protocol != "tools")
    return false;
  int malformed = 0;
  for (const Exchange &exchange : exchanges_) {
    const bool isRead = exchange.parsed.malformedCalls == 0 || !exchange.parsed.files.empty();
    malformed = isRead ? 0 : malformed + exchange.parsed.malformedCalls;
    if (malformed >= kMostMalformedCalls)
      return false;
  }
  return !takesNoTools_;
}

/// A history that the server once rejected as too long is not sent again in this run; the next shorter one is.
History LlmAgent::history() const {
  const int history = static_cast<int>(conversation_.options().history) + tooLong_;
  return static_cast<History>(std::min(history, static_cast<int>(History::Best)));
}

Proposal LlmAgent::proposalOf(int call, const RunState &state) const {
  const Exchange &exchange = *std::ranges::find(exchanges_, call, &Exchange::call);
  Proposal proposal;
  proposal.call = exchange.call;
  proposal.ask = exchange.ask;
  proposal.note = exchange.parsed.note;
  const std::size_t count = exchange.parsed.files.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool isFix = exchange.role == roleName(Role::Fixer);
    std::string origin = fmt::format("{}{}{}{}", isFix ? exchange.label : settings_.label, isFix ? " fixer" : "",
                                     kCallMark, exchange.call);
    if (count > 1)
      origin += fmt::format(" ({} of {})", i + 1, count);
    Candidate candidate = makeCandidate(exchange.parsed.files[i].text, std::move(origin), isFix ? exchange.about : "");
    const bool isNew =
        !attemptOf(state, candidate.id) && !state.isWaiting(candidate.id) &&
        std::ranges::none_of(proposal.candidates, [&](const Candidate &other) { return other.id == candidate.id; });
    if (isNew)
      proposal.candidates.push_back(std::move(candidate));
  }
  proposal.isUnusable = proposal.candidates.empty();
  if (proposal.isUnusable)
    proposal.note = fmt::format("reply {} of {}: {}", exchange.call, settings_.label,
                                exchange.parsed.problem.empty() ? "nothing that was not tried before"
                                                                : boundedText(exchange.parsed.problem, kNoteBytes));
  // A mended file is a further answer to the question that the broken one came of.
  for (const Asked &asked : state.asked)
    if (exchange.role == roleName(Role::Fixer) &&
        std::ranges::find(asked.candidates, exchange.about) != asked.candidates.end()) {
      proposal.ask = asked.ask;
      proposal.ask->fixes = exchange.about;
    }
  const bool fellBack = settings_.config.protocol == "tools" && !usesTools();
  if (fellBack && exchange.parsed.malformedCalls > 0)
    proposal.note += "; its tool calls cannot be read: from now on it is asked for text";
  return proposal;
}

LlmAgent::Failures LlmAgent::failures(const RunState &state) const {
  Failures failures;
  for (auto exchange = exchanges_.rbegin(); exchange != exchanges_.rend(); ++exchange) {
    for (const std::string &id : exchange->candidates) {
      const std::optional<std::size_t> attempt = attemptOf(state, id);
      if (attempt && state.attempts[*attempt].evaluation.verdict != Verdict::Rejected &&
          callOfOrigin(state.attempts[*attempt].candidate.origin) == exchange->call)
        return failures;
    }
    if (isTaken(*exchange, state))
      ++(isWaiting(*exchange, state) ? failures.open : failures.inARow);
  }
  return failures;
}

std::string LlmAgent::reasonToStop(const RunState &state) const {
  const ModelConfig &config = settings_.config;
  if (!config.stopFile.empty() && fs::exists(config.stopFile))
    return "the stop file " + config.stopFile + " is there";
  if (config.maxFailures > 0 && failures(state).inARow >= config.maxFailures)
    return fmt::format("{} tries in a row failed", config.maxFailures);
  return {};
}

double LlmAgent::budgetUsd() const {
  if (settings_.isLocal && settings_.config.usdPerKwh <= 0)
    return -1;
  const double elsewhere = settings_.spentElsewhere ? settings_.spentElsewhere() : 0;
  return std::max(0.0, settings_.config.budgetUsd - elsewhere);
}

/// Uses the longest history that leaves room for an answer.
std::expected<ChatRequest, AskFailure>
LlmAgent::nextRequest(const RunState &state, const std::vector<Exchange> &exchanges, const std::string &plan) {
  for (int history = static_cast<int>(this->history()); history <= static_cast<int>(History::Best); ++history) {
    ChatRequest request = conversation_.request(state, exchanges, budgetUsd(), static_cast<History>(history));
    if (!plan.empty())
      request.messages.back().text += "\n" + plan;
    if (fitToContext(request, model_->requestBody(request).size(), settings_.contextTokens))
      return request;
  }
  return std::unexpected(AskFailure{
      .kind = AskFailure::Kind::Model,
      .error = {ChatErrorKind::TooLong,
                fmt::format("the shortest request leaves too little of the model's context of {} tokens for an answer",
                            settings_.contextTokens),
                "use a model with a larger context", std::nullopt, false}});
}

/// Returns whether the server may take a request in another form than the one that it refused.
bool LlmAgent::mayTakeOtherForm(const AskFailure &failure, const Form &form) const {
  const ChatErrorKind kind = failure.error.kind;
  return failure.kind == AskFailure::Kind::Model && ((kind == ChatErrorKind::Tools && form.hadTools) ||
                                                     (kind == ChatErrorKind::TooLong && form.history != history()));
}

/// Asks the fixer if the last file can be mended, else the coder.
std::expected<void, AskFailure> LlmAgent::ask(const RunState &state, const std::atomic<bool> *cancelled) {
  if (const auto broken = roles_ ? roles_->broken(state, exchanges_) : std::nullopt)
    if (TRY(roles_->fix(state, namesIn(exchanges_), *broken, cancelled)))
      return {};
  return askCoder(state, cancelled);
}

/// Asks again where the server may take another form of the request.
std::expected<void, AskFailure> LlmAgent::askCoder(const RunState &state, const std::atomic<bool> *cancelled) {
  std::optional<Roles::Chosen> chosen;
  if (roles_)
    chosen = TRY(roles_->plan(state, namesIn(exchanges_), exchanges_.size(), cancelled));
  const CallPurpose purpose =
      roles_ ? CallPurpose{std::string(roleName(Role::Coder)), chosen ? chosen->about : ""} : CallPurpose();
  for (;;) {
    readExchanges(state);
    const Form form = this->form();
    const auto request =
        TRY(nextRequest(state, exchanges_, chosen ? planText(conversation_.prompts(), chosen->plan) : ""));
    const auto asked = asker_->ask(request, cancelled, purpose);
    readExchanges(state);
    if (asked)
      return {};
    if (!mayTakeOtherForm(asked.error(), form))
      return std::unexpected(asked.error());
  }
}

/// A model that never answered is the user's error; one that stops answering ends the search, not the run. A recording
/// without an answer does not belong to this run.
Result<Proposal> LlmAgent::afterFailure(const AskFailure &failure, bool timeIsUp) const {
  Proposal proposal;
  if (failure.kind == AskFailure::Kind::Records)
    return std::unexpected(failure.records);
  if (failure.kind == AskFailure::Kind::Model && failure.error.kind == ChatErrorKind::Cancelled) {
    if (!timeIsUp)
      return interruptedError();
    proposal.stop = "the time budget is spent";
    return proposal;
  }
  const bool isMiss = failure.kind == AskFailure::Kind::Model && failure.error.kind == ChatErrorKind::Missing;
  if (exchanges_.empty() || isMiss)
    return failure.kind == AskFailure::Kind::Budget
               ? userError(settings_.label + ": " + failure.text, "raise --budget-usd, or lower --max-output-tokens")
               : userError(settings_.label + ": " + failure.error.message, failure.error.next);
  proposal.stop =
      failure.kind == AskFailure::Kind::Budget ? failure.text : settings_.label + ": " + failure.error.message;
  return proposal;
}

Result<Proposal> LlmAgent::finished(int call, const RunState &state, const TimeLimit &limit) {
  Proposal proposal = proposalOf(call, state);
  if (!roles_)
    return proposal;
  const CandidateNames names = namesIn(exchanges_);
  auto done = roles_->judge(proposal, state, names, limit.flag());
  if (done)
    done = roles_->summarize(proposal, state, names, limit.flag());
  return done ? Result<Proposal>(std::move(proposal)) : afterFailure(done.error(), limit.isUp());
}

Result<Proposal> LlmAgent::propose(const RunState &state) {
  readExchanges(state);
  const TimeLimit limit(steadySeconds() + state.secondsLeft, settings_.cancelled);
  for (const Exchange &exchange : exchanges_)
    if (!isTaken(exchange, state))
      return finished(exchange.call, state, limit); // answered before the process died
  if (std::string reason = reasonToStop(state); !reason.empty()) {
    Proposal proposal;
    proposal.stop = std::move(reason);
    return proposal;
  }
  const std::size_t before = exchanges_.size();
  if (const auto asked = ask(state, limit.flag()); !asked)
    return afterFailure(asked.error(), limit.isUp());
  readExchanges(state);
  if (exchanges_.size() == before)
    return bugError("a call was answered, but its reply is not in the log");
  return finished(exchanges_.back().call, state, limit);
}

} // namespace agentic
