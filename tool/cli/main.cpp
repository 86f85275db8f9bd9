// agentic-kernel: parse → run one subcommand → exit status. Only this folder prints, reads the environment or exits.
#include "tool/cli/command_line.h"
#include "tool/cli/common.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace agentic {
namespace {

int runMain(int argc, char **argv) {
  installSignalHandlers();
  Console console;
  CommandLine line;
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  try {
    line.parse(arguments);
  } catch (const CLI::Success &success) { // --help, --version
    return line.app().exit(success);
  } catch (const CLI::ParseError &error) {
    const bool asJson = std::ranges::find(arguments, "--json") != arguments.end();
    return console.fail(line.explain(error, arguments), asJson, nlohmann::json::object());
  }
  return line.run(console);
}

} // namespace
} // namespace agentic

int main(int argc, char **argv) {
  using namespace agentic;
  // Modules return their errors: an exception here (a path that the system refuses, no memory) is our mistake.
  try {
    return runMain(argc, argv);
  } catch (const std::exception &error) {
    Console().error(Error{ErrorKind::Bug, error.what(), ""});
    return static_cast<int>(ErrorKind::Bug);
  }
}
