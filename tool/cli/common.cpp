#include "tool/cli/common.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/llm/providers.h"
#include "tool/secrets/environment_secrets.h"
#include "tool/secrets/redactor.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace agentic {
namespace {

std::atomic<bool> interruptedFlag{false};

extern "C" void onSignal(int) {
  if (!interruptedFlag.exchange(true))
    return;
  restoreTerminal();
  ::_exit(static_cast<int>(ErrorKind::Interrupted)); // the second signal means now; child processes die, too
}

/// Adds an option that takes 90 or 90%.
void addPercentage(CLI::App &app, const std::string &name, std::pair<double, double> range,
                   const std::string &description, const std::function<void(double)> &take) {
  const auto read = [name, range, take](const std::string &text) {
    char *end = nullptr;
    const double percent = std::strtod(text.c_str(), &end);
    const std::string_view rest = end;
    if (end == text.c_str() || (rest != "" && rest != "%") || !(percent >= range.first && percent <= range.second))
      throw CLI::ValidationError(name,
                                 fmt::format("'{}' is no percentage from {} to {}", text, range.first, range.second));
    take(percent);
  };
  app.add_option_function<std::string>(name, read, description)->type_name("PERCENT");
}

/// Returns a redactor that knows the secrets of the environment; whoever loads a key later adds it.
std::shared_ptr<Redactor> redactorOfEnvironment() {
  std::vector<std::string> entries;
  for (char **entry = environ; entry && *entry; ++entry)
    entries.emplace_back(*entry);
  auto secrets = std::make_shared<Redactor>();
  addSecretsOf(entries, keyVariables(), *secrets);
  return secrets;
}

} // namespace

const std::atomic<bool> &interrupted() {
  return interruptedFlag;
}

void installSignalHandlers() {
  struct sigaction action{};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

std::unexpected<Error> wrongAction(const std::string &command, const std::string &action,
                                   const std::vector<std::string> &actions, const std::string &forms) {
  if (std::ranges::find(actions, action) != actions.end())
    return userError("'" + command + " " + action + "' needs " + (action == "list" ? "nothing more" : "other words"),
                     forms);
  return userError("'" + action + "' is none of " + join(actions, ", "),
                   meantOr(action, actions, "'agentic-kernel " + command + " --help' shows what each takes"));
}

void declareKnowledgeCommand(CLI::App &app, std::string &command) {
  app.add_option("--knowledge-command", command,
                 "a program that is asked for passages, too: the question as JSON on its standard input, passages as "
                 "JSON on its standard output");
}

std::string programPath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

void CommonOptions::declareTree(CLI::App &app) {
  app.add_option("--build-dir,-B", buildDir, "CMake build tree of the project")->capture_default_str();
  app.add_option("--config", config, "configuration of a multi-config build tree");
  app.add_flag("--json", json, "print the result as one line of JSON, the last on stdout");
}

void CommonOptions::declareQuiet(CLI::App &app) {
  app.add_flag("--quiet,-q", quiet, "no progress on stderr: warnings, errors and the result alone");
}

void CommonOptions::declare(CLI::App &app, Kernels kernels) {
  declareTree(app);
  app.add_option("--kernel,-k", kernel, kKernelOption);
  if (kernels == Kernels::One)
    app.parse_complete_callback([this] {
      if (!kernel.empty())
        return;
      if (const auto only = loadManifest(buildDir, kernel, config)) // else the command says what is wrong
        kernel = only->kernel;
    });
}

void CommonOptions::declareLevel(CLI::App &app) {
  app.add_option("--level", level, "this level only (default: every one of the project)");
}

void CommonOptions::declareRequirements(CLI::App &app) {
  app.add_flag("--require-sandbox", requireSandbox,
               "refuse to run candidates where only resource limits would hold them");
  app.add_flag(
      "--allow-uncovered", allowUncovered,
      "take a winner of which some code never ran in tests, recorded and generated calls, or could not be looked at");
  addPercentage(app, "--require-adequate", {0, 100},
                "stop before anything is spent unless the tests notice this share of faulty versions of the kernel",
                [this](double percent) { requireAdequate = percent; });
}

void CommonOptions::declareThreshold(CLI::App &app) {
  addPercentage(app, "--threshold", {1, 50},
                "smallest gain that counts (default: 2 %, or what calibrate found on this machine)",
                [this](double percent) { thresholdPercent = percent; });
}

EvaluatorOptions CommonOptions::evaluatorOptions(Console &console) const {
  return agentic::evaluatorOptions(*this, console, surroundings());
}

const Surroundings &surroundings() {
  static const Surroundings process = {.cancelled = &interrupted(),
                                       .environment = environment,
                                       .secrets = redactorOfEnvironment(),
                                       .program = programPath()};
  return process;
}

std::optional<std::string> environment(const std::string &name) {
  const char *value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::string userCacheFile(const std::string &name, const std::string &buildDir) {
  return surroundings().cacheFile(name, buildDir);
}

void printTimings(Console &console, const std::vector<StageTime> &times) {
  double total = 0;
  for (const StageTime &time : times)
    total += time.seconds;
  for (const StageTime &time : times)
    console.note(fmt::format("  {:<22} {:8.3f} s {:5.1f} %", time.name, time.seconds,
                             total > 0 ? 100 * time.seconds / total : 0));
  console.note(fmt::format("  {:<22} {:8.3f} s", "total", total));
}

} // namespace agentic
