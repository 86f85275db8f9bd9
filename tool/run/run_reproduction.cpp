#include "tool/run/run_reproduction.h"

#include "tool/agent/role_models.h"
#include "tool/base/text.h"
#include "tool/run/outside_agent.h"
#include "tool/search/budget_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace agentic {
namespace {

/// Returns the user's tree: trees of other families and levels, and compared runs, are below it, too.
std::string buildTreeOf(const std::string &runDirectory) {
  const std::size_t end = runDirectory.find("/_agentic/");
  return end == std::string::npos ? "BUILD_TREE" : runDirectory.substr(0, end);
}

class Words {
public:
  explicit Words(std::string first) : line_(std::move(first)) {}

  void flag(bool isGiven, const char *option) {
    if (isGiven)
      line_ += std::string(" ") + option;
  }
  void add(const char *option, const std::string &value) {
    line_ += std::string(" ") + option + " " + shellQuoted(value);
  }
  /// Adds the option if its value is not the default.
  void text(const char *option, const std::string &value, const std::string &usual = {}) {
    if (value != usual)
      add(option, value);
  }
  template <class T> void number(const char *option, T value, T usual) {
    if (value == usual)
      return;
    if constexpr (std::is_floating_point_v<T>)
      line_ += fmt::format(" {} {:g}", option, value);
    else
      line_ += fmt::format(" {} {}", option, value);
  }
  void file(const char *option, const std::string &text, const std::string &name) {
    if (text.empty())
      return;
    add(option, name);
    comment_ += (comment_.empty() ? "  # " : ", ") + name + ": as the journal's first event has it";
  }
  std::string line() const { return line_ + comment_; }

private:
  std::string line_, comment_;
};

void addModel(Words &words, const ModelConfig &model) {
  const ModelConfig usual;
  words.number("--budget-usd", std::max(0.0, model.budgetUsd - model.spentBeforeUsd), -1.0); // always: it is money
  words.number("--max-failures", model.maxFailures, usual.maxFailures);
  words.text("--strategy", model.strategy, usual.strategy);
  words.add("--memory", model.memory); // always: the project may have another default by then
  words.text("--role", rolesText(model.roles));
  words.number("--parallel", model.parallel, usual.parallel);
  words.text("--history", model.history, usual.history);
  words.text("--protocol", model.protocol, usual.protocol);
  words.text("--prompt-dir", model.promptDir);
  words.file("--hint", model.hint, "hint.txt");
  words.file("--hypotheses", model.hypotheses, "hypotheses.md");
  words.flag(model.blind, "--blind");
  words.number("--context-tokens", model.contextTokens, usual.contextTokens);
  words.flag(model.allowUnknownPrice, "--allow-unknown-price");
  words.file("--prices", model.prices, "prices.json");
  words.number("--watts", model.watts, usual.watts);
  words.number("--price-per-kwh", model.usdPerKwh, usual.usdPerKwh);
  words.number("--max-output-tokens", model.maxOutputTokens, usual.maxOutputTokens);
  words.number("--call-seconds", model.callSeconds, usual.callSeconds);
  if (model.temperature)
    words.number("--temperature", *model.temperature, -1.0);
  words.text("--role-temperature", roleNumbersText(model.roleTemperatures));
  words.text("--menu-dropout", roleNumbersText(model.menuDropouts));
  if (model.effort)
    words.add("--effort", *model.effort);
  words.text("--feedback", model.feedback);
}

/// The proposals were those of a client: what can be given again is the server.
std::string serverCommand(const ReproducedRun &run, const RunConfig &config) {
  const RunConfig usual;
  Words words("agentic-kernel mcp");
  words.add("--build-dir", buildTreeOf(run.directory));
  words.add("--kernel", run.kernel);
  words.add("--level", run.level);
  words.add("--max-iterations", std::to_string(config.maxIterations));
  words.add("--max-seconds", fmt::format("{:g}", config.maxSeconds));
  words.number("--max-total-seconds", limitsOf(config).totalSeconds, usualTotal(config.maxSeconds));
  words.number("--threshold", config.threshold * 100, usual.threshold * 100);
  words.flag(!config.shorten, "--no-shorten");
  words.flag(!config.write, "--no-write");
  words.flag(config.allowUnoptimized, "--allow-unoptimized");
  return words.line();
}

} // namespace

std::string reproductionCommand(const ReproducedRun &run, const RunConfig &config) {
  if (run.agents == std::vector<std::string>{kOutsideAgent})
    return serverCommand(run, config);
  const RunConfig usual;
  Words words("agentic-kernel optimize");
  words.add("--build-dir", buildTreeOf(run.directory));
  words.add("--kernel", run.kernel);
  words.add("--level", run.level);
  words.add("--family", run.family);
  words.add("--agent", join(run.agents, ","));
  words.text("--agent-choice", config.agentChoice, usual.agentChoice);
  words.text("--seed-with", config.seedWith);
  words.text("--optimization", config.optimization);
  words.add("--max-iterations", std::to_string(config.maxIterations));
  words.add("--max-seconds", fmt::format("{:g}", config.maxSeconds));
  words.number("--max-total-seconds", limitsOf(config).totalSeconds, usualTotal(config.maxSeconds));
  words.add("--seed", std::to_string(config.seed));
  words.number("--threshold", config.threshold * 100, usual.threshold * 100);
  words.text("--seed-from", config.startFrom.empty() ? "" : run.directory + "/candidates/" + config.startFrom + ".cpp");
  words.flag(config.cold, "--cold");
  words.flag(!config.shorten, "--no-shorten");
  words.flag(!config.write, "--no-write");
  words.text("--farm", config.farm);
  words.flag(config.runsOnHosts, "--run-on-hosts");
  words.text("--patch", config.patchFile);
  words.flag(config.allowUnoptimized, "--allow-unoptimized");
  if (std::ranges::any_of(run.agents, [](const std::string &agent) { return agent != "builtin"; }))
    addModel(words, config.model);
  return words.line();
}

} // namespace agentic
