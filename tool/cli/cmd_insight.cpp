// agentic-kernel insight: what compiler, object code and machine say of the kernel as written, or of a candidate.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/search/journal.h"
#include "tool/source/candidate_unit.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

class InsightCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, true);
    app.add_option("--candidate", candidate_, "file of a candidate, or id of one in a run (default: the baseline)");
  }

  int run(Console &console) override {
    auto insight = find(console);
    if (!insight)
      return console.fail(insight.error(), common_.json, {{"kernel", common_.kernel}, {"candidate", candidate_}});
    if (common_.json) {
      console.json(nlohmann::json::parse(insightJson(*insight)));
      return 0;
    }
    console.out(console.bold(printable(insight->title)));
    for (const InsightSection &section : insight->sections) {
      console.out("\n" + console.bold(printable(section.title)));
      if (!section.text.empty())
        console.out(printable(section.text, true));
      if (!section.note.empty())
        console.out("(" + printable(section.note, true) + ")");
    }
    return 0;
  }

private:
  /// The newest run that knows it.
  Result<Candidate> chosen(const KernelSpec &spec) const {
    if (candidate_.empty())
      return makeCandidate(baselineCandidate(spec), "baseline");
    std::error_code ignored;
    if (fs::is_regular_file(candidate_, ignored))
      return readSettledCandidate(candidate_, OpenConstants::First);
    std::vector<std::string> runs = listRuns(runsDirectory(common_.buildDir), spec.kernel);
    std::ranges::reverse(runs);
    for (const std::string &run : runs)
      if (auto record = readRun(run))
        for (const Attempt &attempt : record->attempts)
          if (attempt.candidate.id == candidate_)
            return makeCandidate(attempt.candidate.text, attempt.candidate.origin);
    return userError("'" + candidate_ + "' is neither a file nor a candidate of a run of '" + spec.kernel + "'",
                     "'agentic-kernel runs' lists the runs; give a file, or an id that their journals name");
  }

  Result<Insight> find(Console &console) const {
    auto evaluator = Evaluator::open(common_.evaluatorOptions(console));
    if (!evaluator)
      return std::unexpected(evaluator.error());
    auto candidate = chosen((*evaluator)->spec());
    if (!candidate)
      return std::unexpected(candidate.error());
    if (!candidate_.empty()) {
      candidate->origin = candidate->origin == "baseline" ? "candidate" : candidate->origin;
      // Its benchmark is run: what the rules refuse is not.
      auto inspected = (*evaluator)->inspect(*candidate);
      if (!inspected)
        return std::unexpected(inspected.error());
      if (inspected->verdict == Verdict::Rejected)
        return std::unexpected(Error{ErrorKind::Rejected,
                                     "candidate " + candidate->id + " is rejected by " + stageName(inspected->stage),
                                     "'agentic-kernel evaluate' says why"});
    }
    return (*evaluator)
        ->insight(*candidate, {.parts = {}, .rooflineFile = userCacheFile("roofline.json", common_.buildDir)});
  }

  CommonOptions common_;
  std::string candidate_;
};

} // namespace

std::unique_ptr<Command> makeInsightCommand() {
  return std::make_unique<InsightCommand>();
}

} // namespace agentic
