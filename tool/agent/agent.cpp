#include "tool/agent/agent.h"

#include "tool/agent/builtin_agent.h"
#include "tool/base/text.h"

#include <vector>

namespace agentic {

bool asksModel(const std::string &name) {
  return name.find(':') != std::string::npos;
}

Result<std::unique_ptr<Agent>> makeAgent(AgentSettings settings) {
  if (settings.name == kBuiltinAgent)
    return std::make_unique<BuiltinAgent>();
  if (settings.model) {
    auto agent = LlmAgent::create(std::move(settings.model), std::move(settings.llm));
    if (!agent)
      return std::unexpected(agent.error());
    return std::move(*agent);
  }
  const std::vector<std::string> names = {std::string(kBuiltinAgent)};
  const std::string meant = didYouMean(settings.name, names);
  return userError(
      "there is no agent '" + settings.name + "'" + (meant.empty() ? "" : "; did you mean '" + meant + "'?"),
      "use builtin, command:<program>, replay:<file> or <provider>:<model>; 'agentic-kernel agents' lists them");
}

} // namespace agentic
