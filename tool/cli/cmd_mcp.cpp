// agentic-kernel mcp: serves a coding agent on stdin and stdout. Nothing but messages is on stdout; the log is on
// stderr.
#include "ast-checks/checks.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/cli/check_pages.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/cli/run_options.h"
#include "tool/mcp/server.h"
#include "tool/mcp/workplace_host.h"

#include <CLI/CLI.hpp>

#include <mutex>
#include <unistd.h>

namespace agentic {
namespace {

std::string_view pageOf(std::string_view check) {
  return checkPage(replaceAll(std::string(check), "-", "_") + ".md");
}

std::vector<std::string> checksWithPages() {
  std::vector<std::string> names;
  for (const checks::CheckInfo &check : checks::allChecks())
    if (!pageOf(check.name).empty())
      names.emplace_back(check.name);
  return names;
}

class McpCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--build-dir,-B", common_.buildDir, "CMake build tree of the project")->capture_default_str();
    app.add_option("--config", common_.config, "configuration of a multi-config build tree");
    app.add_option("--kernel,-k", common_.kernel, kKernelOption);
    common_.declareLevel(app);
    common_.declareQuiet(app);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("--max-iterations", maxIterations_, "stop after this many candidates per kernel; 0 = unlimited")
        ->check(wholeNumber(0));
    declareTimeLimits(app, time_);
    declareShorten(app, config_.shorten);
    declareKnowledgeCommand(app, knowledgeCommand_);
    app.add_flag("!--no-write", config_.write, "search and confirm, but leave the source tree alone");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    if (common_.quiet)
      console.beQuiet();
    // A client hears of it from every tool, and the user may mend it meanwhile.
    if (const auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config); !manifests)
      console.warn(manifests.error().message + "; " + manifests.error().next);
    std::mutex logging;
    mcp::Workplace workplace(
        {.session = {.options = {.target = common_, .config = config_, .maxIterations = maxIterations_, .time = time_},
                     .surroundings = surroundings(),
                     .log =
                         [&](const std::string &line) {
                           const std::lock_guard<std::mutex> lock(logging);
                           console.note(line);
                         }},
         .checkPage = pageOf,
         .checks = checksWithPages(),
         .knowledgeCommand = knowledgeCommand_});
    mcp::WorkplaceHost host(workplace);
    workplace.begin();
    mcp::serve(STDIN_FILENO, STDOUT_FILENO, host, interrupted(), [&] { workplace.stop(); });
    return interrupted() ? static_cast<int>(ErrorKind::Interrupted) : 0;
  }

private:
  CommonOptions common_;
  RunConfig config_;
  TimeOptions time_;
  std::optional<int> maxIterations_;
  std::string knowledgeCommand_;
};

} // namespace

extern const CommandRow kMcpCommand = {
    .name = "mcp",
    .summary = "serve a coding agent: the kernels, their judge and the write-back as tools (MCP, on stdin and stdout)",
    .example = "-B build",
    .make = makeCommand<McpCommand>,
};

} // namespace agentic
