// agentic-kernel calibrate: finds how far measurements on this machine can be believed.
#include "tool/base/files.h"
#include "tool/base/median.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/evaluate/calibration/calibration_statistics.h"
#include "tool/evaluate/calibration/calibration_store.h"
#include "tool/run/calibrated.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>

namespace agentic {
namespace {

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// One line per pair: the comparison, the verdict, then all repetitions of both sides in ns.
std::string pairsCsv(const std::vector<CalibrationDecision> &decisions) {
  std::string text = "decision,subject,code,load,verdict,benchmark,side,ns...\n";
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const CalibrationDecision &decision = decisions[i];
    for (const BenchmarkMeasurement &benchmark : decision.benchmarks)
      for (const Pair &pair : benchmark.pairs)
        for (const auto &[side, times] : {std::pair("reference", &pair.reference), {"candidate", &pair.candidate}}) {
          text += fmt::format("{},{},{},{},{},{},{}", i, decision.subject, decision.isGain ? "less" : "same",
                              decision.isBusy ? "busy" : "none", decision.verdict, benchmark.benchmark, side);
          for (double time : *times)
            text += fmt::format(",{:.6g}", time);
          text += '\n';
        }
  }
  return text;
}

class CalibrateCommand : public Command {
public:
  void declare(CLI::App &app) override {
    tree_ = app.add_option("--build-dir,-B", common_.buildDir,
                           "measure a kernel of this build tree instead of the tool's own reference kernels");
    app.add_option("--kernel,-k", common_.kernel, kKernelOption);
    app.add_option("--config", common_.config, "configuration of a multi-config build tree");
    app.add_flag("--full", full_,
                 "300 comparisons of identical code, half of them under load, and 40 gains of 5 %: "
                 "about half an hour (default: about 10 s)");
    app.add_option("--max-seconds", maxSeconds_, "stop after this wall time and sum up what was measured")
        ->check(numberFromZero());
    app.add_option("--pairs", pairsFile_, "write every pair of timings there as CSV");
    app.add_flag("--json", common_.json, "print the result as one line of JSON, the last on stdout");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    auto decisions = measureAll(console);
    if (!decisions)
      return console.fail(decisions.error(), common_.json, nlohmann::json::object());
    if (!pairsFile_.empty())
      if (auto written = writeFileAtomic(pairsFile_, pairsCsv(*decisions)); !written)
        return console.fail(written.error(), common_.json, nlohmann::json::object());
    if (interrupted() && decisions->empty())
      return console.fail(interruptedError().error(), common_.json, nlohmann::json::object());
    MachineCalibration result = summarize(*decisions, rule_);
    result.full = full_ && !interrupted();
    if (!interrupted() && tree_->count() == 0)
      store(console, result);
    report(console, result, *decisions);
    return interrupted() ? static_cast<int>(ErrorKind::Interrupted) : 0;
  }

private:
  Result<std::vector<CalibrationDecision>> measureAll(Console &console) {
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    if (error)
      return userError("no temporary folder: TMPDIR is no folder", "make the folder that TMPDIR names, or unset it");
    auto scratch = TRY(ScratchDirectory::create(temporary, "agentic-calibrate-"));
    sandbox_.emplace(Sandbox::probe());
    if (!sandbox_->warning().empty())
      console.warn(sandbox_->warning());
    console.note("waiting for the machine's measuring lock, then learning what one process takes");
    auto subjects =
        TRY(tree_->count() > 0 ? projectSubjects(console)
                               : referenceSubjects(programPath(), *sandbox_, scratch.path(), &interrupted()));
    CalibrationPlan plan;
    plan.full = full_;
    plan.maxSeconds = maxSeconds_;
    plan.rule = rule_;
    plan.seed = static_cast<std::uint64_t>(std::time(nullptr));
    plan.loadProgram = programPath();
    plan.cancelled = &interrupted();
    plan.decided = [&](const CalibrationDecision &decision, int done, int planned) {
      note(console, decision, done, planned);
    };
    return calibrate(subjects, plan);
  }

  Result<std::vector<CalibrationSubject>> projectSubjects(Console &console) {
    const Manifest manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    common_.kernel = manifest.kernel;
    evaluator_ = TRY(Evaluator::open(common_.evaluatorOptions(console)));
    StageFacts facts = evaluator_->stageFacts();
    CalibrationSubject subject{.name = common_.kernel};
    subject.context = facts.context;
    subject.programs = facts.benchmarkPrograms;
    subject.filter = evaluator_->manifest().benchmarkFilter;
    subject.facts = facts.benchmarks;
    return std::vector<CalibrationSubject>{std::move(subject)};
  }

  static void note(Console &console, const CalibrationDecision &decision, int done, int planned) {
    const std::string count = planned > 0 ? fmt::format("{:>3}/{}", done, planned) : fmt::format("{:>3}", done);
    std::string line = fmt::format("  [{}] {:<8} {}{:<6} {} {}", count, decision.subject,
                                   decision.isGain ? "5 % less work" : "identical code",
                                   decision.isBusy ? ", load" : "", seconds(decision.seconds), decision.verdict);
    if (!decision.benchmarks.empty())
      line += fmt::format("  {:.3f}x [{:.3f}, {:.3f}] in {} pairs", decision.speedup.ratio, decision.speedup.low,
                          decision.speedup.high, decision.benchmarks.front().pairs.size());
    console.note(line);
  }

  void store(Console &console, const MachineCalibration &result) const {
    const std::string file = userCacheFile(kCalibrationFile, ".");
    const StoredCalibration old = storedCalibration(file, result.machine, result.unixSeconds);
    if (!result.full && old.calibration && old.calibration->full) {
      console.note("the full calibration of this machine stays; --full replaces it");
      return;
    }
    if (auto written = writeFileAtomic(file, calibrationText(result)); !written)
      console.warn("the result is not kept for later runs: " + written.error().message);
    else
      console.note("kept in " + file);
  }

  void report(Console &console, const MachineCalibration &result,
              const std::vector<CalibrationDecision> &decisions) const {
    if (interrupted())
      console.note("interrupted; this is what was measured, and it is not kept");
    if (common_.json) {
      nlohmann::json object = nlohmann::json::parse(calibrationText(result));
      object["interrupted"] = interrupted().load();
      console.json(object);
      return;
    }
    console.out(result.machine.cpu + ", " + std::to_string(result.machine.cpus) + " CPUs, Linux " +
                result.machine.kernel);
    for (const CalibratedSubject &subject : result.subjects)
      console.out(fmt::format("  {:<10} {:>8} a call, pairs spread by {}{}, smallest gain seen in 9 of 10: {}",
                              subject.name, nanoseconds(subject.nanoseconds), percent(subject.noise),
                              subject.noiseBusy > 0 ? " (under load " + percent(subject.noiseBusy) + ")" : "",
                              subject.smallestGain < 1 ? percent(subject.smallestGain) : "none up to 50 %"));
    console.out(fmt::format("  identical code accepted as faster: {} of {} ({} of {} under load); with 95 % confidence "
                            "at most {} are",
                            result.falseAccepts, result.comparisons, result.busyFalseAccepts, result.busyComparisons,
                            percent(result.falseAcceptsAtMost())));
    if (result.gains > 0)
      console.out(fmt::format("  a true gain of 5 % accepted: {} of {}; with 95 % confidence at least {} are",
                              result.gainsAccepted, result.gains,
                              percent(proportionAtLeast(result.gainsAccepted, result.gains))));
    if (result.undecided > 0)
      console.out(fmt::format("  too noisy to decide: {} of {}", result.undecided, result.comparisons));
    console.out(fmt::format("  a decision takes {} on average, {} at most; with what other programs took of the CPU {}",
                            seconds(result.meanSeconds), seconds(result.longestSeconds),
                            seconds(result.longestWallSeconds)));
    console.out(fmt::format("  smallest gain that counts here: {}", percent(result.threshold)));
    falseAccepts(console, decisions);
  }

  /// Prints them with their pairs, because each of them is worth a look.
  static void falseAccepts(Console &console, const std::vector<CalibrationDecision> &decisions) {
    for (const CalibrationDecision &decision : decisions) {
      if (decision.isGain || !decision.isAccepted)
        continue;
      console.out(
          fmt::format("identical code of {} was taken for {:.3f}x faster:", decision.subject, decision.speedup.ratio));
      for (const BenchmarkMeasurement &benchmark : decision.benchmarks)
        for (const Pair &pair : benchmark.pairs)
          console.out(fmt::format("  {:>10} {:>10}  ratio {:.4f}", nanoseconds(median(pair.reference)),
                                  nanoseconds(median(pair.candidate)),
                                  median(pair.reference) / median(pair.candidate)));
    }
  }

  CommonOptions common_;
  CLI::Option *tree_ = nullptr;
  bool full_ = false;
  double maxSeconds_ = 0;
  std::string pairsFile_;
  DecisionRule rule_;
  std::optional<Sandbox> sandbox_;
  std::unique_ptr<Evaluator> evaluator_;
};

} // namespace

extern const CommandRow kCalibrateCommand = {
    .name = "calibrate",
    .summary = "measure how far timings on this machine can be believed",
    .example = "-B build",
    .make = makeCommand<CalibrateCommand>,
};

} // namespace agentic
