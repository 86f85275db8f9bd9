// agentic-kernel evaluate: one candidate against the baseline, check to benchmark.
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/model/json.h"

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
          {"detail", ""},
          {"speedup", nullptr}};
}

nlohmann::json resultJson(const Evaluation &evaluation) {
  nlohmann::json result = resultJson(evaluation.kernel, evaluation.candidate);
  result["verdict"] = verdictName(evaluation.verdict);
  result["stage"] = stageName(evaluation.stage);
  for (const Finding &finding : evaluation.findings)
    result["findings"].push_back(
        {{"check", finding.check}, {"message", finding.message}, {"line", finding.line}, {"column", finding.column}});
  result["detail"] = evaluation.detail;
  if (evaluation.measurement)
    result["speedup"] = speedupJson(evaluation.measurement->speedup);
  return result;
}

class EvaluateCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, true);
    app.add_option("file", file_, "the candidate: includes, helpers and the kernel function")->required();
    app.add_flag("--timings", common_.timings, "show where the time goes");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    auto candidate = readCandidate(file_);
    if (!candidate)
      return console.fail(candidate.error(), common_.json, resultJson(common_.kernel, ""));
    auto evaluator = Evaluator::open(common_.evaluatorOptions(console));
    if (!evaluator)
      return console.fail(evaluator.error(), common_.json, resultJson(common_.kernel, candidate->id));
    auto evaluation = (*evaluator)->evaluate(*candidate);
    if (!evaluation)
      return console.fail(evaluation.error(), common_.json, resultJson(common_.kernel, candidate->id));
    print(console, *evaluation);
    if (common_.timings) {
      std::vector<StageTime> times = (*evaluator)->preparationTimes();
      times.insert(times.end(), evaluation->times.begin(), evaluation->times.end());
      printTimings(console, times);
    }
    if (common_.json)
      console.json(resultJson(*evaluation));
    if (evaluation->verdict == Verdict::Rejected)
      return static_cast<int>(ErrorKind::Rejected);
    return evaluation->verdict == Verdict::Accepted ? 0 : static_cast<int>(ErrorKind::NoImprovement);
  }

private:
  void print(Console &console, const Evaluation &evaluation) const {
    for (Finding finding : evaluation.findings) {
      finding.file = file_;
      console.finding(finding);
    }
    if (!evaluation.detail.empty())
      console.note(evaluation.detail);
    if (common_.json)
      return;
    if (evaluation.verdict == Verdict::Rejected)
      console.out(fmt::format("{}: rejected by {}", file_, stageName(evaluation.stage)));
    else if (evaluation.measurement)
      console.out(fmt::format("{}: {}, {} against the baseline ({} -> {})", file_, verdictName(evaluation.verdict),
                              ratioText(evaluation.measurement->speedup),
                              nanoseconds(evaluation.measurement->referenceNs),
                              nanoseconds(evaluation.measurement->candidateNs)));
    else
      console.out(fmt::format("{}: {}", file_, verdictName(evaluation.verdict)));
  }

  CommonOptions common_;
  std::string file_;
};

} // namespace

std::unique_ptr<Command> makeEvaluateCommand() {
  return std::make_unique<EvaluateCommand>();
}

} // namespace agentic
