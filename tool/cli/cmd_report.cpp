// agentic-kernel report: prints runs as a text, a page, CSV, Markdown or JSON.
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/report_follow.h"
#include "tool/report/page.h"
#include "tool/run/chosen_run.h"
#include "tool/run/run_reports.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

class ReportCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("run", given_, "folders of runs (default: the newest of the build tree)");
    app.add_option("--html", html_, "write a page there: one file that loads nothing");
    app.add_flag("--follow", follow_, "serve the page on 127.0.0.1 while the run goes on");
    app.add_option("--csv", csv_, "write the table there as CSV");
    app.add_option("--markdown", markdown_, "write the table there as Markdown");
  }

  int run(Console &console) override {
    if (auto done = report(console); !done)
      return console.fail(done.error(), common_.json, reportJson(runs_));
    if (common_.json)
      console.json(reportJson(runs_));
    return 0;
  }

private:
  /// Rejects contradicting options before anything is read or written.
  Result<void> checkOptions() const {
    if (!given_.empty() && !common_.kernel.empty())
      return userError("folders of runs and --kernel were given", "leave one of them out: a folder is of one kernel");
    std::vector<std::string> outputs;
    for (const std::string &path : {html_, csv_, markdown_})
      if (!path.empty())
        outputs.push_back(fs::absolute(path).lexically_normal().string());
    if (follow_ && (common_.json || !outputs.empty()))
      return userError("--follow serves the page, and writes nothing else",
                       "leave it or --html, --csv, --markdown and --json out");
    std::ranges::sort(outputs);
    if (const auto twice = std::ranges::adjacent_find(outputs); twice != outputs.end())
      return userError("two forms of the report would go to '" + *twice + "'", "give each a file of its own");
    return {};
  }

  Result<void> report(Console &console) {
    TRY(checkOptions());
    std::vector<std::string> directories = given_;
    if (directories.empty())
      directories.emplace_back();
    for (std::string &directory : directories) {
      directory = TRY(chosenRun(directory, common_.buildDir, common_.kernel));
    }
    if (follow_)
      return followReport(console, directories);
    Result<void> outcome;
    for (const std::string &directory : directories) {
      auto run = readRunReport(directory);
      if (run)
        runs_.push_back(std::move(*run));
      else if (outcome)
        outcome = std::unexpected(run.error());
      else
        console.error(run.error());
    }
    if (runs_.empty())
      return outcome;
    TRY(writeForms(console));
    return outcome; // the missing one is reported last
  }

  Result<void> writeForms(Console &console) const {
    const auto write = [&](const std::string &path, const auto &make) -> Result<void> {
      if (path.empty())
        return {};
      TRY(writeFileAtomic(path, make(runs_)));
      console.note("wrote " + path);
      return {};
    };
    const auto page = [](const std::vector<RunReport> &shown) { return reportPage(shown, {}); };
    TRY(write(html_, page));
    TRY(write(csv_, reportCsv));
    TRY(write(markdown_, reportMarkdown));
    if (!common_.json && html_.empty() && csv_.empty() && markdown_.empty())
      console.out(reportText(runs_));
    return {};
  }

  CommonOptions common_;
  std::vector<std::string> given_;
  std::vector<RunReport> runs_; ///< those that are readable
  std::string html_, csv_, markdown_;
  bool follow_ = false;
};

} // namespace

extern const CommandRow kReportCommand = {
    .name = "report",
    .summary = "what a run tried, what it cost and what came of it",
    .example = "build/_agentic/runs/gemm-20261120T090511Z --html report.html",
    .make = makeCommand<ReportCommand>,
};

} // namespace agentic
