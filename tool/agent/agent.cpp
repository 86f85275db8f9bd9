#include "tool/agent/agent.h"

#include "tool/agent/builtin_agent.h"
#include "tool/base/text.h"

namespace agentic {

Result<std::unique_ptr<Agent>> makeAgent(const std::string &name, const KernelSpec &) {
  static const std::vector<std::string> kNames = {"builtin"};
  if (name == "builtin")
    return std::make_unique<BuiltinAgent>();
  const std::string meant = didYouMean(name, kNames);
  return userError("there is no agent '" + name + "'" + (meant.empty() ? "" : "; did you mean '" + meant + "'?"),
                   "use one of: " + join(kNames, ", "));
}

} // namespace agentic
