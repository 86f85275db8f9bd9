// agentic-kernel: parse → run one subcommand → exit status. Only this folder prints, reads the environment or exits.
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace agentic {
namespace {

struct Entry {
  CLI::App *app;
  std::unique_ptr<Command> command;
};

int usageError(Console &console, const CLI::ParseError &error, int argc, char **argv) {
  std::string message = error.what(), next = "run 'agentic-kernel --help'";
  std::vector<std::string> names;
  for (const CommandRow &row : commandTable())
    if (!row.hidden)
      names.emplace_back(row.name);
  if (argc > 1 && argv[1][0] != '-' &&
      std::none_of(commandTable().begin(), commandTable().end(),
                   [&](const CommandRow &row) { return row.name == argv[1]; })) {
    message = std::string("there is no subcommand '") + argv[1] + "'";
    const std::string meant = didYouMean(argv[1], names);
    next = meant.empty() ? "choose one of: " + join(names, ", ") : "did you mean '" + meant + "'?";
  } else if (argc > 1 && argv[1][0] != '-') {
    next = std::string("run 'agentic-kernel ") + argv[1] + " --help'";
  }
  const bool asJson =
      std::any_of(argv, argv + argc, [](const char *word) { return std::string_view(word) == "--json"; });
  return console.fail(Error{ErrorKind::User, message, next}, asJson, nlohmann::json::object());
}

int runMain(int argc, char **argv) {
  installSignalHandlers();
  Console console;
  CLI::App app("Measured, checked-in, per-architecture variants of hot C++ functions.", "agentic-kernel");
  app.set_version_flag("--version", std::string("agentic-kernel ") + kVersion);
  app.require_subcommand(1);
  std::vector<Entry> entries;
  for (const CommandRow &row : commandTable()) {
    CLI::App *sub = app.add_subcommand(std::string(row.name), std::string(row.summary));
    if (row.hidden)
      sub->group("");
    entries.push_back({sub, row.make()});
    entries.back().command->declare(*sub);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) { // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    return usageError(console, error, argc, argv);
  }
  for (Entry &entry : entries)
    if (entry.app->parsed())
      return entry.command->run(console);
  return static_cast<int>(ErrorKind::Bug);
}

} // namespace
} // namespace agentic

int main(int argc, char **argv) {
  using namespace agentic;
  // Modules return their errors: what is thrown this far (a path that the system refuses, no memory) is our mistake.
  try {
    return runMain(argc, argv);
  } catch (const std::exception &error) {
    Console().error(Error{ErrorKind::Bug, error.what(), ""});
    return static_cast<int>(ErrorKind::Bug);
  }
}
