#include "tool/run/run_agents.h"

#include "tool/agent/builtin_agent.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/model/figures.h"
#include "tool/run/run_research.h"
#include "tool/search/agent_set.h"
#include "tool/search/journal_fold.h"
#include "tool/search/start_state.h"
#include "tool/search/strategy_agent.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace agentic {

std::vector<std::string> namesOf(const RunConfig &config) {
  return config.agents.empty() ? std::vector{config.agent} : config.agents;
}

bool isOfSeveral(const RunConfig &config) {
  return !config.agents.empty() || !config.seedWith.empty();
}

RunConfig journaled(RunConfig config) {
  std::vector<std::string> names = namesOf(config);
  std::string together;
  for (std::string &name : names) {
    std::string kept = nameForRecords(name);
    config.agentIsCut = config.agentIsCut || kept != name;
    name = std::move(kept);
    together += (together.empty() ? "" : ",") + name;
  }
  config.agent = together;
  if (!config.agents.empty())
    config.agents = std::move(names);
  for (auto &[role, name] : config.model.roles) {
    std::string kept = nameForRecords(name);
    config.model.rolesAreCut = config.model.rolesAreCut || kept != name;
    name = std::move(kept);
  }
  return config;
}

Result<void> RunAgents::openRoles(One &one, const RunConfig &config, const LlmOptions &options,
                                  const Manifest &manifest, const Surroundings &surroundings) const {
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) {
    const auto named = config.model.roles.find(std::string(kRoleNames[i]));
    if (named == config.model.roles.end() || named->second.empty())
      continue;
    auto model = TRY(openModel(named->second, options, config.model, manifest.buildDir, surroundings));
    one.isBilled = one.isBilled || model.isPaid;
    one.roles.emplace(static_cast<Role>(i), std::move(model));
  }
  return {};
}

Result<void> RunAgents::open(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                             const LlmOptions &options, const Manifest &manifest) {
  const std::vector<std::string> names = namesOf(config), labels = agentLabels(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    One one{.name = names[i], .label = labels[i]};
    if (asksModel(one.name)) {
      auto model = TRY(openModel(one.name, options, config.model, manifest.buildDir, surroundings));
      model.label = one.label;
      one.isBilled = model.isPaid;
      one.model.emplace(std::move(model));
      TRY(openRoles(one, config, options, manifest, surroundings));
    } else if (const auto agent = makeAgent({.name = one.name}); !agent) {
      return std::unexpected(agent.error());
    }
    agents_.push_back(std::move(one));
  }
  isSeeded_ = !config.seedWith.empty();
  std::vector<const ReadyModel *> models;
  for (const One &one : agents_) {
    if (one.model)
      models.push_back(&*one.model);
    for (const auto &[role, model] : one.roles)
      models.push_back(&model);
  }
  return consentToPay(messages, models, options, config.model, manifest, surroundings);
}

double RunAgents::spentBesides(std::size_t n) const {
  double usd = 0;
  for (std::size_t i = 0; i < agents_.size(); ++i)
    if (i != n && agents_[i].asking)
      usd = sumUsd(usd, agents_[i].asking->totals().usd);
  return usd;
}

static RecordAnswer recordTo(std::shared_ptr<Recorder> recorder, const RunAgents::Hooks &hooks) {
  if (!recorder)
    return {};
  return [recorder = std::move(recorder), warn = hooks.warn](const ChatRequest &request,
                                                             const ChatResult<ChatReply> &answer) {
    if (const auto added = recorder->add(request, answer); !added)
      warn("the recording ends here, and the run goes on: " + added.error().message);
  };
}

/// Seats the roles. A coder's own model takes the place of the agent's, which the other roles then share.
AgentSettings RunAgents::modelSettings(One &one, const RunConfig &config, Evaluator &evaluator,
                                       const Surroundings &surroundings, const Hooks &hooks) const {
  std::optional<RoleSeat> shared; // the agent's own model, where the coder has another
  const auto seatOf = [&](Role role, ReadyModel model) {
    RecordAnswer record = recordTo(model.recorder, hooks);
    RoleSeat seat = roleSeat(role, std::move(model), config);
    seat.record = std::move(record);
    return seat;
  };
  if (auto coder = one.roles.extract(Role::Coder)) {
    shared = seatOf(Role::Coder, std::move(*one.model));
    one.model.emplace(std::move(coder.mapped()));
  }
  if (one.model->recorder && !config.recalled.empty())
    one.model->recorder->from({{"memory", config.recalled}});
  RecordAnswer record = recordTo(one.model->recorder, hooks);
  AgentSettings settings = agentSettings(one.name, std::move(*one.model), config, evaluator, surroundings);
  one.model.reset();
  settings.llm.record = std::move(record);
  if (const auto researcher = config.model.roles.find(std::string(roleName(Role::Researcher)));
      researcher != config.model.roles.end())
    settings.llm.research = researchSources({.model = researcher->second.empty() ? one.name : researcher->second,
                                             .isBlind = config.model.blind,
                                             .insight = insight_,
                                             .warn = hooks.warn},
                                            evaluator, surroundings);
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) {
    const auto role = static_cast<Role>(i);
    if (role == Role::Coder || !config.model.roles.contains(std::string(roleName(role))))
      continue;
    auto own = one.roles.extract(role);
    RoleSeat seat = own ? seatOf(role, std::move(own.mapped())) : shared.value_or(RoleSeat());
    seat.role = role;
    settings.llm.roles.push_back(std::move(seat));
  }
  return settings;
}

Result<std::unique_ptr<Agent>> RunAgents::startOne(std::size_t n, const RunConfig &config, Evaluator &evaluator,
                                                   const Surroundings &surroundings, const Hooks &hooks) {
  One &one = agents_[n];
  AgentSettings settings{.name = one.name};
  if (one.model) {
    settings = modelSettings(one, config, evaluator, surroundings, hooks);
    settings.llm.inFlight = inFlight_;
    settings.llm.researchShare = researchShare_;
    settings.llm.runDirectory = hooks.runDirectory;
    if (agents_.size() > 1) {
      settings.llm.runDirectory = agentDirectory(hooks.runDirectory, n);
      TRY(createDirectories(settings.llm.runDirectory));
    }
    settings.llm.spentElsewhere = [this, n, before = config.model.spentBeforeUsd] {
      return sumUsd(before, spentBesides(n));
    };
    settings.llm.cancelled = hooks.cancelled;
    settings.llm.progress = hooks.progress;
    settings.llm.note = hooks.note;
    settings.llm.warn = hooks.warn;
  }
  auto agent = TRY(makeAgent(std::move(settings)));
  one.asking = dynamic_cast<LlmAgent *>(agent.get());
  return one.asking ? withStrategy(n, std::move(agent), TRY(parseAskStrategy(config.model.strategy)))
                    : std::move(agent);
}

std::unique_ptr<Agent> RunAgents::withStrategy(std::size_t n, std::unique_ptr<Agent> agent,
                                               const AskStrategy &strategy) const {
  const auto asks = [](const One &one) { return asksModel(one.name); };
  const auto end = agents_.begin() + static_cast<std::ptrdiff_t>(n);
  return std::make_unique<StrategyAgent>(std::move(agent), strategy,
                                         static_cast<std::size_t>(std::count_if(agents_.begin(), end, asks)),
                                         static_cast<std::size_t>(std::ranges::count_if(agents_, asks)));
}

static AgentMember builtinMember(AgentPart part) {
  const auto from = part == AgentPart::Polish ? BuiltinAgent::From::Best : BuiltinAgent::From::Start;
  return {.label = std::string(kBuiltinAgent), .agent = std::make_unique<BuiltinAgent>(from), .usd = {}, .part = part};
}

Result<std::unique_ptr<Agent>> RunAgents::start(const RunConfig &config, Evaluator &evaluator,
                                                const Surroundings &surroundings, Hooks hooks) {
  inFlight_ = std::make_shared<CallsInFlight>(config.model.parallel);
  if (!isOfSeveral(config))
    return startOne(0, config, evaluator, surroundings, hooks);
  std::vector<AgentMember> members;
  if (!config.seedWith.empty())
    for (AgentPart part : {AgentPart::Seed, AgentPart::Polish})
      members.push_back(builtinMember(part));
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    auto agent = TRY(startOne(i, config, evaluator, surroundings, hooks));
    AgentMember member{.label = agents_[i].label, .agent = std::move(agent), .usd = {}};
    if (const LlmAgent *asking = agents_[i].asking)
      member.usd = [asking] { return asking->endedUsd(); };
    members.push_back(std::move(member));
  }
  const AgentChoice choice = config.agentChoice == "gain" ? AgentChoice::Gain : AgentChoice::Turn;
  return std::make_unique<AgentSet>(std::move(members), choice, hooks.stopped);
}

Result<std::vector<Hypothesis>> RunAgents::research(const RunConfig &config, Evaluator &evaluator,
                                                    const Surroundings &surroundings, const Hooks &hooks,
                                                    Insight insight) {
  inFlight_ = std::make_shared<CallsInFlight>(1);
  researchShare_ = 1;
  insight_ = std::move(insight);
  researcher_ = TRY(startOne(0, config, evaluator, surroundings, hooks));
  if (!agents_.front().asking)
    return bugError("an agent that asks no model was to research");
  RunState state = stateAtTheStart(evaluator);
  state.seed = config.seed;
  return agents_.front().asking->research(state);
}

std::optional<CallTotals> RunAgents::totals() const {
  std::optional<CallTotals> all;
  for (const One &one : agents_)
    if (one.asking)
      all = sum(all.value_or(CallTotals()), one.asking->totals());
  return all;
}

bool RunAgents::isBilled() const {
  return std::ranges::any_of(agents_, &One::isBilled);
}

bool RunAgents::asksModels() const {
  return std::ranges::any_of(agents_, [](const One &one) { return asksModel(one.name); });
}

std::vector<AgentTotals> RunAgents::each() const {
  std::vector<AgentTotals> totals;
  for (const One &one : agents_)
    totals.push_back({one.label, one.asking ? std::optional(one.asking->totals()) : std::nullopt});
  if (!totals.empty() && isSeeded_)
    totals.push_back({std::string(kBuiltinAgent), std::nullopt});
  return totals;
}

std::vector<AgentResult> resultsOf(const RunAgents &agents, const RunConfig &config, const RunRecord &record) {
  std::vector<AgentTotals> everyone = agents.each();
  std::vector<AgentResult> results;
  const bool isOne = !isOfSeveral(config); // then it has its name in the journal
  for (AgentTotals &totals : everyone) {
    AgentResult result{.totals = std::move(totals)};
    const auto standing = record.standings.find(isOne ? record.config.agent : result.totals.label);
    result.turns = standing == record.standings.end() ? 0 : standing->second.turns;
    for (const Attempt &attempt : record.attempts)
      result.attempts += (isOne ? !attempt.agent.empty() : attempt.agent == result.totals.label) ? 1 : 0;
    results.push_back(std::move(result));
  }
  return results;
}

std::optional<Peak> peakOf(const RunRecord &record, const std::string &candidate) {
  const std::string original = originalOf(record, candidate);
  for (std::size_t i = 0; i < record.iterations.size(); ++i) {
    const Iteration &iteration = record.iterations[i];
    if (iteration.attempt && record.attempts[*iteration.attempt].candidate.id == original)
      return Peak{static_cast<int>(i) + 1, iteration.seconds};
  }
  return std::nullopt;
}

std::string nearestTo(const RunRecord &record) {
  const Attempt *nearest = nullptr;
  const auto ratioOf = [](const Attempt &attempt) { return attempt.evaluation.measurement->speedup.ratio; };
  for (const Attempt &attempt : record.attempts)
    if (attempt.evaluation.measurement && (!nearest || ratioOf(attempt) > ratioOf(*nearest)))
      nearest = &attempt;
  if (!nearest)
    return {};
  const Evaluation &evaluation = nearest->evaluation;
  return ratioText(evaluation.measurement->speedup) + "  " + nearest->candidate.id + " (" + nearest->candidate.origin +
         "): " + (evaluation.verdict == Verdict::Accepted ? "not confirmed" : verdictName(evaluation.verdict));
}

std::string agentOf(const RunConfig &config, const RunRecord &record, const std::string &candidate) {
  const std::string original = originalOf(record, candidate);
  if (isOfSeveral(config))
    for (const Attempt &attempt : record.attempts)
      if (attempt.candidate.id == original && !attempt.agent.empty())
        return attempt.agent;
  return agentLabel(config.agent);
}

} // namespace agentic
