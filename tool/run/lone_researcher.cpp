#include "tool/run/lone_researcher.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/model/role.h"
#include "tool/run/run_settings.h"

namespace agentic {

Result<void> LoneResearcher::open(const std::string &agent, const LlmOptions &options, const Manifest &manifest) {
  config_ = TRY(settleRun({.agent = agent, .llm = options}, manifest, nullptr));
  if (!config_.agents.empty() || !asksModel(config_.agent))
    return userError("--agent " + agent + " is not one model, and a researcher is",
                     "name one, as in --agent openai:MODEL; without --agent, research asks nobody");
  config_.model.roles = {{std::string(roleName(Role::Researcher)), ""}};
  return agents_.open(messages_, surroundings_, config_, options, manifest);
}

Result<std::vector<Hypothesis>> LoneResearcher::ask(Evaluator &evaluator, const std::string &folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  TRY(createDirectories(folder));
  auto hypotheses = TRY(agents_.research(config_, evaluator, surroundings_,
                                         {.runDirectory = folder,
                                          .cancelled = surroundings_.cancelled,
                                          .progress = [this](const std::string &what) { messages_.progress(what); },
                                          .note = [this](const std::string &what) { messages_.note("  " + what); },
                                          .warn = [this](const std::string &what) { messages_.warn(what); },
                                          .stopped = {}}));
  messages_.endProgress();
  if (hypotheses.empty())
    return userError("the researcher has no hypothesis",
                     "read its answers in " + folder + "/calls, or raise --budget-usd if it was not asked");
  return hypotheses;
}

} // namespace agentic
