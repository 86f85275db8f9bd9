// The tools, resources and prompts of a workplace, for a connection.
#pragma once

#include "tool/mcp/host.h"
#include "tool/mcp/workplace.h"

namespace agentic::mcp {

class WorkplaceHost : public Host {
public:
  explicit WorkplaceHost(Workplace &workplace);
  const std::vector<ToolInfo> &tools() const override { return tools_; }
  ToolResult call(const std::string &tool, Call &call) override;
  /// The pages of the checks, and a report of the newest run of each kernel.
  std::vector<ResourceInfo> resources() const override;
  std::optional<std::string> read(const std::string &uri) const override;
  const std::vector<PromptInfo> &prompts() const override { return prompts_; }
  std::optional<std::string> prompt(const std::string &name, const Json &arguments) const override;

private:
  Workplace &workplace_;
  std::vector<ToolInfo> tools_;
  std::vector<PromptInfo> prompts_;
};

} // namespace agentic::mcp
