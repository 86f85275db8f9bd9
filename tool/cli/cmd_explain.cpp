// agentic-kernel explain CANDIDATE|CHECK: tells what happened to a candidate and why, or why something is banned.
#include "ast-checks/registry.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/cli/check_pages.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/report/explanation.h"
#include "tool/run/chosen_run.h"
#include "tool/run/run_reports.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

std::vector<std::string> checkNames() {
  std::vector<std::string> names;
  for (const auto &check : checks::makeChecks(Policy()))
    names.emplace_back(check->name());
  return names;
}

class ExplainCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("what", what_,
                   "a candidate's id or its beginning, an iteration as 12 or '#12' in quotes, or the name of a check")
        ->required();
    app.add_option("--run", run_, "folder of the run (default: the newest)");
  }

  int run(Console &console) override {
    if (const std::string_view page = checkPage(replaceAll(what_, "-", "_") + ".md"); !page.empty()) {
      if (common_.json)
        console.json({{"check", what_}, {"page", page}});
      else
        console.out(std::string(trim(page)));
      return 0;
    }
    auto explanation = find();
    if (!explanation)
      return console.fail(explanation.error(), common_.json, {{"candidate", what_}});
    if (common_.json)
      console.json(explanationJson(*explanation));
    else
      print(console, *explanation);
    return 0;
  }

private:
  Result<Explanation> find() const {
    auto directory = chosenRun(run_, common_.buildDir, common_.kernel);
    if (!directory)
      return std::unexpected(notFound(directory.error().message, directory.error().next));
    auto report = TRY(readRunReport(*directory));
    const std::vector<const ReportAttempt *> named = attemptsNamed(report, what_);
    if (named.size() == 1)
      return explain(report, *named.front(), common_.buildDir);
    if (named.empty())
      return std::unexpected(notFound("run " + report.directory + " has no such candidate or iteration",
                                      "'agentic-kernel report' lists its best; choose another run with --run"));
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < named.size() && i < 5; ++i)
      ids.push_back(named[i]->candidate);
    return userError(fmt::format("'{}' is the beginning of {} candidates", what_, named.size()),
                     "give more of it: " + join(ids, ", "));
  }

  /// The user may have meant a check.
  Error notFound(const std::string &why, const std::string &next) const {
    const std::string meant = didYouMean(what_, checkNames());
    return Error{ErrorKind::User, "nothing is known of '" + what_ + "': it names no check, and " + why,
                 meant.empty() ? next : "did you mean the check '" + meant + "'? Else " + next};
  }

  static void print(Console &console, const Explanation &explanation) {
    console.out(console.bold(printable(explanation.candidate)) + "  " + printable(explanation.headline));
    for (const std::string &why : explanation.why)
      console.out("  " + replaceAll(printable(why, true), "\n", "\n  "));
    for (const std::string &next : explanation.next)
      console.out("next: " + printable(next));
  }

  CommonOptions common_;
  std::string what_, run_;
};

} // namespace

extern const CommandRow kExplainCommand = {
    .name = "explain",
    .summary = "what happened to a candidate and why, or what a check bans",
    .example = "-B build '#3'",
    .make = makeCommand<ExplainCommand>,
};

} // namespace agentic
