#include "tool/cli/run_options.h"

#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/cli/number_checks.h"
#include "tool/cli/option_values.h"
#include "tool/farm/farm_hosts.h"
#include "tool/run/run_memory.h"
#include "tool/search/ask_strategy.h"

#include <CLI/CLI.hpp>

#include <cstdint>

namespace agentic {
namespace {

constexpr int kMostParallel = 64;
const std::vector<std::string> kFeedbackParts = {"remarks", "mca", "counters", "roofline"}; ///< for InsightRequest

void option(CLI::Option *made) {
  made->group("Agents that ask a language model");
}

} // namespace

void declareTimeLimits(CLI::App &app, TimeOptions &time) {
  app.add_option("--max-seconds", time.searchSeconds,
                 "stop the search after this wall time per kernel; preparing and confirming come on top")
      ->check(numberFromZero());
  app.add_option("--max-total-seconds", time.totalSeconds,
                 "stop everything after this wall time per kernel (default: three times --max-seconds)")
      ->check(numberFromZero());
}

void declareFarm(CLI::App &app, RunConfig &config) {
  CLI::Option *farm = app.add_option(
      "--farm", config.farm, "measure on these hosts, not here: " + farmForms() + "; several with ';' between them");
  app.add_flag("--run-on-hosts", config.runsOnHosts,
               "run tests and all other programs there, too (default: those of levels that this machine lacks)")
      ->needs(farm);
}

void declareShorten(CLI::App &app, bool &shorten) {
  app.add_flag("!--no-shorten", shorten,
               "keep what contributes nothing to the winner (default: the project's AGENTIC_KERNEL_SHORTEN)");
}

void declareMemory(CLI::App &app, LlmOptions &options) {
  app.add_option("--memory", options.memory,
                 "what models are told of earlier runs, and what is kept for later ones: of the project, or also "
                 "what all projects share, in words without source (default: the project's AGENTIC_KERNEL_MEMORY)")
      ->check(oneOf(memoryModes()));
}

void declareOptimization(CLI::App &app, std::string &optimization) {
  app.add_option("--optimization", optimization,
                 "an experiment: baseline and candidates compiled with this in place of the project's -O option, in a "
                 "tree of its own, e.g. O0; nothing is written back")
      ->check(oneOf({"O0", "O1", "O2", "O3", "Os", "Oz", "Og"}));
}

void declareModelOptions(CLI::App &app, LlmOptions &options) {
  option(app.add_option("--budget-usd", options.budgetUsd,
                        "stop before the command's calls could cost more than this together; of compare: each "
                        "agent's (default: the project's AGENTIC_KERNEL_BUDGET_USD)")
             ->check(number(0, kMostBudgetUsd)));
  option(app.add_option("--prompt-dir", options.promptDir, "folder with prompts that replace the tool's own, by name"));
  option(app.add_option("--hint", options.hintFile, "file with advice for the model")->check(CLI::ExistingFile));
  option(
      app.add_flag("--blind", options.blind, "tell the model nothing of machine, compiler and the benchmark's sizes"));
  option(app.add_option("--record", options.recordFile, "append what is said to this file, for --agent replay:FILE"));
  option(app.add_option("--prices", options.pricesFile, "file of prices over the tool's own, in its format")
             ->check(CLI::ExistingFile));
  option(app.add_flag("--yes", options.yes, "agree to pay for calls without being asked"));
  option(app.add_option("--context-tokens", options.contextTokens,
                        "what model and server can hold (default: they are asked)")
             ->check(wholeNumber(1, std::int64_t{1} << 40)));
  option(app.add_flag("--allow-unknown-price", options.allowUnknownPrice, "call a model whose price is not known"));
  option(app.add_option("--watts", options.watts, "what the machine of a local model draws")->check(numberFromZero()));
  option(app.add_option("--price-per-kwh", options.usdPerKwh, "of electricity, in dollars")->check(numberFromZero()));
  option(app.add_option("--temperature", options.temperature, "sent only if it is given")->check(number(0, 2)));
  option(
      app.add_option("--effort", options.effort, "of reasoning, as the provider names it; sent only if it is given"));
  option(app.add_option("--max-output-tokens", options.maxOutputTokens,
                        "of one reply, reasoning included (default: 16384)")
             ->check(wholeNumber(256, 1 << 20)));
  option(app.add_option("--call-seconds", options.callSeconds,
                        "longest time of one call (default: 1800 of a program, of a server none)")
             ->check(numberAboveZero()));
}

void declareLlmOptions(CLI::App &app, LlmOptions &options) {
  declareModelOptions(app, options);
  option(app.add_option("--max-failures", options.maxFailures, "stop after this many failed tries in a row; 0 = never")
             ->check(wholeNumber(0)));
  option(app.add_option("--strategy", options.strategy,
                        "what is asked next, and from which candidate: " + askStrategyForms() +
                            " (default: the project's AGENTIC_KERNEL_STRATEGY)"));
  option(app.add_option("--role", options.roles,
                        "who else is asked, with a model of its own if it is named: planner=MODEL,coder=MODEL,fixer,"
                        "judge,summarizer,researcher,reviewer (default: none)"));
  option(app.add_option("--parallel", options.parallel,
                        "calls in flight at most, of all agents together; what is answered is evaluated meanwhile "
                        "(default: 1)")
             ->check(wholeNumber(1, kMostParallel)));
  option(app.add_option("--history", options.history, "what is said again with each call (default: compact)")
             ->check(oneOf(historyNames())));
  option(app.add_option("--protocol", options.protocol, "fenced files, or calls of a tool (default: text)")
             ->check(oneOf({"text", "tools"})));
  option(app.add_option("--stop-file", options.stopFile, "stop as soon as this file exists"));
  option(app.add_option("--role-temperature", options.roleTemperatures,
                        "of roles that are to have another one, the coder included: planner=1.0,judge=0"));
  option(app.add_option("--menu-dropout", options.menuDropouts,
                        "share of what is known of such kernels that each question of a strategy leaves out, drawn "
                        "anew: planner=0.7,coder=0.5 (default: none)"));
  option(app.add_option("--feedback", options.feedback,
                        "what the model also hears of a measured file, separated by commas: " +
                            join(kFeedbackParts, ", ") + "; costs seconds a try (default: none)")
             ->check(listOf(kFeedbackParts)));
}

} // namespace agentic
