#include "tool/mcp/workplace_host.h"

#include "tool/agent/bounded_text.h"
#include "tool/mcp/tool_row.h"
#include "tool/report/run_report.h"
#include "tool/run/run_reports.h"
#include "tool/search/run_directories.h"

#include <algorithm>

namespace agentic::mcp {
namespace {

constexpr const char *kMarkdown = "text/markdown";
constexpr std::string_view kCheckUri = "agentic-kernel://checks/", kRunUri = "agentic-kernel://runs/";

std::string reportOf(const Manifest &manifest) {
  const std::vector<std::string> runs = listRuns(runsDirectory(manifest.buildDir), manifest.kernel);
  if (runs.empty())
    return {};
  const auto report = readRunReport(runs.back());
  return report ? reportMarkdown({&*report, 1}) : "The run cannot be read: " + report.error().message + "\n";
}

} // namespace

WorkplaceHost::WorkplaceHost(Workplace &workplace) : workplace_(workplace) {
  for (const ToolRow *row : toolTable())
    tools_.push_back(row->info());
  prompts_.push_back({.name = "optimize",
                      .title = "Optimize a kernel",
                      .description = "Makes a kernel of this project faster with the tools of this server.",
                      .arguments = {{"kernel", "name of the kernel", true}}});
}

ToolResult WorkplaceHost::call(const std::string &tool, Call &call) {
  const auto info = std::ranges::find(tools_, tool, &ToolInfo::name);
  return toolTable()[static_cast<std::size_t>(info - tools_.begin())]->run(workplace_, call);
}

std::vector<ResourceInfo> WorkplaceHost::resources() const {
  std::vector<ResourceInfo> resources;
  if (const auto manifests = workplace_.manifests())
    for (const Manifest &manifest : *manifests)
      resources.push_back({std::string(kRunUri) + manifest.kernel, manifest.kernel + "-run",
                           "The newest run of " + manifest.kernel, "what was tried, and what came of it", kMarkdown});
  for (const std::string &check : workplace_.options().checks)
    resources.push_back({std::string(kCheckUri) + check, check, "Check " + check,
                         "what this check bans in candidates, why, and what to write instead", kMarkdown});
  return resources;
}

std::optional<std::string> WorkplaceHost::read(const std::string &uri) const {
  if (uri.starts_with(kCheckUri)) {
    const std::string check = uri.substr(kCheckUri.size());
    if (std::ranges::find(workplace_.options().checks, check) == workplace_.options().checks.end())
      return std::nullopt;
    return std::string(workplace_.options().checkPage(check));
  }
  if (!uri.starts_with(kRunUri))
    return std::nullopt;
  if (const auto manifests = workplace_.manifests())
    for (const Manifest &manifest : *manifests)
      if (manifest.kernel == uri.substr(kRunUri.size())) {
        const std::string report = reportOf(manifest);
        return report.empty() ? "Nothing was tried yet.\n" : report;
      }
  return std::nullopt;
}

std::optional<std::string> WorkplaceHost::prompt(const std::string &, const Json &arguments) const {
  const std::string kernel = boundedText(oneLine(arguments.value("kernel", "")), kNameBytes);
  return "Make the kernel '" + kernel +
         "' of this project faster. Call describe_kernel first and read all of it. Say what bounds the kernel now, "
         "then "
         "choose the change with the largest possible gain: a better algorithm or order of the data before details of "
         "instructions. Send one idea per evaluate, with its hypothesis; read the verdict, and look at insight where "
         "it "
         "does not fit the hypothesis. Stop when the budget is spent, or when the last five ideas gained nothing. Then "
         "call finish, and report its files, speedup and review notes. Change no files yourself.\n";
}

} // namespace agentic::mcp
