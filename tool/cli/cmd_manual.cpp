// agentic-kernel manual: prints the manual page, in roff; installed with the tool.
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/cli/command.h"
#include "tool/cli/command_line.h"
#include "tool/cli/manual.h"

namespace agentic {
namespace {

class ManualCommand : public Command {
public:
  void declare(CLI::App &) override {}

  int run(Console &console) override {
    console.out(std::string(trim(manualPage(CommandLine().describe(), kVersion))));
    return 0;
  }
};

} // namespace

extern const CommandRow kManualCommand = {
    .name = "manual",
    .summary = "the manual page (called by the build)",
    .make = makeCommand<ManualCommand>,
    .hidden = true,
};

} // namespace agentic
