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
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class ResearchCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, true);
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
    LoneResearcher researcher(console, surroundings());
    if (!agent_.empty())
      TRY(researcher.open(agent_, llm_, manifest));
    else if (const std::vector<std::string> given = llm_.given(); !given.empty())
      return userError(given.front() + " is for a model, and none is asked", "name one with --agent");
    auto evaluator = TRY(Evaluator::open(common_.evaluatorOptions(console)));
    const Insight insight = TRY(researchInsight(*evaluator, userCacheFile("roofline.json", common_.buildDir)));
    Research found =
        TRY(kernelResearch(manifest, evaluator->spec(), surroundings(), insight.bounds, knowledgeCommand_));
    found.limits = limitsIn(insight);
    const std::string folder = manifest.buildDir + "/_agentic/research/" + manifest.kernel;
    result = researchJson(found);
    TRY(writeFileAtomic(folder + "/research.json",
                        result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
    const std::string text = researchMarkdown(found);
    TRY(writeFileAtomic(folder + "/research.md", text));
    result["file"] = folder + "/research.md";
    if (!common_.json)
      console.out(printable(std::string(trim(text)), true));
    console.note("written to " + folder + "/research.md");
    return agent_.empty() ? Result<void>() : ask(console, researcher, *evaluator, folder, result);
  }

  /// The file is for people, who may edit it before a search takes it.
  Result<void> ask(Console &console, LoneResearcher &researcher, Evaluator &evaluator, const std::string &folder,
                   nlohmann::json &result) {
    const std::vector<Hypothesis> hypotheses = TRY(researcher.ask(evaluator, folder + "/model"));
    const std::string file = folder + "/hypotheses.md", model = agentLabel(researcher.name());
    const std::string begin = fmt::format(
        "# Hypotheses for `{}`\n\nWords of {}; change, drop and add what you like. `agentic-kernel optimize "
        "--hypotheses` with this file has models carry them out, the best expected gain first, and the run's report "
        "says what came of each.\n",
        common_.kernel, model);
    const std::string text = surroundings().redact()(hypothesesMarkdown(begin, hypotheses));
    TRY(writeFileAtomic(file, text));
    for (const Hypothesis &hypothesis : hypotheses)
      result["hypotheses"].push_back(hypothesisJson(hypothesis));
    result["model"] = model;
    result["hypotheses_file"] = file;
    result["cost_usd"] = researcher.totals().usd;
    if (!common_.json)
      console.out("\n" + printable(std::string(trim(text)), true));
    console.note(fmt::format("written to {}; calls: {}", file, callsText(researcher.totals())));
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
