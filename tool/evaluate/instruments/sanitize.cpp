#include "tool/evaluate/instruments/sanitize.h"

#include "tool/base/clock.h"
#include "tool/base/text.h"
#include "tool/evaluate/instruments/sanitize_run.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr int kMostGroupsOff = 8;
constexpr double kDearCalls = 0.3; ///< seconds of the baseline for one run of the plan

/// By default clang moves a read that only the next iteration uses behind the loop's exit before it is instrumented,
/// and the one behind the array's end is gone.
constexpr const char *kKeepsReads[] = {"-mllvm", "-instcombine-code-sinking=false", //
                                       "-mllvm", "-rotation-max-header-size=0"};

CandidateUnit baselineUnit(const BuildContext &context) {
  return buildCandidateUnit({*context.spec, *context.level, context.compiler->family, "baseline"},
                            baselineCandidate(*context.spec));
}

/// Runs the baseline with ever fewer checks, until it passes or no check is left that it fails.
class Learning {
public:
  explicit Learning(const InstrumentedContext &context)
      : context_(context), unit_(baselineUnit(*context.build)),
        keepsReads_(context.build->compiler->family == Family::Clang) {}

  Result<SanitizeFacts> run() {
    SanitizerRuntimes runtimes = TRY(findSanitizerRuntimes(*context_.build->compiler));
    chooseFlags();
    facts_.runtimes = std::move(runtimes.libraries);
    if (facts_.runtimes.empty()) {
      facts_.remarks.push_back(runtimes.problem);
      return std::move(facts_);
    }
    for (int i = 0; i <= kMostGroupsOff; ++i) {
      bool isDone = TRY(attempt());
      if (isDone)
        break;
    }
    return std::move(facts_);
  }

private:
  /// -O3 drops reads whose values nobody uses before they are instrumented. Where calls are slow, -O2 has to do.
  std::string optimization() const {
    return context_.hasCalls() && context_.expectation->seconds > kDearCalls ? "-O2" : "-O1";
  }

  void chooseFlags() {
    facts_.flags = sanitizerFlags(*context_.build->compiler);
    facts_.flags.push_back(optimization());
    if (keepsReads_)
      facts_.flags.insert(facts_.flags.end(), std::begin(kKeepsReads), std::end(kKeepsReads));
  }

  /// Returns false if flags were changed, so that everything has to run again.
  Result<bool> attempt() {
    facts_.runsCalls = facts_.runsTests = false;
    const std::string directory = context_.directory + "/baseline";
    InstrumentedBuild build =
        TRY(buildInstrumented(*context_.build, withReports(unit_, facts_.runtimes), facts_.flags, directory));
    if (!build.ok && keepsReads_) { // another version of clang may not know the options
      keepsReads_ = false;
      chooseFlags();
      return false;
    }
    if (!build.ok) {
      facts_.remarks.push_back("the sanitizers did not run: the unchanged kernel does not compile with them");
      facts_.runtimes.clear();
      return true;
    }
    if (context_.hasCalls()) {
      SanitizedRun calls = TRY(runSanitizedCalls(context_, facts_.runtimes, build.sharedObject));
      if (turnsOff(calls.report))
        return false;
      facts_.runsCalls = passes(calls, "recorded calls");
      facts_.callSeconds = calls.seconds;
    }
    if (context_.hasTests()) {
      SanitizedRun tests = TRY(runSanitizedTests(context_, facts_.runtimes, build.sharedObject));
      if (turnsOff(tests.report))
        return false;
      facts_.runsTests = passes(tests, "tests");
      facts_.testSeconds = tests.seconds;
    }
    return true;
  }

  bool turnsOff(const SanitizerReport &report) {
    const std::string group = sanitizerGroup(report.summary);
    const std::string flag = "-fno-sanitize=" + group;
    if (group.empty() || std::ranges::find(facts_.flags, flag) != facts_.flags.end())
      return false;
    facts_.flags.push_back(flag);
    facts_.remarks.push_back("the unchanged kernel itself: runtime error: " + report.summary +
                             "; candidates are not checked for that");
    return true;
  }

  bool passes(const SanitizedRun &run, const std::string &what) {
    if (run.passed)
      return true;
    const std::string why =
        run.report.summary.empty() ? firstLine(run.detail) : "AddressSanitizer: " + run.report.summary;
    facts_.remarks.push_back("the sanitizers did not run on the " + what + ": the unchanged kernel itself: " + why);
    return false;
  }

  const InstrumentedContext &context_;
  CandidateUnit unit_;
  bool keepsReads_;
  SanitizeFacts facts_;
};

/// Returns the one line that an agent is shown.
Result<std::string> reportText(const InstrumentedContext &context, const SanitizedRun &run,
                               const InstrumentedBuild &build, const BuiltCandidate &candidate,
                               const std::string &what) {
  if (run.report.summary.empty())
    return "compiled with sanitizers, its " + what + " fail: " + firstLine(run.detail);
  ReportPlace place = TRY(placeOf(run.report, build, candidate.unit, *context.build->sandbox));
  std::string where = candidate.name;
  if (place.line != 0)
    where += ":" + std::to_string(place.line) + (place.column != 0 ? ":" + std::to_string(place.column) : "");
  const bool isUndefined = !run.report.file.empty();
  return where + ": " + (isUndefined ? "undefined behaviour: " : "memory error: ") + run.report.summary;
}

class Sanitizing {
public:
  Sanitizing(const InstrumentedContext &context, const SanitizeFacts &facts, const BuiltCandidate &candidate)
      : context_(context), facts_(facts), candidate_(candidate) {}

  Result<SanitizeOutcome> run() {
    const double start = steadySeconds();
    if (facts_.runsCalls || facts_.runsTests)
      TRY(build());
    outcome_.passed = outcome_.detail.empty();
    outcome_.seconds = steadySeconds() - start;
    return std::move(outcome_);
  }

private:
  Result<void> build() {
    InstrumentedBuild build = TRY(buildInstrumented(*context_.build, withReports(candidate_.unit, facts_.runtimes),
                                                    facts_.flags, context_.directory + "/candidate"));
    if (!build.ok) {
      outcome_.unmeasured = "it does not compile with sanitizers, although the unchanged kernel does";
      return {};
    }
    if (facts_.runsCalls) {
      outcome_.ranCalls = true;
      if (Result<void> taken = take(runSanitizedCalls(context_, facts_.runtimes, build.sharedObject), build, "calls");
          !taken || !outcome_.detail.empty())
        return taken;
    }
    if (facts_.runsTests) {
      outcome_.ranTests = true;
      return take(runSanitizedTests(context_, facts_.runtimes, build.sharedObject), build, "tests");
    }
    return {};
  }

  Result<void> take(Result<SanitizedRun> run, const InstrumentedBuild &build, const std::string &what) {
    if (!run)
      return std::unexpected(run.error());
    if (run->passed && run->report.summary.empty())
      return {};
    if (run->report.summary.empty() && !run->isFailure) {
      outcome_.unmeasured = "with sanitizers, its " + what +
                            " do not end, although those of the unchanged kernel do: " + firstLine(run->detail);
      return {};
    }
    outcome_.detail = TRY(reportText(context_, *run, build, candidate_, what));
    return {};
  }

  const InstrumentedContext &context_;
  const SanitizeFacts &facts_;
  const BuiltCandidate &candidate_;
  SanitizeOutcome outcome_;
};

} // namespace

std::vector<std::string> sanitizerFlags(const Compiler &compiler) {
  return {"-fsanitize=address,undefined,float-cast-overflow",
          compiler.family == Family::Clang ? "-fno-sanitize=vptr,function" : "-fno-sanitize=vptr",
          "-fno-sanitize-recover=all",
          "-fno-omit-frame-pointer",
          "-gdwarf-4",
          "-g1"};
}

Result<SanitizeFacts> learnSanitize(const InstrumentedContext &context) {
  return Learning(context).run();
}

Result<SanitizeOutcome> sanitize(const InstrumentedContext &context, const SanitizeFacts &facts,
                                 const BuiltCandidate &candidate) {
  return Sanitizing(context, facts, candidate).run();
}

} // namespace agentic
