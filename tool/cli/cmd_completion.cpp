// agentic-kernel completion SHELL: prints the script with which a shell completes; installed with the tool.
#include "tool/base/text.h"
#include "tool/cli/command.h"
#include "tool/cli/command_line.h"
#include "tool/cli/completion.h"
#include "tool/cli/option_values.h"

#include <CLI/CLI.hpp>

namespace agentic {
namespace {

class CompletionCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("shell", shell_, "whose completion")->required()->check(oneOf({"bash", "zsh", "fish"}));
  }

  int run(Console &console) override {
    const std::vector<CommandDoc> commands = CommandLine().describe();
    const std::string script = shell_ == "bash"  ? bashCompletion(commands)
                               : shell_ == "zsh" ? zshCompletion(commands)
                                                 : fishCompletion(commands);
    console.out(std::string(trim(script)));
    return 0;
  }

private:
  std::string shell_;
};

} // namespace

extern const CommandRow kCompletionCommand = {
    .name = "completion",
    .summary = "the script by which a shell completes (called by the build)",
    .make = makeCommand<CompletionCommand>,
    .hidden = true,
};

} // namespace agentic
