// agentic-kernel research: what is known about a kernel before the first candidate, as a file to read and to edit.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/run_options.h"
#include "tool/run/kernel_knowledge.h"
#include "tool/run/lone_researcher.h"
#include "tool/run/run_research.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class ResearchCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    declareKnowledgeCommand(app, knowledgeCommand_);
    app.add_option(
        "--agent", agent_,
        "a model reads patterns and indexed sources, too, and writes hypotheses for 'optimize --hypotheses'");
    declareModelOptions(app, llm_);
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    nlohmann::json result = {{"kernel", common_.kernel}};
    const Result<void> done = research(console, result);
    if (!done)
      return console.fail(done.error(), common_.json, result);
    if (common_.json)
      console.json(result);
    return 0;
  }

private:
  Result<void> research(Console &console, nlohmann::json &result) {
    const Manifest manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    const std::string folder = manifest.buildDir + "/_agentic/research/" + manifest.kernel;
    LoneResearcher researcher(console, surroundings());
    if (!agent_.empty())
      TRY(researcher.open(agent_, llm_, manifest, folder));
    else if (const std::vector<std::string> given = llm_.given(); !given.empty())
      return userError(given.front() + " is for a model, and none is asked", "name one with --agent");
    auto evaluator = TRY(Evaluator::open(common_.evaluatorOptions(console)));
    Insight insight = TRY(researchInsight(*evaluator, userCacheFile("roofline.json", common_.buildDir)));
    Research found =
        TRY(kernelResearch(manifest, evaluator->spec(), surroundings(), insight.bounds, knowledgeCommand_));
    found.limits = limitsIn(insight);
    result = researchJson(found);
    TRY(writeFileAtomic(folder + "/research.json",
                        result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
    const std::string text = researchMarkdown(found);
    TRY(writeFileAtomic(folder + "/research.md", text));
    result["file"] = folder + "/research.md";
    if (!common_.json)
      console.out(printable(std::string(trim(text)), true));
    console.note("written to " + folder + "/research.md");
    return agent_.empty() ? Result<void>() : ask(console, researcher, *evaluator, std::move(insight), result);
  }

  /// What was spent is said whatever comes of it.
  Result<void> ask(Console &console, LoneResearcher &researcher, Evaluator &evaluator, Insight insight,
                   nlohmann::json &result) {
    const auto hypotheses = researcher.ask(evaluator, std::move(insight));
    const CallTotals totals = researcher.totals();
    result["cost_usd"] = totals.usd;
    if (totals.calls > 0)
      console.note("calls: " + callsText(totals));
    if (!hypotheses)
      return std::unexpected(hypotheses.error());
    for (const Hypothesis &hypothesis : *hypotheses)
      result["hypotheses"].push_back(hypothesisJson(hypothesis));
    result["model"] = agentLabel(researcher.name());
    result["hypotheses_file"] = researcher.file();
    if (!common_.json)
      console.out("\n" + printable(std::string(trim(hypothesesMarkdown("", *hypotheses))), true));
    console.note("written to " + researcher.file());
    return {};
  }

  CommonOptions common_;
  std::string knowledgeCommand_, agent_;
  LlmOptions llm_;
};

} // namespace

extern const CommandRow kResearchCommand = {
    .name = "research",
    .summary = "write down what limits a kernel, which patterns fit, and what others made of its like",
    .example = "-B build -k gemm",
    .make = makeCommand<ResearchCommand>,
};

} // namespace agentic
