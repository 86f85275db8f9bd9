// agentic-kernel insight: what compiler, object code and machine tell about the kernel as written, or a candidate.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/search/journal.h"
#include "tool/source/candidate/candidate_unit.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <map>
#include <optional>
#include <ranges>

namespace agentic {
namespace {

class InsightCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    app.add_option("--candidate", candidate_,
                   "file of a candidate, or beginning of the id of one in a run (default: the baseline)");
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
  /// Returns the candidate with this id or prefix, from the newest run that knows one; nullopt if no run does.
  Result<std::optional<Candidate>> ofRun() const {
    std::vector<std::string> runs = listRuns(runsDirectory(common_.buildDir), common_.kernel);
    for (const std::string &run : runs | std::views::reverse) {
      const auto record = readRun(run);
      std::map<std::string, Candidate> named;
      const auto add = [&](const Candidate &candidate) {
        if (candidate.id.starts_with(candidate_))
          named.emplace(candidate.id, makeCandidate(candidate.text, candidate.origin));
      };
      if (record) {
        for (const Attempt &attempt : record->attempts)
          add(attempt.candidate);
        for (const auto *standIns : {&record->shortened, &record->reviewed})
          for (const auto &[winner, standIn] : *standIns)
            add(standIn.candidate);
      }
      if (named.size() == 1 || named.contains(candidate_))
        return named.size() == 1 ? named.begin()->second : named.at(candidate_);
      if (!named.empty())
        return userError(fmt::format("'{}' is the beginning of {} candidates", candidate_, named.size()),
                         "give more of it: " + named.begin()->first + ", " + std::next(named.begin())->first + ", …");
    }
    return std::optional<Candidate>();
  }

  /// nullopt: the baseline.
  Result<std::optional<Candidate>> chosen(Language language) const {
    if (candidate_.empty())
      return std::optional<Candidate>();
    std::error_code ignored;
    if (fs::is_regular_file(candidate_, ignored))
      return readSettledCandidate(candidate_, OpenConstants::First, language);
    auto candidate = ofRun();
    if (candidate && !*candidate)
      return userError("'" + candidate_ + "' is neither a file nor a candidate of a run of '" + common_.kernel + "'",
                       "'agentic-kernel runs' lists the runs; give a file, or an id that their journals name");
    return candidate;
  }

  Result<Insight> find(Console &console) const {
    // A missing kernel or candidate is found first, because that takes no time.
    auto manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    auto given = TRY(chosen(manifest.language == "C" ? Language::C : Language::Cxx));
    auto evaluator = TRY(Evaluator::open(common_.evaluatorOptions(console)));
    Candidate candidate = given ? *given : makeCandidate(baselineCandidate(evaluator->spec()), "baseline");
    if (given) {
      candidate.origin = candidate.origin == "baseline" ? "candidate" : candidate.origin;
      // Its benchmark runs, so the rules must accept it.
      auto inspected = TRY(evaluator->inspect(candidate));
      if (inspected.verdict == Verdict::Rejected)
        return std::unexpected(Error{ErrorKind::Rejected,
                                     "candidate " + candidate.id + " is rejected by " + stageName(inspected.stage),
                                     "'agentic-kernel evaluate' says why"});
    }
    return evaluator->insight(candidate,
                              {.parts = {}, .rooflineFile = userCacheFile("roofline.json", common_.buildDir)});
  }

  CommonOptions common_;
  std::string candidate_;
};

} // namespace

extern const CommandRow kInsightCommand = {
    .name = "insight",
    .summary = "show what compiler, object code and machine say of a kernel or a candidate",
    .example = "-B build -k gemm --candidate faster.cpp",
    .make = makeCommand<InsightCommand>,
};

} // namespace agentic
