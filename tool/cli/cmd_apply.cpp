// agentic-kernel apply: runs one given candidate (one's own, or a simpler one) through all gates, then writes it back.
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/run/adequacy_gate.h"
#include "tool/variants/write_back.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class ApplyCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    common_.declareLevel(app);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("file", file_, "the candidate: includes, helpers and the kernel function")->required();
    app.add_option("--patch", patchFile_, "write a patch there instead of the generated files");
    app.add_flag("--timings", common_.timings, "show where the time goes");
  }

  int run(Console &console) override {
    result_ = {{"kernel", common_.kernel}, {"candidate", nullptr}, {"verdict", nullptr},
               {"stage", nullptr},         {"speedup", nullptr},   {"files", nlohmann::json::array()}};
    auto candidate = readSettledCandidate(file_, OpenConstants::Refused);
    if (!candidate)
      return console.fail(candidate.error(), common_.json, result_);
    result_["candidate"] = candidate->id;
    auto evaluator = Evaluator::open(common_.evaluatorOptions(console));
    if (!evaluator)
      return console.fail(evaluator.error(), common_.json, result_);
    if (patchFile_.empty())
      if (auto writable = checkWritable((*evaluator)->manifest().variantDir); !writable)
        return console.fail(writable.error(), common_.json, result_);
    if (auto fits = checkLevelLimit(**evaluator); !fits)
      return console.fail(fits.error(), common_.json, result_);
    if (auto adequate = checkAdequacy(console, **evaluator, common_, AdequacyUse::OneCandidate); !adequate)
      return console.fail(adequate.error(), common_.json, result_);
    return gates(console, **evaluator, *candidate);
  }

private:
  int gates(Console &console, Evaluator &evaluator, const Candidate &candidate) {
    auto evaluation = evaluator.evaluate(candidate);
    if (evaluation && evaluation->verdict == Verdict::Accepted && evaluator.isTimed()) {
      console.note("  confirming with fresh pairs");
      evaluation = evaluator.confirm(candidate, 1);
    }
    if (!evaluation)
      return console.fail(evaluation.error(), common_.json, result_);
    result_["verdict"] = verdictName(evaluation->verdict);
    result_["stage"] = stageName(evaluation->stage);
    for (Finding finding : evaluation->findings) {
      finding.file = file_;
      console.finding(finding);
    }
    if (common_.timings)
      printTimings(console, evaluation->times);
    if (evaluation->verdict != Verdict::Accepted)
      return refuse(console, *evaluation);
    for (const std::string &line : evaluation->review)
      console.note("  review: " + line);
    console.note(evaluator.isTimed() ? "  building, testing and measuring what a normal build will be"
                                     : "  building and testing what a normal build will be");
    auto written = writeBack(evaluator, {.candidate = candidate,
                                         .confirmed = evaluation->measurement.value_or(Measurement()),
                                         .agent = "apply",
                                         .review = evaluation->review,
                                         .patchFile = patchFile_});
    if (!written)
      return console.fail(written.error(), common_.json, result_);
    for (const std::string &warning : written->warnings)
      console.warn(warning);
    if (evaluator.isTimed())
      result_["speedup"] = speedupJson(written->claim.speedup);
    result_["end_to_end"] = known(written->endToEnd);
    result_["files"] = written->files;
    if (common_.json)
      console.json(result_);
    else {
      console.out(evaluator.isTimed() ? fmt::format("{}: {} as it ships, against the original build", file_,
                                                    ratioText(written->claim.speedup))
                                      : file_ + ": untuned, since its level is only emulated here");
      if (written->endToEnd)
        console.out("  end to end: " + endToEndText(*written->endToEnd));
      for (const std::string &file : written->files)
        console.out("  written " + file);
    }
    return 0;
  }

  int refuse(Console &console, const Evaluation &evaluation) {
    const bool rejected = evaluation.verdict == Verdict::Rejected;
    std::string message = file_ + (rejected ? std::string(" is rejected by ") + stageName(evaluation.stage)
                                            : std::string(" is not faster than the baseline"));
    if (!evaluation.detail.empty())
      message += ": " + evaluation.detail;
    return console.fail(Error{rejected ? ErrorKind::Rejected : ErrorKind::NoImprovement, message,
                              "nothing was written; 'agentic-kernel evaluate' shows more"},
                        common_.json, result_);
  }

  CommonOptions common_;
  std::string file_, patchFile_;
  nlohmann::json result_;
};

} // namespace

extern const CommandRow kApplyCommand = {
    .name = "apply",
    .summary = "take one candidate through all gates and write it back",
    .example = "-B build -k gemm faster.cpp",
    .make = makeCommand<ApplyCommand>,
};

} // namespace agentic
