#include "tool/agent/agent.h"

#include "tool/agent/builtin_agent.h"
#include "tool/base/text.h"
#include "tool/llm/providers.h"

#include <algorithm>
#include <vector>

namespace agentic {
namespace {

constexpr std::string_view kCommand = "command:", kReplay = "replay:";

/// Returns whether `text` begins with an agent's name, rather than with what follows a comma in a command.
bool beginsAgent(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(','));
  for (std::string_view prefix : {kCommand, kReplay, std::string_view("http://"), std::string_view("https://")})
    if (name.starts_with(prefix))
      return true;
  const std::size_t colon = name.find(':');
  return trim(name) == kBuiltinAgent || (colon != std::string_view::npos && providerNamed(name.substr(0, colon)));
}

} // namespace

std::vector<std::string> agentNames(const std::string &text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    const std::string_view name = std::string_view(text).substr(begin, comma - begin);
    if ((name.starts_with(kCommand) || name.starts_with(kReplay)) &&
        !beginsAgent(std::string_view(text).substr(comma + 1)))
      continue;
    names.emplace_back(trim(name));
    begin = comma + 1;
  }
  names.emplace_back(trim(std::string_view(text).substr(begin)));
  return names;
}

std::vector<std::string> agentLabels(const std::vector<std::string> &names) {
  std::vector<std::string> labels;
  for (const std::string &name : names) {
    const std::string label = agentLabel(name);
    std::string distinct = label;
    for (int n = 2; std::ranges::find(labels, distinct) != labels.end(); ++n)
      distinct = label + " (" + std::to_string(n) + ")";
    labels.push_back(std::move(distinct));
  }
  return labels;
}

std::string nameForRecords(const std::string &name) {
  const bool isPlain = name.starts_with(kReplay) ||
                       (name.starts_with(kCommand) && splitCommandLine(name.substr(kCommand.size())).size() <= 1);
  return isPlain ? name : agentLabel(name);
}

std::string agentDirectory(const std::string &runDirectory, std::size_t n) {
  return runDirectory + "/agents/" + std::to_string(n + 1);
}

bool asksModel(const std::string &name) {
  return name.find(':') != std::string::npos;
}

Result<std::unique_ptr<Agent>> makeAgent(AgentSettings settings) {
  if (settings.name == kBuiltinAgent)
    return std::make_unique<BuiltinAgent>();
  if (settings.model) {
    auto agent = TRY(LlmAgent::create(std::move(settings.model), std::move(settings.llm)));
    return agent;
  }
  if (providerNamed(settings.name))
    return userError("'" + settings.name + "' names no model", howToNameModel(settings.name));
  const std::vector<std::string> names = {std::string(kBuiltinAgent)};
  return userError(
      "there is no agent '" + settings.name + "'" + orMeant(settings.name, names),
      "use builtin, command:<program>, replay:<file> or <provider>:<model>; 'agentic-kernel agents' lists them");
}

} // namespace agentic
