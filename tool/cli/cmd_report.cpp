// agentic-kernel report: runs as a text, a page, CSV, Markdown or JSON.
#include "tool/base/files.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/report_follow.h"
#include "tool/cli/run_reports.h"
#include "tool/report/page.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class ReportCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, false);
    app.add_option("run", given_, "folders of runs (default: the newest of the build tree)")
        ->check(CLI::ExistingDirectory);
    app.add_option("--html", html_, "write a page there: one file that loads nothing");
    app.add_flag("--follow", follow_, "serve the page on 127.0.0.1 while the run goes on");
    app.add_option("--csv", csv_, "write the table there as CSV");
    app.add_option("--markdown", markdown_, "write the table there as Markdown");
  }

  int run(Console &console) override {
    if (auto done = report(console); !done)
      return console.fail(done.error(), common_.json, {{"version", 1}, {"runs", nlohmann::json::array()}});
    return 0;
  }

private:
  Result<void> report(Console &console) {
    std::vector<std::string> directories = given_;
    if (directories.empty()) {
      auto newest = chosenRun("", common_.buildDir, common_.kernel);
      if (!newest)
        return std::unexpected(newest.error());
      directories.push_back(std::move(*newest));
    }
    if (follow_)
      return followReport(console, directories);
    std::vector<RunReport> runs;
    for (const std::string &directory : directories) {
      auto run = readRunReport(directory);
      if (!run)
        return std::unexpected(run.error());
      runs.push_back(std::move(*run));
    }
    if (auto written = writeFiles(console, runs); !written)
      return written;
    if (common_.json)
      console.json(reportJson(runs));
    else if (html_.empty() && csv_.empty() && markdown_.empty())
      console.out(reportText(runs));
    return {};
  }

  Result<void> writeFiles(Console &console, const std::vector<RunReport> &runs) const {
    const auto write = [&](const std::string &path, const auto &make) -> Result<void> {
      if (path.empty())
        return {};
      if (auto written = writeFileAtomic(path, make(runs)); !written)
        return written;
      console.note("wrote " + path);
      return {};
    };
    const auto page = [](const std::vector<RunReport> &shown) { return reportPage(shown, {}); };
    if (auto html = write(html_, page); !html)
      return html;
    if (auto csv = write(csv_, reportCsv); !csv)
      return csv;
    return write(markdown_, reportMarkdown);
  }

  CommonOptions common_;
  std::vector<std::string> given_;
  std::string html_, csv_, markdown_;
  bool follow_ = false;
};

} // namespace

std::unique_ptr<Command> makeReportCommand() {
  return std::make_unique<ReportCommand>();
}

} // namespace agentic
