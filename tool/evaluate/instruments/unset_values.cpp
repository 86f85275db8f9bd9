#include "tool/evaluate/instruments/unset_values.h"

#include "tool/base/clock.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"
#include "tool/evaluate/instruments/sanitize_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

// Limit for the CPU time of the baseline's calls: a multiple of the time of its full plan, within bounds.
constexpr double kPlans = 4, kLeast = 1, kMost = 5;
constexpr double kUnsetSlower = 10, kUnsetLeastSeconds = 20; // limit in multiples of the baseline's time
constexpr std::size_t kAllSteps = 1u << 30;
constexpr std::string_view kUse = "use-of-uninitialized-value";

std::string notRun(const std::string &why) {
  return "MemorySanitizer: not run: " + why;
}

CandidateUnit clangUnit(const BuildContext &build, const std::string &name, const std::string &text) {
  return buildCandidateUnit({*build.spec, *build.level, Family::Clang, name}, text);
}

std::string firstError(const std::string &diagnostics) {
  for (const std::string &line : split(diagnostics, '\n'))
    if (const std::size_t at = line.find("error: "); at != std::string::npos)
      return line.substr(at);
  return std::string(trim(firstLine(diagnostics)));
}

/// Returns why the baseline does not pass; empty if it does.
std::string problemOf(const MemoryRun &run) {
  if (run.report.summary == kUse)
    return "the unchanged kernel itself works with a value that nobody set";
  return run.isDone && run.steps > 0 ? "" : "the unchanged kernel itself: " + run.end;
}

class UnsetSearch {
public:
  UnsetSearch(const InstrumentedContext &context, const UnsetFacts &facts, const BuiltCandidate &candidate)
      : context_(context), facts_(facts), candidate_(candidate) {}

  Result<UnsetOutcome> run() {
    const double start = steadySeconds();
    if (facts_.steps > 0)
      TRY(judge());
    outcome_.passed = outcome_.detail.empty();
    outcome_.seconds = steadySeconds() - start;
    return std::move(outcome_);
  }

private:
  Result<void> judge() {
    const BuildContext context = facts_.tools.context(*context_.build);
    unit_ = clangUnit(context, candidate_.name, candidate_.text);
    if (unit_.findings.empty())
      build_ = TRY(buildInstrumented(context, unit_, unsetValueFlags(), context_.directory + "/unset"));
    else
      build_.diagnostics = unit_.findings.front().message;
    if (!build_.ok) {
      if (context_.build->compiler->family == Family::Clang)
        outcome_.unmeasured = "it does not compile with MemorySanitizer, although the unchanged kernel does";
      else
        outcome_.remarks.push_back(
            notRun("only g++ compiles the candidate: " +
                   firstError(filterDiagnostics(build_.diagnostics, build_.unitFile, candidate_.name))));
      return {};
    }
    MemoryRunRequest request;
    request.baseline = facts_.baseline;
    request.kernel = build_.sharedObject;
    request.steps = facts_.steps;
    request.timeoutSeconds = request.seconds = kUnsetLeastSeconds + kUnsetSlower * facts_.seconds;
    const MemoryRun run = TRY(runMemory(context_, facts_.tools, request));
    return take(run, request);
  }

  Result<void> take(const MemoryRun &run, const MemoryRunRequest &request) {
    if (run.report.summary == kUse)
      return takeReport(run.report, request);
    if (run.unset) {
      const auto &parameters = context_.build->spec->parameters;
      const bool isParameter = *run.unset >= 0 && std::size_t(*run.unset) < parameters.size();
      outcome_.detail = fmt::format(
          "{}: {} depends on a value that nobody set, or is not set at all (MemorySanitizer)", candidate_.name,
          isParameter ? "what it leaves in '" + parameters[std::size_t(*run.unset)].name + "'" : "its result");
    } else if (!run.isDone || run.steps < facts_.steps) {
      outcome_.unmeasured = "with MemorySanitizer, its calls do not end, although those of the unchanged kernel do: " +
                            (run.isDone ? "they take too long" : run.end);
    }
    return {};
  }

  /// Where MemorySanitizer does not know how an intrinsic propagates unset bits, all of its operands have to be set.
  /// Bits that cannot reach the results are no fault, and the stage differential has shown that none reached them: it
  /// calls with other random bits on stacks and registers every time. So that is no reason to reject, but nothing is
  /// known of the code that follows. What an output holds before a call is no such bit: it is the result of the call
  /// before.
  Result<void> takeReport(const SanitizerReport &report, const MemoryRunRequest &request) {
    ReportPlace place = TRY(placeOf(report, build_, unit_, *context_.build->sandbox));
    std::string where = candidate_.name;
    if (place.line != 0)
      where += ":" + std::to_string(place.line) + (place.column != 0 ? ":" + std::to_string(place.column) : "");
    const bool isStrict =
        hasStrictIntrinsics(build_) && TRY(isAtIntrinsic(report, build_, unit_, *context_.build->sandbox));
    if (isStrict && TRY(isOfAnOutput(request)))
      outcome_.detail = where + ": it works with what an output holds before the call (MemorySanitizer)";
    else if (isStrict)
      outcome_.unmeasured = where + ": an intrinsic gets a value of which nobody set all bits, and MemorySanitizer "
                                    "cannot see what becomes of them: set them (zeros will do)";
    else
      outcome_.detail =
          where + ": what it does depends on a value that nobody set (MemorySanitizer: " + report.summary + ")";
    return {};
  }

  /// Returns whether nothing is reported where outputs count as set.
  Result<bool> isOfAnOutput(MemoryRunRequest request) {
    request.outputsAreSet = true;
    const MemoryRun run = TRY(runMemory(context_, facts_.tools, request));
    return run.report.summary != kUse;
  }

  const InstrumentedContext &context_;
  const UnsetFacts &facts_;
  const BuiltCandidate &candidate_;
  CandidateUnit unit_;
  InstrumentedBuild build_;
  UnsetOutcome outcome_;
};

/// Runs the baseline and compares it with itself. Empty, or why MemorySanitizer is of no use here.
Result<std::string> learn(const InstrumentedContext &context, UnsetFacts &facts) {
  if (!context.hasCalls())
    return std::string("no calls can be replayed");
  facts.tools = TRY(buildMemoryTools(context));
  if (!facts.tools.problem.empty())
    return facts.tools.problem;
  const BuildContext build = facts.tools.context(*context.build);
  const CandidateUnit unit = clangUnit(build, "baseline", baselineCandidate(*build.spec));
  InstrumentedBuild baseline =
      TRY(buildInstrumented(build, unit, unsetValueFlags(), context.directory + "/unset-baseline"));
  if (!baseline.ok)
    return facts.tools.compiler.path + " does not compile the unchanged kernel: " + firstError(baseline.diagnostics);
  MemoryRunRequest request;
  request.baseline = request.kernel = baseline.sharedObject;
  request.seconds = std::clamp(kPlans * context.expectation->seconds, kLeast, kMost);
  request.steps = kAllSteps;
  request.timeoutSeconds = kUnsetLeastSeconds + kUnsetSlower * request.seconds;
  MemoryRun run = TRY(runMemory(context, facts.tools, request));
  if (std::string problem = problemOf(run); !problem.empty())
    return problem;
  facts.steps = run.steps;
  facts.seconds = run.seconds;
  if (run.unsetInBaseline > 0)
    facts.baseline = baseline.sharedObject;
  return std::string();
}

} // namespace

Result<UnsetFacts> learnUnset(const InstrumentedContext &context) {
  UnsetFacts facts;
  const std::string problem = TRY(learn(context, facts));
  if (!problem.empty())
    facts.remarks.push_back(notRun(problem));
  return facts;
}

Result<UnsetOutcome> findUnset(const InstrumentedContext &context, const UnsetFacts &facts,
                               const BuiltCandidate &candidate) {
  return UnsetSearch(context, facts, candidate).run();
}

} // namespace agentic
