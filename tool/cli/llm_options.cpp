#include "tool/cli/llm_options.h"

#include "tool/base/append.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/build/host.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/cli/option_values.h"
#include "tool/cli/process_secrets.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/llm/chat_model.h"
#include "tool/llm/command_model.h"
#include "tool/llm/prices.h"
#include "tool/llm/redacting_model.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace agentic {
namespace {

constexpr const char *kCacheFolder = "/sys/devices/system/cpu/cpu0/cache";
constexpr std::size_t kMostHint = 32u << 10, kMostPrices = 64u << 10;
const std::vector<std::string> kFeedbackParts = {"remarks", "mca", "counters", "roofline"}; ///< of an InsightRequest

std::string absolute(const std::string &path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

/// What changes the code; neither folders nor outputs.
std::string codeFlags(const std::vector<std::string> &arguments) {
  std::vector<std::string> flags;
  for (const std::string &argument : arguments)
    if (argument.find('/') == std::string::npos && (argument.starts_with("-O") || argument.starts_with("-m") ||
                                                    argument.starts_with("-std") || argument.starts_with("-f")))
      flags.push_back(argument);
  return join(flags, " ");
}

template <class T> void take(const std::optional<T> &given, T &value) {
  if (given)
    value = *given;
}

Result<std::unique_ptr<ChatModel>> modelNamed(const std::string &name, const ModelConfig &config,
                                              const std::string &buildDir) {
  if (const bool isCommand = name.starts_with(kCommandPrefix); isCommand || name.starts_with(kReplayPrefix)) {
    auto made = isCommand ? makeCommandModel({.name = name,
                                              .startDirectory = fs::current_path().string(),
                                              .scratchParent = absolute(buildDir + "/_agentic/work"),
                                              .timeoutSeconds = config.longestCall()})
                          : makeReplayModel(name);
    if (made)
      made = redactingModel(std::move(*made), processSecrets());
    return made;
  }
  // A slow model may take its time, unless that is what its electricity is reckoned with.
  auto made = makeChatModel(name, {.environment = environment,
                                   .redactor = processSecrets(),
                                   .contextTokens = config.contextTokens,
                                   .totalSeconds = config.usdPerKwh > 0 ? config.longestCall() : config.callSeconds});
  if (!made)
    return userError(made.error().message, made.error().next);
  return std::move(*made);
}

/// The user's file, the server's list, the tool's table; a local model is free.
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

/// Their text goes into the run's record, so that the budget means the same when it is resumed.
Result<void> settlePrices(const std::string &file, ModelConfig &config) {
  auto text = TRY(readFile(file));
  if (text.size() > kMostPrices)
    return userError("the prices in " + file + " are larger than 64 KiB", "keep the models that you use");
  TRY(PriceTable::parse(text, file));
  config.prices = std::move(text);
  return {};
}

} // namespace

void LlmOptions::declare(CLI::App &app) {
  const std::string group = "Agents that ask a language model";
  const auto option = [&](auto *made) { made->group(group); };
  option(app.add_option("--budget-usd", budgetUsd,
                        "stop before the command's calls could cost more than this together; of compare: each "
                        "agent's (default: the project's AGENTIC_KERNEL_BUDGET_USD)")
             ->check(number(0, kMostBudgetUsd)));
  option(app.add_option("--max-failures", maxFailures, "stop after this many failed tries in a row; 0 = never")
             ->check(wholeNumber(0)));
  option(app.add_option("--history", history, "what is said again with each call (default: compact)")
             ->check(oneOf(historyNames())));
  option(app.add_option("--protocol", protocol, "fenced files, or calls of a tool (default: text)")
             ->check(oneOf({"text", "tools"})));
  option(app.add_option("--prompt-dir", promptDir, "folder with prompts that replace the tool's own, by name"));
  option(app.add_option("--hint", hintFile, "file with advice for the model")->check(CLI::ExistingFile));
  option(app.add_flag("--blind", blind, "tell the model nothing of machine, compiler and the benchmark's sizes"));
  option(app.add_option("--record", recordFile, "append what is said to this file, for --agent replay:FILE"));
  option(app.add_option("--prices", pricesFile, "file of prices over the tool's own, in its format")
             ->check(CLI::ExistingFile));
  option(app.add_option("--stop-file", stopFile, "stop as soon as this file exists"));
  option(app.add_flag("--yes", yes, "agree to pay for calls without being asked"));
  option(app.add_option("--context-tokens", contextTokens, "what model and server can hold (default: they are asked)")
             ->check(wholeNumber(1, std::int64_t{1} << 40)));
  option(app.add_flag("--allow-unknown-price", allowUnknownPrice, "call a model whose price is not known"));
  option(app.add_option("--watts", watts, "what the machine of a local model draws")->check(numberFromZero()));
  option(app.add_option("--price-per-kwh", usdPerKwh, "of electricity, in dollars")->check(numberFromZero()));
  option(app.add_option("--temperature", temperature, "sent only if it is given")->check(number(0, 2)));
  option(app.add_option("--feedback", feedback,
                        "what the model also hears of a measured file, separated by commas: " +
                            join(kFeedbackParts, ", ") + "; costs seconds a try (default: none)")
             ->check(listOf(kFeedbackParts)));
  option(app.add_option("--effort", effort, "of reasoning, as the provider names it; sent only if it is given"));
  option(app.add_option("--max-output-tokens", maxOutputTokens, "of one reply, reasoning included (default: 16384)")
             ->check(wholeNumber(256, 1 << 20)));
  option(app.add_option("--call-seconds", callSeconds,
                        "longest time of one call (default: 1800 of a program, of a server none)")
             ->check(numberAboveZero()));
}

std::vector<std::string> LlmOptions::given() const {
  const std::pair<const char *, bool> all[] = {{"--budget-usd", budgetUsd.has_value()},
                                               {"--max-failures", maxFailures.has_value()},
                                               {"--history", history.has_value()},
                                               {"--protocol", protocol.has_value()},
                                               {"--prompt-dir", promptDir.has_value()},
                                               {"--hint", hintFile.has_value()},
                                               {"--blind", blind},
                                               {"--record", !recordFile.empty()},
                                               {"--prices", !pricesFile.empty()},
                                               {"--stop-file", stopFile.has_value()},
                                               {"--context-tokens", contextTokens.has_value()},
                                               {"--allow-unknown-price", allowUnknownPrice},
                                               {"--watts", watts.has_value()},
                                               {"--price-per-kwh", usdPerKwh.has_value()},
                                               {"--temperature", temperature.has_value()},
                                               {"--feedback", feedback.has_value()},
                                               {"--effort", effort.has_value()},
                                               {"--max-output-tokens", maxOutputTokens.has_value()},
                                               {"--call-seconds", callSeconds.has_value()}};
  std::vector<std::string> names;
  for (const auto &[name, isGiven] : all)
    if (isGiven)
      names.emplace_back(name);
  return names;
}

void warnOfUnused(Console &console, const std::vector<std::string> &agents, const LlmOptions &options) {
  const std::vector<std::string> given = options.given();
  if (!given.empty() && std::ranges::none_of(agents, asksModel))
    console.warn(join(given, ", ") + ": for agents that ask a model; " + join(agents, ", ") + " asks none");
}

Result<void> LlmOptions::settle(ModelConfig &config) const {
  take(budgetUsd, config.budgetUsd);
  take(watts, config.watts);
  take(usdPerKwh, config.usdPerKwh);
  take(callSeconds, config.callSeconds);
  take(maxFailures, config.maxFailures);
  take(feedback, config.feedback);
  take(maxOutputTokens, config.maxOutputTokens);
  take(contextTokens, config.contextTokens);
  take(history, config.history);
  take(protocol, config.protocol);
  if (temperature)
    config.temperature = temperature;
  if (effort)
    config.effort = effort;
  if (promptDir)
    config.promptDir = absolute(*promptDir);
  if (stopFile)
    config.stopFile = absolute(*stopFile);
  config.blind = config.blind || blind;
  config.allowUnknownPrice = config.allowUnknownPrice || allowUnknownPrice;
  if (hintFile) {
    auto hint = TRY(readFile(*hintFile));
    if (hint.size() > kMostHint)
      return userError("the advice in " + *hintFile + " is larger than 32 KiB",
                       "shorten it: it is sent with each call");
    config.hint = std::string(trim(hint));
  }
  return pricesFile.empty() ? Result<void>() : settlePrices(pricesFile, config);
}

Result<ReadyModel> openModel(const std::string &name, const LlmOptions &options, const ModelConfig &config,
                             const std::string &buildDir) {
  TRY(Prompts::load(config.promptDir));
  ReadyModel ready{.label = agentLabel(name)};
  ready.model = TRY(modelNamed(name, config, buildDir));
  if (!options.recordFile.empty()) {
    std::error_code ignored;
    if (name.starts_with(kReplayPrefix) &&
        fs::equivalent(name.substr(kReplayPrefix.size()), options.recordFile, ignored))
      return userError("--record " + options.recordFile + " is the recording that is replayed",
                       "name another file, or leave --record out");
    auto recorder = TRY(Recorder::open(absolute(options.recordFile), nameForRecords(name), withoutSecrets));
    ready.recorder = std::make_shared<Recorder>(std::move(recorder));
  }
  auto facts = ready.model->discover(&interrupted());
  if (!facts)
    return facts.error().kind == ChatErrorKind::Cancelled ? Result<ReadyModel>(interruptedError())
                                                          : userError(facts.error().message, facts.error().next);
  ready.facts = std::move(*facts);
  ready.prices = TRY(pricesFor(name, ready.facts, config));
  ready.isPaid = !ready.facts.isLocal;
  return ready;
}

Result<void> consentToPay(Console &console, const std::vector<const ReadyModel *> &models, const LlmOptions &options,
                          const ModelConfig &config, const Manifest &manifest) {
  const std::string file = userCacheFile("paid-projects.txt", manifest.buildDir);
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
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
    return userError(what + "; nobody can be asked whether that is all right", "agree with --yes");
  console.ask(what + ". Go on? [y/N] (asked once in a project and for each host)");
  std::string answer;
  std::getline(std::cin, answer);
  if (answer != "y" && answer != "Y" && answer != "yes")
    return userError("not agreed to: nothing was sent", "answer y, agree with --yes, or use --agent builtin");
  TRY(createDirectories(fs::path(file).parent_path()));
  return appendSynced(file, lines);
}

MachineFacts machineFacts(const Evaluator &evaluator) {
  MachineFacts facts;
  facts.cpu = cpuName();
  for (const MemoryLevel &level : cacheLevels(kCacheFolder))
    facts.caches.emplace_back(level.name, level.bytes);
  facts.compiler = std::string(familyName(evaluator.compiler().family)) + " " + evaluator.compiler().version;
  facts.flags = codeFlags(evaluator.compileFlags());
  return facts;
}

AgentSettings agentSettings(const std::string &name, ReadyModel model, const RunConfig &config,
                            const Evaluator &evaluator) {
  AgentSettings settings{.name = name};
  settings.llm.label = model.label;
  settings.llm.config = config.model;
  settings.llm.contextTokens = model.facts.contextTokens;
  if (model.facts.maxOutputTokens > 0)
    settings.llm.config.maxOutputTokens =
        static_cast<int>(std::min<std::int64_t>(settings.llm.config.maxOutputTokens, model.facts.maxOutputTokens));
  settings.llm.machine = machineFacts(evaluator);
  settings.llm.prices = std::move(model.prices);
  settings.llm.isLocal = model.facts.isLocal;
  settings.llm.redact = withoutSecrets;
  settings.model = std::move(model.model);
  return settings;
}

} // namespace agentic
