// agentic-kernel check-candidate: the child in which the tool checks one candidate, because its text may be made to
// break Clang. Reads one request from stdin and writes the answer to stdout; both are bytes of its own format.
#include "tool/cli/command.h"
#include "tool/evaluate/candidate/isolated_check.h"

#include <iostream>
#include <iterator>

namespace agentic {
namespace {

class CheckCandidateCommand : public Command {
public:
  void declare(CLI::App &) override {}

  int run(Console &) override {
    const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
    std::cout << answerCheckRequest(request) << std::flush;
    return std::cout ? 0 : static_cast<int>(ErrorKind::User);
  }
};

} // namespace

extern const CommandRow kCheckCandidateCommand = {
    .name = "check-candidate",
    .summary = "check one candidate apart (called by the tool itself)",
    .make = makeCommand<CheckCandidateCommand>,
    .hidden = true,
};

} // namespace agentic
