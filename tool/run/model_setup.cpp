#include "tool/run/model_setup.h"

#include "tool/base/append.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"
#include "tool/build/host.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/llm/chat_model.h"
#include "tool/llm/command_model.h"
#include "tool/llm/prices.h"
#include "tool/llm/redacting_model.h"
#include "tool/memory/recall.h"
#include "tool/run/kernel_knowledge.h"
#include "tool/run/project_conventions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

constexpr const char *kCacheFolder = "/sys/devices/system/cpu/cpu0/cache";

Result<std::unique_ptr<ChatModel>> modelNamed(const std::string &name, const ModelConfig &config,
                                              const std::string &buildDir, const Surroundings &surroundings) {
  if (const bool isCommand = name.starts_with(kCommandPrefix); isCommand || name.starts_with(kReplayPrefix)) {
    auto made = isCommand ? makeCommandModel({.name = name,
                                              .startDirectory = fs::current_path().string(),
                                              .scratchParent = absolutePath(buildDir + "/_agentic/work"),
                                              .timeoutSeconds = config.longestCall()})
                          : makeReplayModel(name);
    if (made)
      made = redactingModel(std::move(*made), surroundings.secrets);
    return made;
  }
  // A slow model may take its time, unless its electricity is calculated from that.
  auto made = makeChatModel(name, {.environment = surroundings.environment,
                                   .redactor = surroundings.secrets,
                                   .contextTokens = config.contextTokens,
                                   .totalSeconds = config.usdPerKwh > 0 ? config.longestCall() : config.callSeconds});
  if (!made)
    return userError(made.error().message, made.error().next);
  return std::move(*made);
}

/// Sources: the user's file, the server's list, the tool's table; a local model is free.
Result<Prices> pricesFor(const std::string &name, const ModelFacts &facts, const ModelConfig &config) {
  if (facts.isLocal) {
    Prices free = pricesOf(facts);
    if (name.starts_with(kReplayPrefix))
      free.source = "replayed";
    return free;
  }
  std::optional<PriceTable> own;
  if (!config.prices.empty()) {
    own = TRY(PriceTable::parse(config.prices, "the run's --prices"));
  }
  const std::optional<Price> price = priceOf(name, facts, own ? &*own : nullptr, PriceTable::builtin());
  if (!price)
    return pricesOf({});
  return Prices{[price](std::int64_t in, std::int64_t out) {
                  return std::optional(worstCost(*price, static_cast<std::size_t>(in), out));
                },
                [price](const ChatUsage &usage) {
                  return usage.isReported ? std::optional(costOf(*price, usage)) : std::nullopt;
                },
                price->source + (price->date.empty() ? "" : " of " + price->date)};
}

} // namespace

void warnOfUnused(Messages &messages, const std::vector<std::string> &agents, const LlmOptions &options) {
  const std::vector<std::string> given = options.given();
  if (!given.empty() && std::ranges::none_of(agents, asksModel))
    messages.warn(join(given, ", ") + ": for agents that ask a model; " + join(agents, ", ") + " asks none");
}

Result<ReadyModel> openModel(const std::string &name, const LlmOptions &options, const ModelConfig &config,
                             const std::string &buildDir, const Surroundings &surroundings) {
  TRY(Prompts::load(config.promptDir));
  ReadyModel ready{.label = agentLabel(name)};
  ready.model = TRY(modelNamed(name, config, buildDir, surroundings));
  if (!options.recordFile.empty()) {
    std::error_code ignored;
    if (name.starts_with(kReplayPrefix) &&
        fs::equivalent(name.substr(kReplayPrefix.size()), options.recordFile, ignored))
      return userError("--record " + options.recordFile + " is the recording that is replayed",
                       "name another file, or leave --record out");
    auto recorder = TRY(Recorder::open(absolutePath(options.recordFile), nameForRecords(name), surroundings.redact()));
    ready.recorder = std::make_shared<Recorder>(std::move(recorder));
  }
  auto facts = ready.model->discover(surroundings.cancelled);
  if (!facts)
    return facts.error().kind == ChatErrorKind::Cancelled ? Result<ReadyModel>(interruptedError())
                                                          : userError(facts.error().message, facts.error().next);
  ready.facts = std::move(*facts);
  ready.prices = TRY(pricesFor(name, ready.facts, config));
  ready.isPaid = !ready.facts.isLocal;
  return ready;
}

Result<void> consentToPay(Messages &messages, const std::vector<const ReadyModel *> &models, const LlmOptions &options,
                          const ModelConfig &config, const Manifest &manifest, const Surroundings &surroundings) {
  const std::string file = surroundings.cacheFile("paid-projects.txt", manifest.buildDir);
  const std::string agreed = "\n" + readFile(file).value_or("");
  std::string lines;
  std::vector<std::string> receivers;
  for (const ReadyModel *model : models) {
    const std::string line = manifest.sourceDir + "\t" + model->facts.host + "\n";
    if (!model->isPaid || options.yes || agreed.contains("\n" + line))
      continue;
    receivers.push_back(fmt::format("{} ({})", model->label, model->facts.host));
    lines += line;
  }
  if (receivers.empty())
    return {};
  const std::string each =
      options.budgets > 1 ? fmt::format(": {} for each of {} agents", usdText(config.budgetUsd), options.budgets) : "";
  const std::string what = fmt::format("{} sends the kernel's source to {} and may cost up to {}{}", manifest.kernel,
                                       join(receivers, ", "), usdText(config.budgetUsd * options.budgets), each);
  const auto agrees = messages.agrees(what + ". Go on? [y/N] (asked once in a project and for each host)");
  if (!agrees)
    return userError(what + "; nobody can be asked whether that is all right", "agree with --yes");
  if (!*agrees)
    return userError("not agreed to: nothing was sent", "answer y, agree with --yes, or use --agent builtin");
  TRY(createDirectories(fs::path(file).parent_path()));
  return appendSynced(file, lines);
}

MachineFacts machineFacts(const Evaluator &evaluator) {
  MachineFacts facts;
  facts.cpu = evaluator.measuringCpu();
  for (const MemoryLevel &level : cacheLevels(kCacheFolder))
    facts.caches.emplace_back(level.name, level.bytes);
  facts.compiler = std::string(familyName(evaluator.compiler().family)) + " " + evaluator.compiler().version;
  facts.flags = codeFlags(evaluator.compileFlags());
  return facts;
}

static int outputLimit(const ModelFacts &facts, int configured) {
  return facts.maxOutputTokens > 0 ? static_cast<int>(std::min<std::int64_t>(configured, facts.maxOutputTokens))
                                   : configured;
}

RoleSeat roleSeat(Role role, ReadyModel model, const RunConfig &config) {
  return {.role = role,
          .model = std::move(model.model),
          .label = model.label,
          .prices = std::move(model.prices),
          .isLocal = model.facts.isLocal,
          .contextTokens = model.facts.contextTokens,
          .maxOutputTokens = outputLimit(model.facts, config.model.maxOutputTokens),
          .provider = model.facts.host};
}

AgentSettings agentSettings(const std::string &name, ReadyModel model, const RunConfig &config,
                            const Evaluator &evaluator, const Surroundings &surroundings) {
  AgentSettings settings{.name = name};
  settings.llm.label = model.label;
  settings.llm.config = config.model;
  settings.llm.contextTokens = model.facts.contextTokens;
  settings.llm.config.maxOutputTokens = outputLimit(model.facts, config.model.maxOutputTokens);
  settings.llm.machine = machineFacts(evaluator);
  settings.llm.knowledge = kernelAdvice(evaluator.spec(), std::string(evaluator.level().name));
  settings.llm.hypotheses = givenHypotheses(config.model.hypotheses);
  settings.llm.memory = memoryForPrompt(config.recalled, config.model.blind);
  if (config.model.roles.contains(std::string(roleName(Role::Reviewer))))
    settings.llm.conventions = projectConventions(evaluator.manifest().sourceDir, evaluator.manifest().source);
  settings.llm.prices = std::move(model.prices);
  settings.llm.isLocal = model.facts.isLocal;
  settings.llm.redact = surroundings.redact();
  settings.llm.provider = model.facts.host;
  settings.model = std::move(model.model);
  return settings;
}

} // namespace agentic
