// agentic-kernel prompt: prints a run's first request, its receiver and its possible cost. Sends nothing.
#include "tool/agent/system_prompt.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/run_options.h"
#include "tool/llm/chat_json.h"
#include "tool/run/model_setup.h"
#include "tool/run/run_memory.h"
#include "tool/search/ask_strategy.h"
#include "tool/search/start_state.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr double kBytesPerToken = 3.5; ///< roughly, for code: for estimates of the cost, never for reservations

class PromptCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    common_.declareLevel(app);
    app.add_option("--agent", agent_, "what proposes candidates (default: AGENTIC_KERNEL_AGENT of the project)");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
    declareLlmOptions(app, options_);
    declareMemory(app, options_);
  }

  int run(Console &console) override {
    auto result = show(console);
    return result ? 0 : console.fail(result.error(), common_.json, {{"kernel", common_.kernel}});
  }

private:
  Result<void> show(Console &console) {
    auto manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    const std::string name = agent_.empty() ? manifest.agent : agent_;
    if (!asksModel(name))
      return userError("the agent '" + name + "' asks no model", "name one with --agent, such as command:./agent.sh");
    RunConfig config;
    config.model.budgetUsd = manifest.budgetUsd;
    config.agent = name;
    config.model.strategy = manifest.strategy;
    config.model.memory = manifest.memory;
    TRY(options_.settle(config.model));
    options_.recordFile.clear(); // nothing is recorded
    auto model = TRY(openModel(name, options_, config.model, manifest.buildDir, surroundings()));
    auto evaluator = TRY(Evaluator::open(common_.evaluatorOptions(console)));
    config.recalled = recallMemory(console, surroundings(), config, *evaluator);
    const ModelFacts facts = model.facts;
    AgentSettings settings = agentSettings(name, std::move(model), config, *evaluator, surroundings());
    auto conversation = TRY(makeConversation(settings.llm));
    RunState state = stateAtTheStart(*evaluator);
    state.secondsLeft = manifest.maxSeconds > 0 ? manifest.maxSeconds : 1e9;
    if (manifest.maxIterations > 0)
      state.iterationsLeft = manifest.maxIterations;
    state.ask = TRY(parseAskStrategy(config.model.strategy)).next(state);
    ChatRequest request =
        conversation.request(state, {}, facts.isLocal && config.model.usdPerKwh == 0 ? -1 : config.model.budgetUsd,
                             conversation.options().history);
    if (!fitToContext(request, settings.model->requestBody(request).size(), facts.contextTokens))
      return userError(
          fmt::format("the request leaves too little of the context of {} tokens for an answer", facts.contextTokens),
          "use a model with a larger context");
    const std::string body = settings.model->requestBody(request);
    print(console, {{"kernel", common_.kernel},
                    {"agent", settings.llm.label},
                    {"model", facts.model},
                    {"context_tokens", facts.contextTokens},
                    {"request", requestJson(request)},
                    {"body", body},
                    {"left_out", leftOutOfPrompt(evaluator->spec())},
                    {"estimate", estimate(makeSpending(settings.llm), body, request)}});
    return {};
  }

  static nlohmann::json estimate(const Spending &spending, const std::string &body, const ChatRequest &request) {
    nlohmann::json value = {{"input_tokens", static_cast<long>(double(body.size()) / kBytesPerToken)},
                            {"max_output_tokens", request.maxOutputTokens},
                            {"budget_usd", spending.limits().budgetUsd},
                            {"worst_usd", nullptr}};
    if (const auto worst = spending.worstUsd(body.size(), request.maxOutputTokens))
      value["worst_usd"] = *worst;
    return value;
  }

  void print(Console &console, const nlohmann::json &result) const {
    if (common_.json)
      return console.json(result);
    for (const nlohmann::json &message : result["request"]["messages"]) {
      console.out(console.bold("--- " + message["role"].get<std::string>()));
      console.out(message["content"].get<std::string>());
    }
    const nlohmann::json &cost = result["estimate"];
    const std::string model = result["model"].get<std::string>();
    console.note(fmt::format("to {}{}", result["agent"].get<std::string>(), model.empty() ? "" : " (" + model + ")"));
    console.note(fmt::format(
        "about {} tokens, at most {} back; {}", cost["input_tokens"].get<long>(), cost["max_output_tokens"].get<int>(),
        cost["worst_usd"].is_null() ? "no price is known"
                                    : "at most " + usdText(cost["worst_usd"].get<double>()) + " for this call, " +
                                          usdText(cost["budget_usd"].get<double>()) + " for the run"));
    if (const auto leftOut = result["left_out"].get<std::vector<std::string>>(); !leftOut.empty())
      console.warn("too long for the prompt, which only names them: " + join(leftOut, ", "));
    console.note("nothing was sent; checked-in variants are measured first in a run, and what they reach is told, too");
  }

  CommonOptions common_;
  LlmOptions options_;
  std::string agent_;
};

} // namespace

extern const CommandRow kPromptCommand = {
    .name = "prompt",
    .summary = "show what a model would be sent, to whom, and what it may cost",
    .example = "-B build -k gemm --agent openai:gpt-5",
    .make = makeCommand<PromptCommand>,
};

} // namespace agentic
