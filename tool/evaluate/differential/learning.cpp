#include "tool/evaluate/differential/learning.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/evaluate/differential/generated_calls.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/plan_run.h"
#include "tool/evaluate/differential/probing.h"
#include "tool/evaluate/differential/sensitivity.h"
#include "tool/evaluate/differential/traffic.h"
#include "tool/evaluate/differential/tried_values.h"
#include "tool/evaluate/differential/varied_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

namespace agentic {
namespace {

/// The limits of each part.
struct PartLimits {
  std::size_t recordedCalls, repeatedCalls, bytes, contentCalls, contentSteps, variedCalls;
  int generatedCalls, patchesPerArgument;
  double baselineSeconds, timeout;
};
constexpr PartLimits kQuick{8, 1, 32u << 20, 1, 64, 8, 5, 1, 1.0, 60};
constexpr PartLimits kFull{32, 6, 512u << 20, 4, 160, 40, 56, 12, 4.0, 300};
constexpr int kMostDrops = 64, kMostDropsOfContents = 40;
constexpr double kVariedSeconds = 10; ///< of the trapping baseline, for all varied calls
constexpr double kUnoptimisedSeconds = 10;
constexpr std::size_t kSmallBytes = 4096; ///< of a call that the unoptimised baseline does, too

class Learner {
public:
  Learner(const ReplayContext &context, const LearningRequest &request)
      : context_(context), request_(request), limits_(request.part == DifferentialPart::Quick ? kQuick : kFull) {}

  Result<Expectation> run() {
    expectation_.exactness = exactnessOf(*request_.spec);
    expectation_.remarks = request_.recorded->uncovered;
    for (const GlueParameter &parameter : request_.kernel->parameters)
      expectation_.parameters.push_back(parameter.name);
    expectation_.planFile = request_.directory + "/plan";
    expectation_.resultsFile = request_.directory + "/results";
    const std::string &reason = request_.recorded->notReplayable;
    if (!reason.empty() || request_.recorded->calls.empty()) {
      expectation_.remarks.push_back("no call could be replayed: " + (reason.empty() ? "none was recorded" : reason));
      return std::move(expectation_);
    }
    for (auto step : {&Learner::chooseCalls, &Learner::probe, &Learner::generate, &Learner::plan,
                      &Learner::keepWhatTheBaselineDoes, &Learner::learnSensitivity})
      TRY((this->*step)());
    return finish();
  }

private:
  PlanRunRequest request(const std::string &planFile, const Plan &plan, const std::string &library) const {
    return {planFile, plan.steps.size(), library, limits_.timeout};
  }

  Result<ReplayOutcome> replayPlan(const Plan &plan, const std::string &library, const std::string &file,
                                   double timeout) {
    TRY(writeScratch(file, plan.bytes()));
    PlanRun run = runPlan(context_, {file, plan.steps.size(), library, timeout});
    expectation_.seconds = run.seconds;
    return std::move(run.outcome);
  }

  /// Shapes of benchmarks come first: there a wrong result pays. Of the tests' shapes the largest, the smallest, the
  /// second largest and so on, so that a few of them represent all sizes.
  Result<void> chooseCalls() {
    std::vector<RecordedCall> benchmarks, tests;
    for (const RecordedCall &call : request_.recorded->calls)
      (call.header.isBenchmark ? benchmarks : tests).push_back(call);
    const auto size = [](const RecordedCall &call) { return std::pair(payloadBytes(call), call.header.sequence); };
    std::ranges::sort(benchmarks, {}, size);
    std::ranges::sort(tests, std::greater(), size);
    std::vector<RecordedCall> calls = std::move(benchmarks);
    for (std::size_t first = 0, last = tests.size(); first < last;) {
      calls.push_back(tests[first++]);
      if (first < last)
        calls.push_back(tests[--last]);
    }
    for (RecordedCall &call : agentic::chooseCalls(std::move(calls), limits_.recordedCalls, limits_.bytes))
      calls_.push_back({.call = std::move(call), .isHeldOut = false, .origin = {}});
    addCallForContents();
    for (PlannedCall &planned : calls_)
      planned.origin = planned.call.header.isBenchmark ? "recorded in a benchmark" : "recorded in a test";
    return {};
  }

  /// Adds the largest call that is not too large for other contents, if there is one.
  void addCallForContents() {
    const auto isFit = [](const RecordedCall &call) { return payloadBytes(call) <= kMostContentBytes; };
    if (std::ranges::any_of(calls_, isFit, &PlannedCall::call))
      return;
    const std::vector<RecordedCall> &all = request_.recorded->calls;
    const auto best = std::ranges::max_element(
        all, {}, [&](const RecordedCall &call) { return isFit(call) ? payloadBytes(call) : 0; });
    if (best != all.end() && isFit(*best)) // first: costly calls could use up the rest of the time
      calls_.insert(calls_.begin(), {.call = *best, .isHeldOut = false, .origin = {}});
  }

  Result<void> probe() {
    Result<ProbedCalls> probed =
        probeCalls({.kernel = request_.kernel,
                    .calls = std::move(calls_),
                    .seed = request_.seed,
                    .mostRepeated = limits_.repeatedCalls,
                    .runBaseline = [this](const Plan &plan) {
                      return replayPlan(plan, request_.baseline, expectation_.planFile, limits_.timeout);
                    }});
    if (!probed)
      return std::unexpected(probed.error());
    calls_ = std::move(probed->calls);
    repeated_ = std::move(probed->repeated);
    return {};
  }

  Result<void> generate() {
    GenerationRequest request{.contract = &request_.spec->contract,
                              .parameters = &request_.kernel->parameters,
                              .recorded = &calls_,
                              .seed = request_.seed ^ 0x5eed,
                              .calls = limits_.generatedCalls,
                              .longestTail = request_.longestTail,
                              .hasFixedTurns = true,
                              .text = request_.spec->text};
    request.specialValues = wishes().special && (request_.spec->contract.specialValues || isStrict());
    request.extremes = !request_.baselineTrapping.empty();
    std::vector<PlannedCall> varied;
    if (!request_.baselineTrapping.empty())
      varied = variedCalls({&request_.spec->contract, &request_.kernel->parameters, &calls_, limits_.variedCalls,
                            wishes().special, request_.spec->text});
    GeneratedCalls generated = generateCalls(request);
    if (!generated.none.empty())
      expectation_.remarks.push_back("no held-out calls: " + generated.none);
    std::ranges::move(repeated_, std::back_inserter(calls_));
    std::ranges::move(generated.calls, std::back_inserter(calls_));
    std::ranges::move(varied, std::back_inserter(calls_));
    return {};
  }

  /// Without the trapping baseline nothing shows undefined behaviour, such as a NaN that becomes an integer.
  ContentWishes wishes() const {
    const bool isChecked = !request_.baselineTrapping.empty(), isSpecial = hasSpecialValues(*request_.spec);
    return {.wild = isChecked, .special = isChecked && isSpecial, .magnitudes = isChecked && isSpecial && isStrict()};
  }
  bool isStrict() const { return !expectation_.exactness.hasTolerance(); }

  Result<void> plan() {
    PlanRequest request{.kernel = request_.kernel,
                        .calls = std::move(calls_),
                        .seed = request_.seed,
                        .patchesPerArgument = limits_.patchesPerArgument,
                        .extremes = !request_.baselineTrapping.empty(),
                        .contents = wishes(),
                        .contentCalls = limits_.contentCalls,
                        .contentSteps = limits_.contentSteps,
                        .byteLimit = limits_.bytes,
                        .secondsLimit = request_.secondsLimit > 0
                                            ? std::min(request_.secondsLimit, limits_.baselineSeconds)
                                            : limits_.baselineSeconds};
    plan_ = makePlan(request);
    return {};
  }

  /// Drops steps until the baseline survives all that are left; the trapping one must survive those whose contents we
  /// made, which alone can cause undefined behaviour. Mostly both survive all, so they run side by side.
  Result<void> keepWhatTheBaselineDoes() {
    int dropped = 0;
    TRY(dropWhatReadsElsewhere(dropped));
    std::optional<ReplayOutcome> known;
    if (!request_.baselineTrapping.empty() && !plan_.steps.empty()) {
      TRY(writeScratch(expectation_.planFile, plan_.bytes()));
      const std::size_t planned = plan_.steps.size();
      PlanRunBeside whole(context_, request(expectation_.planFile, plan_, request_.baseline));
      const Result<void> done = dropWhatTraps(dropped);
      const bool isSame = done && plan_.steps.size() == planned;
      if (!isSame)
        whole.stop(); // a step that traps may do anything without the traps
      PlanRun run = whole.get();
      if (!done)
        return done;
      if (isSame && !run.outcome)
        return std::unexpected(run.outcome.error());
      if (isSame) {
        known = std::move(*run.outcome);
        expectation_.seconds = run.seconds;
      }
    }
    if (Result<void> done = dropUntilSurvived(plan_, {request_.baseline, expectation_.planFile, limits_.timeout},
                                              dropped, std::move(known));
        !done)
      return done;
    if (dropped > 0)
      expectation_.remarks.push_back(fmt::format("{} of our own steps were left out, since the unchanged kernel reads "
                                                 "or writes elsewhere with their values, or "
                                                 "does not end{}",
                                                 dropped, notAskedText()));
    return {};
  }

  /// Describes the other contents that were left out.
  std::string notAskedText() const {
    std::vector<std::string> texts(notAsked_.begin(), notAsked_.end());
    if (constexpr std::size_t kShown = 4; texts.size() > kShown)
      texts.resize(kShown), texts.emplace_back("and others");
    return texts.empty() ? "" : ": " + join(texts, "; ");
  }

  /// Varied calls, which may never end, run apart and have less time.
  Result<void> dropWhatTraps(int &dropped) {
    const auto isVaried = [this](const PlanStep &step) { return plan_.calls[step.header.call].varied.has_value(); };
    TRY(dropWhatTraps(dropped, isVaried, kVariedSeconds));
    return dropWhatTraps(dropped, std::not_fn(isVaried), limits_.timeout);
  }

  /// An element that is read in front of a loop which does not run is of no use, and gone from the optimised baseline.
  Result<void> dropWhatReadsElsewhere(int &dropped) {
    if (request_.baselineUnoptimised.empty())
      return {};
    const auto isSmall = [this](const PlanStep &step) {
      return payloadBytes(plan_.calls[step.header.call].call) <= kSmallBytes;
    };
    return dropWhatFails(dropped, isSmall, {request_.baselineUnoptimised, {}, kUnoptimisedSeconds, true});
  }

  template <class IsOfThese> Result<void> dropWhatTraps(int &dropped, const IsOfThese &isOfThese, double timeout) {
    return dropWhatFails(dropped, isOfThese, {request_.baselineTrapping, {}, timeout});
  }

  struct Survival {
    std::string library, planFile;
    double timeout = 0;
    bool maySlow = false; ///< a run that takes too long tells nothing
  };

  /// Drops those of our own steps that a form of the baseline does not survive.
  template <class IsOfThese> Result<void> dropWhatFails(int &dropped, const IsOfThese &isOfThese, Survival survival) {
    survival.planFile = expectation_.planFile + ".made";
    const auto isMade = [&](const PlanStep &step) { return needsApproval(step) && isOfThese(step); };
    Plan made{.calls = plan_.calls, .steps = plan_.steps};
    std::erase_if(made.steps, std::not_fn(isMade));
    TRY(dropUntilSurvived(made, survival, dropped, std::nullopt));
    const auto survived = [&](const PlanStep &step) {
      return std::ranges::find(made.steps, step.header.seed, [](const PlanStep &one) { return one.header.seed; }) !=
             made.steps.end();
    };
    std::erase_if(plan_.steps, [&](const PlanStep &step) { return isMade(step) && !survived(step); });
    return {};
  }

  static bool hasMadeNull(const PlannedCall &planned) {
    return planned.varied && planned.call.arguments[*planned.varied].header.role == wire::Role::Null;
  }

  /// `known`: the outcome of the first run, if that was made already.
  Result<void> dropUntilSurvived(Plan &plan, const Survival &files, int &dropped, std::optional<ReplayOutcome> known) {
    for (int i = 0; !plan.steps.empty(); ++i) {
      if (!known) {
        known = TRY(replayPlan(plan, files.library, files.planFile, files.timeout));
      }
      baseline_ = std::move(*known);
      known.reset();
      if (baseline_.isComplete || (files.maySlow && baseline_.timedOut))
        break;
      if (baseline_.isNotLoadable || i == kMostDrops) {
        if (baseline_.isNotLoadable)
          expectation_.remarks.push_back("calls cannot be replayed: " + baseline_.message);
        plan.steps.clear();
        break;
      }
      const bool isFault = !baseline_.steps.empty() && baseline_.steps.back().header.status != wire::StepStatus::Done;
      if (isFault && plan.isVerbatim(plan.steps[baseline_.steps.size() - 1]))
        TRY(checkContract(plan, baseline_.steps.back().header));
      const std::size_t index = std::min(baseline_.steps.size() - (isFault ? 1 : 0), plan.steps.size() - 1);
      const StepEnd end = !isFault && baseline_.timedOut                               ? StepEnd::Time
                          : isFault && baseline_.steps.back().header.signal != SIGSEGV ? StepEnd::Trap
                                                                                       : StepEnd::Access;
      if (plan.steps[index].hasOtherContents)
        notAsked_.insert(plan.steps[index].circumstance);
      const bool isNull = hasMadeNull(plan.calls[plan.steps[index].header.call]); // most kernels demand a pointer
      const int gone = dropStep(plan, index, end);
      dropped += isNull ? 0 : gone;
      if (i == kMostDropsOfContents)
        dropped +=
            static_cast<int>(std::erase_if(plan.steps, [](const PlanStep &step) { return step.hasOtherContents; }));
    }
    return {};
  }

  /// A baseline that violates its contract, in a call as the project itself makes it, is an error to report.
  Result<void> checkContract(const Plan &plan, const wire::StepResult &fault) const {
    const PlannedCall &planned = plan.calls[plan.steps[fault.step].header.call];
    const std::size_t argument = static_cast<std::size_t>(fault.argument);
    if (fault.argument < 0 || argument >= planned.call.arguments.size() ||
        !request_.kernel->parameters[argument].hasExtent)
      return {};
    std::vector<std::size_t> bytes;
    for (const RecordedArgument &one : planned.call.arguments)
      bytes.push_back(one.bytes.size());
    const Extent *extent = extentOf(request_.spec->contract, request_.kernel->parameters[argument].name);
    return userError(fmt::format("the unchanged kernel '{}' does not keep to its contract: in a call {} it {}, whose "
                                 "extent is declared as '{}'",
                                 request_.spec->kernel, planned.origin,
                                 faultText(fault, bytes, expectation_.parameters), extent ? extent->text : ""),
                     "correct the AGENTIC_IN, AGENTIC_OUT or AGENTIC_INOUT of the kernel, or the kernel");
  }

  bool needsApproval(const PlanStep &step) const {
    return !plan_.isVerbatim(step) && plan_.calls[step.header.call].isCheap();
  }

  Result<void> learnSensitivity() {
    sensitivity_ = TRY(agentic::learnSensitivity({.context = &context_,
                                                  .plan = &plan_,
                                                  .baseline = &baseline_,
                                                  .kernel = request_.kernel,
                                                  .exactness = expectation_.exactness,
                                                  .planFile = expectation_.planFile,
                                                  .library = request_.baseline,
                                                  .unfused = request_.baselineUnfused,
                                                  .timeoutSeconds = limits_.timeout}));
    return {};
  }

  Result<Expectation> finish() {
    std::string results, uncontracted;
    std::vector<bool> used(plan_.calls.size());
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const PlannedCall &call = plan_.calls[plan_.steps[i].header.call];
      const ReplayedStep &done = baseline_.steps[i];
      ExpectedStep step{.fields = sensitivity_.fields[i],
                        .circumstance = plan_.steps[i].circumstance,
                        .origin = call.origin,
                        .isHeldOut = call.isHeldOut,
                        .isVerbatim = plan_.isVerbatim(plan_.steps[i]),
                        .outputHash = done.header.outputHash,
                        .disturbances = done.header.disturbances,
                        .mayDiffer = sensitivity_.mayDiffer[i],
                        .begin = results.size(),
                        .bytes = done.outputs.size()};
      for (const RecordedArgument &argument : call.call.arguments)
        step.argumentBytes.push_back(argument.bytes.size());
      results.append(reinterpret_cast<const char *>(done.outputs.data()), done.outputs.size());
      if (!sensitivity_.uncontracted.steps.empty()) {
        const ReplayedStep &plain = sensitivity_.uncontracted.steps[i];
        step.uncontractedHash = plain.header.outputHash;
        uncontracted.append(reinterpret_cast<const char *>(plain.outputs.data()), plain.outputs.size());
      }
      expectation_.steps.push_back(std::move(step));
      if (!used[plan_.steps[i].header.call]) {
        used[plan_.steps[i].header.call] = true;
        ++(call.isHeldOut ? expectation_.generatedCalls : expectation_.recordedCalls);
      }
    }
    expectation_.benchmarkCalls = benchmarkTraffic(plan_, baseline_);
    if (std::string tried = triedValues(plan_, *request_.kernel); !tried.empty())
      expectation_.remarks.push_back(std::move(tried));
    TRY(writeScratch(expectation_.resultsFile, results));
    if (!sensitivity_.uncontracted.steps.empty()) {
      expectation_.uncontractedFile = expectation_.resultsFile + ".uncontracted";
      TRY(writeScratch(expectation_.uncontractedFile, uncontracted));
    }
    return std::move(expectation_);
  }

  const ReplayContext &context_;
  const LearningRequest &request_;
  const PartLimits &limits_;
  std::vector<PlannedCall> calls_, repeated_;
  Plan plan_;
  ReplayOutcome baseline_;
  Sensitivity sensitivity_;
  std::set<std::string> notAsked_;
  Expectation expectation_;
};

} // namespace

Result<Expectation> learnExpectation(const ReplayContext &context, const LearningRequest &request) {
  return Learner(context, request).run();
}

} // namespace agentic
