#include "tool/run/lone_researcher.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/model/role.h"
#include "tool/run/run_settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {

Result<void> LoneResearcher::open(const std::string &agent, const LlmOptions &options, const Manifest &manifest,
                                  const std::string &folder) {
  config_ = TRY(settleRun({.agent = agent, .llm = options}, manifest, nullptr));
  if (!config_.agents.empty())
    return userError("--agent " + agent + " are several, and a researcher is one", "name one of them");
  config_.model.roles = {{std::string(roleName(Role::Researcher)), ""}};
  TRY(agents_.open(messages_, surroundings_, config_, options, manifest));
  if (!agents_.asksModels())
    return userError("--agent " + agent + " asks no model, and a researcher is one",
                     "name one, as in --agent openai:MODEL; without --agent, research asks nobody");
  folder_ = folder;
  return takeFolder();
}

/// A copy of what was written is beside the records of a finished attempt; the records of another one are used.
Result<void> LoneResearcher::takeFolder() {
  TRY(createDirectories(folder_));
  lock_ = TRY(LockFile::tryAcquire(folder_ + "/lock"));
  if (!lock_)
    return userError("another process is asking for " + file(), "wait for it");
  const auto before = readFile(written()), present = readFile(file());
  if (present && present.value() != before.value_or(""))
    return userError(file() + " was edited, and is not written over",
                     "give it to 'optimize --hypotheses', or move it away");
  const auto calls = CallLog::read(records());
  const bool goesOn = !before && calls && std::ranges::all_of(*calls, [&](const CallRecord &call) {
    return call.agent == agentLabel(config_.agent);
  });
  std::error_code error;
  if (!goesOn)
    fs::remove_all(records(), error);
  if (error)
    return userError("cannot remove " + records() + ": " + error.message(), "remove it yourself");
  return createDirectories(records());
}

Result<std::vector<Hypothesis>> LoneResearcher::ask(Evaluator &evaluator, Insight insight) {
  std::string said; // last: why it was not asked, if that is so
  const auto note = [&](const std::string &what) { messages_.note("  " + (said = what)); };
  auto hypotheses = TRY(agents_.research(config_, evaluator, surroundings_,
                                         {.runDirectory = records(),
                                          .cancelled = surroundings_.cancelled,
                                          .progress = [this](const std::string &what) { messages_.progress(what); },
                                          .note = note,
                                          .warn = [this](const std::string &what) { messages_.warn(what); },
                                          .stopped = {}},
                                         std::move(insight)));
  messages_.endProgress();
  if (hypotheses.empty())
    return userError("there is no hypothesis: " + said, "what was said is in " + records() + "/calls");
  const std::string begin = fmt::format(
      "# Hypotheses for `{}`\n\nWords of {}; change, drop and add what you like. `agentic-kernel optimize "
      "--hypotheses` "
      "with this file has models carry them out, the best expected gain first, and the run's report says what came of "
      "each.\n",
      evaluator.spec().kernel, agentLabel(config_.agent));
  const std::string text = surroundings_.redact()(hypothesesMarkdown(begin, hypotheses));
  TRY(writeFileAtomic(file(), text));
  TRY(writeFileAtomic(written(), text));
  return hypotheses;
}

} // namespace agentic
