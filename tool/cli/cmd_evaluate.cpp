// agentic-kernel evaluate: compares one candidate with the baseline, from check to benchmark.
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/run_options.h"
#include "tool/model/json.h"
#include "tool/run/adequacy_gate.h"
#include "tool/run/experiment.h"
#include "tool/search/tuning.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

nlohmann::json resultJson(const std::string &kernel, const std::string &candidate) {
  return {{"kernel", kernel},
          {"candidate", candidate},
          {"verdict", nullptr},
          {"stage", nullptr},
          {"findings", nlohmann::json::array()},
          {"notes", nlohmann::json::array()},
          {"detail", ""},
          {"tuning", ""},
          {"review", nlohmann::json::array()},
          {"speedup", nullptr}};
}

nlohmann::json resultJson(const Evaluation &evaluation) {
  nlohmann::json result = resultJson(evaluation.kernel, evaluation.candidate);
  result["verdict"] = verdictName(evaluation.verdict);
  result["stage"] = stageName(evaluation.stage);
  const auto add = [&](const char *list, const std::vector<Finding> &findings) {
    for (const Finding &finding : findings)
      result[list].push_back(
          {{"check", finding.check}, {"message", finding.message}, {"line", finding.line}, {"column", finding.column}});
  };
  add("findings", evaluation.findings);
  add("notes", evaluation.notes);
  result["detail"] = evaluation.detail;
  result["tuning"] = evaluation.tuning;
  result["review"] = evaluation.review;
  if (evaluation.measurement)
    result["speedup"] = speedupJson(evaluation.measurement->speedup);
  return result;
}

class EvaluateCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("file", file_, "the candidate: includes, helpers and the kernel function")->required();
    app.add_flag("--full", full_, "also the full differential part, sanitizers and coverage, as a winner gets them");
    declareOptimization(app, optimization_);
    app.add_flag("--timings", common_.timings, "show where the time goes");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    auto candidate = readCandidate(file_);
    if (!candidate)
      return console.fail(candidate.error(), common_.json, resultJson(common_.kernel, ""));
    if (auto chosen = chooseTree(console); !chosen)
      return console.fail(chosen.error(), common_.json, resultJson(common_.kernel, candidate->id));
    EvaluatorOptions options = common_.evaluatorOptions(console);
    options.judgesSlow = true; // one candidate: a wrong one is called wrong whatever its time
    auto evaluator = Evaluator::open(options);
    if (!evaluator)
      return console.fail(evaluator.error(), common_.json, resultJson(common_.kernel, candidate->id));
    if (auto adequate = checkAdequacy(console, **evaluator, common_, AdequacyUse::OneCandidate); !adequate)
      return console.fail(adequate.error(), common_.json, resultJson(common_.kernel, candidate->id));
    auto evaluation = evaluate(**evaluator, *candidate);
    if (!evaluation)
      return console.fail(evaluation.error(), common_.json, resultJson(common_.kernel, candidate->id));
    print(console, *evaluation);
    if (common_.timings) {
      std::vector<StageTime> times = (*evaluator)->preparationTimes();
      times.insert(times.end(), evaluation->times.begin(), evaluation->times.end());
      printTimings(console, times);
    }
    if (common_.json)
      console.json(labelled(resultJson(*evaluation)));
    if (evaluation->verdict == Verdict::Rejected)
      return static_cast<int>(ErrorKind::Rejected);
    return evaluation->verdict == Verdict::Accepted ? 0 : static_cast<int>(ErrorKind::NoImprovement);
  }

private:
  /// With --optimization, chooses a tree that is compiled at that level.
  Result<void> chooseTree(Console &console) {
    if (optimization_.empty())
      return {};
    auto manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    auto tree = TRY(manifestAt(manifest, optimization_, console, surroundings()));
    common_.buildDir = tree.buildDir;
    common_.allowUnoptimized = true;
    return {};
  }

  /// Evaluates the best setting, if the candidate leaves constants open.
  Result<Evaluation> evaluate(Evaluator &evaluator, const Candidate &candidate) const {
    auto attempt = tune({.candidate = candidate,
                         .language = evaluator.spec().language,
                         .evaluate = [&](const Candidate &settled) -> Result<std::optional<Evaluation>> {
                           return full_ ? evaluateFully(evaluator, settled) : evaluator.evaluate(settled);
                         },
                         .record = [](const TriedSetting &) { return Result<void>(); }});
    if (!attempt)
      return std::unexpected(attempt.error());
    return std::move((*attempt)->evaluation); // there is one: nothing ends the search of settings early
  }
  /// Runs the stages and, unless they reject it, everything of confirm but its timing.
  static Result<Evaluation> evaluateFully(Evaluator &evaluator, const Candidate &candidate) {
    Result<Evaluation> evaluation = evaluator.evaluate(candidate);
    if (!evaluation || evaluation->verdict == Verdict::Rejected)
      return evaluation;
    Evaluation examined = TRY(evaluator.examine(candidate));
    evaluation->times.insert(evaluation->times.end(), examined.times.begin(), examined.times.end());
    evaluation->review = examined.review;
    if (examined.verdict == Verdict::Rejected) {
      evaluation->verdict = Verdict::Rejected;
      evaluation->stage = examined.stage;
      evaluation->detail = examined.detail;
    }
    return evaluation;
  }

  nlohmann::json labelled(nlohmann::json result) const {
    if (!optimization_.empty())
      result["optimization"] = optimization_;
    return result;
  }

  void print(Console &console, const Evaluation &evaluation) const {
    for (Finding finding : evaluation.findings) {
      finding.file = file_;
      console.finding(finding);
    }
    for (Finding note : evaluation.notes) {
      note.file = file_;
      console.remark(note);
    }
    if (!evaluation.tuning.empty())
      console.note(evaluation.tuning);
    if (!evaluation.detail.empty())
      console.note(evaluation.detail);
    for (const std::string &line : evaluation.review)
      console.note("review: " + line);
    if (common_.json)
      return;
    if (evaluation.verdict == Verdict::Rejected)
      console.out(fmt::format("{}: rejected by {}", file_, stageName(evaluation.stage)));
    else if (evaluation.measurement)
      console.out(fmt::format(
          "{}: {}, {} against the baseline{} ({} -> {})", file_, verdictName(evaluation.verdict),
          ratioText(evaluation.measurement->speedup), optimization_.empty() ? "" : " at -" + optimization_,
          nanoseconds(evaluation.measurement->referenceNs), nanoseconds(evaluation.measurement->candidateNs)));
    else
      console.out(fmt::format("{}: {}{}", file_, verdictName(evaluation.verdict),
                              evaluation.stage == Stage::Benchmark ? ", for it could not be measured" : ""));
  }

  CommonOptions common_;
  std::string file_, optimization_;
  bool full_ = false;
};

} // namespace

extern const CommandRow kEvaluateCommand = {
    .name = "evaluate",
    .summary = "take one candidate through check, compile, audit, test and benchmark",
    .example = "-B build -k gemm faster.cpp",
    .make = makeCommand<EvaluateCommand>,
};

} // namespace agentic
