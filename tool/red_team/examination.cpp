#include "tool/red_team/examination.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/audit.h"
#include "tool/evaluate/baseline/differential_facts.h"
#include "tool/evaluate/baseline/instrumented_facts.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/pipeline/comparison_in_place.h"
#include "tool/red_team/benchmark_audit.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace agentic {
namespace {

constexpr double kTestSeconds = 5; // far more than any baseline of the suite needs
constexpr std::size_t kReasonCap = 300;

using State = LayerResult::State;

void say(LayerResult &result, State state, std::string reason = {}) {
  result.state = state;
  if (reason.size() > kReasonCap)
    reason = reason.substr(0, kReasonCap - 3) + "...";
  result.reason = std::move(reason);
}

void sayFindings(LayerResult &result, const std::vector<Finding> &findings) {
  if (findings.empty())
    return say(result, State::NotCaught);
  std::set<std::string> checks;
  for (const Finding &finding : findings)
    checks.insert(finding.check);
  say(result, State::Caught, findings.front().message);
  result.checks.assign(checks.begin(), checks.end());
}

/// One candidate between the two halves of its examination.
struct Subject {
  Candidate candidate;
  std::string directory, sharedObject;
  std::optional<BuiltCandidate> built;
};

class StagedExamination : public Examination {
public:
  StagedExamination(const EvaluatorOptions &options, Prepared prepared, ScratchDirectory scratch)
      : options_(options), prepared_(std::move(prepared)), scratch_(std::move(scratch)) {}

  const KernelSpec &spec() const override { return prepared_.spec; }
  Result<void> examine(std::span<RedTeamResult> rows, const std::function<void(const std::string &)> &done) override;

private:
  RunContext context() const { return prepared_.runContext(options_, scratch_.path().string()); }

  Result<void> judge(RedTeamResult &row, Subject &subject) const;
  Result<void> judgeSource(const Subject &subject, LayerResult &check) const;
  Result<void> judgeObject(Subject &subject, LayerResults &layers) const;
  Result<void> judgeAudit(const Subject &subject, const BuiltCandidate &built, LayerResult &audit) const;
  Result<void> judgeRuns(const RedTeamResult &row, const Subject &subject, LayerResults &layers) const;
  Result<void> judgeSandbox(const RedTeamResult &row, const Subject &subject, LayerResult &sandbox) const;
  Result<void> judgeConfirm(const RedTeamResult &row, const Subject &subject, LayerResult &confirm) const;
  Result<void> judgeAttempt(const TestProgram &program, std::vector<std::string> arguments, const Subject &subject,
                            LayerResult &layer) const;
  Result<void> judgeDifferential(const RedTeamResult &row, const Subject &subject, LayerResult &differential) const;
  Result<void> judgeSanitize(const RedTeamResult &row, const Subject &subject, LayerResult &sanitize) const;
  Result<const UnsetFacts *> unsetFacts() const;
  Result<const Expectation *> fullExpectation() const;
  Result<void> judgeBenchmark(const BenchmarkAudit &audit, const Subject &subject, LayerResult &benchmark) const;

  EvaluatorOptions options_;
  Prepared prepared_;
  ScratchDirectory scratch_;
  mutable std::mutex learning_;
  mutable std::optional<Expectation> full_;      ///< guarded by learning_
  mutable std::optional<UnsetFacts> unsetFacts_; ///< guarded by learning_
};

Result<void> StagedExamination::judgeSource(const Subject &subject, LayerResult &check) const {
  std::vector<Finding> findings = TRY(checkCandidate(prepared_.buildContext(options_), subject.candidate));
  sayFindings(check, findings);
  return {};
}

Result<void> StagedExamination::judgeAudit(const Subject &subject, const BuiltCandidate &built,
                                           LayerResult &audit) const {
  AuditRequest request;
  request.objectFile = built.objectFile;
  request.symbol = built.unit.symbol;
  request.allowedUndefined = prepared_.facts.allowedUndefined;
  request.allowedFunctions = prepared_.spec.policy.allow.functions;
  request.candidateName = subject.candidate.id;
  AuditOutcome outcome = TRY(auditObject(request));
  sayFindings(audit, outcome.findings);
  return {};
}

/// Runs compile, with the project's flags and without its ISA flags, and audit.
Result<void> StagedExamination::judgeObject(Subject &subject, LayerResults &layers) const {
  const BuildContext context = prepared_.buildContext(options_);
  BuildOutcome outcome = TRY(buildRefused(context, subject.candidate, subject.directory));
  if (!outcome.built) {
    const bool isUnit = outcome.refusal.stage != Stage::Check;
    say(layers[Layer::Compile], isUnit ? State::Caught : State::NotApplicable, outcome.refusal.detail);
    return {};
  }
  std::string problem = TRY(genericBuildProblem(context, *outcome.built, options_.cancelled));
  say(layers[Layer::Compile], problem.empty() ? State::NotCaught : State::Caught, problem);
  TRY(judgeAudit(subject, *outcome.built, layers[Layer::Audit]));
  subject.sharedObject = outcome.built->sharedObject;
  subject.built = std::move(outcome.built);
  if (subject.sharedObject.empty())
    say(layers[Layer::Compile], State::Caught, "it does not link: " + subject.built->diagnostics);
  return {};
}

/// Judges whether the row's attempt is denied: it traps when it is not.
Result<void> StagedExamination::judgeSandbox(const RedTeamResult &row, const Subject &subject,
                                             LayerResult &sandbox) const {
  if (!row.row.names(Layer::Sandbox)) {
    say(sandbox, State::NotApplicable, "it tries nothing that a sandbox would deny");
    return {};
  }
  if (!prepared_.sandbox.confines()) {
    say(sandbox, State::NotApplicable, "no sandbox works here");
    return {};
  }
  return judgeAttempt(prepared_.shadow.tests.front(), {}, subject, sandbox);
}

/// Judges whether results of earlier calls are gone where every output is overwritten before each call.
Result<void> StagedExamination::judgeConfirm(const RedTeamResult &row, const Subject &subject,
                                             LayerResult &confirm) const {
  if (!row.row.names(Layer::Confirm)) {
    say(confirm, State::NotApplicable, "it does not live on results of earlier calls");
    return {};
  }
  TestProgram program = prepared_.shadow.benchmarks.front();
  program.environment.push_back("AGENTIC_KERNEL_CLOBBER=1");
  if (!program.metric.pattern.empty())
    return judgeAttempt(program, {}, subject, confirm);
  std::vector<std::string> arguments{"--benchmark_min_time=0.01"};
  if (const std::string filter = filterFor(prepared_.facts.benchmarks.front(), prepared_.manifest.benchmarkFilter);
      !filter.empty())
    arguments.push_back("--benchmark_filter=" + filter);
  return judgeAttempt(program, std::move(arguments), subject, confirm);
}

Result<void> StagedExamination::judgeAttempt(const TestProgram &program, std::vector<std::string> arguments,
                                             const Subject &subject, LayerResult &layer) const {
  ProgramRequest request;
  request.program = &program;
  request.sharedObject = subject.sharedObject;
  request.arguments = std::move(arguments);
  request.timeoutSeconds = kTestSeconds;
  ProgramRun run = TRY(runProgram(context(), request));
  const bool escaped = run.process.end == ProcessResult::End::Signalled && run.process.code == SIGILL;
  say(layer, escaped ? State::NotCaught : State::Caught, escaped ? "" : "what it tried was denied");
  return {};
}

/// Learns the full part, which a winner has to pass.
Result<const Expectation *> StagedExamination::fullExpectation() const {
  const std::lock_guard lock(learning_);
  if (!full_) {
    full_ = TRY(learnDifferential(prepared_, options_, {.part = DifferentialPart::Full},
                                  (scratch_.path() / "differential").string(), scratch_.path().string()));
  }
  return &*full_;
}

Result<void> StagedExamination::judgeDifferential(const RedTeamResult &row, const Subject &subject,
                                                  LayerResult &differential) const {
  if (!hasDifferential(prepared_, prepared_.expectation)) {
    say(differential, State::NotApplicable, "calls of this kernel cannot be captured");
    return {};
  }
  const double start = steadySeconds();
  const auto judgeBy = [&](const Expectation &expectation) {
    return agentic::judgeDifferential(prepared_, options_, expectation, subject.sharedObject, scratch_.path().string());
  };
  Result<DifferentialOutcome> outcome = judgeBy(prepared_.expectation);
  if (!outcome)
    return std::unexpected(outcome.error());
  if (outcome->passed && row.row.names(Layer::Differential)) {
    const Expectation *full = TRY(fullExpectation());
    outcome = judgeBy(*full);
    if (!outcome)
      return std::unexpected(outcome.error());
    if (outcome->passed)
      outcome = judgeInPlace(prepared_, options_, *full, subject.sharedObject, scratch_.path().string());
    if (!outcome)
      return std::unexpected(outcome.error());
    outcome->detail = "the full part: " + outcome->detail;
  }
  say(differential, outcome->passed ? State::NotCaught : State::Caught, outcome->detail);
  differential.seconds = steadySeconds() - start;
  return {};
}

/// Learnt once for all rows.
Result<const UnsetFacts *> StagedExamination::unsetFacts() const {
  const std::lock_guard lock(learning_);
  if (!unsetFacts_) {
    const BuildContext build = prepared_.buildContext(options_);
    const InstrumentedContext instrumented =
        TRY(instrumentedContext(prepared_, options_, build, prepared_.expectation, scratch_.path()));
    unsetFacts_ = TRY(quickUnsetFacts(prepared_, instrumented));
  }
  return &*unsetFacts_;
}

/// Only rows that may use unset values are judged: it costs as much as all other layers together.
Result<void> StagedExamination::judgeSanitize(const RedTeamResult &row, const Subject &subject,
                                              LayerResult &sanitize) const {
  if (row.row.isHostile && !row.row.names(Layer::Sanitize)) {
    say(sanitize, State::NotApplicable, "it does not live on values that nobody set");
    return {};
  }
  const double start = steadySeconds();
  const UnsetFacts *facts = TRY(unsetFacts());
  if (facts->steps == 0) {
    say(sanitize, State::NotApplicable, join(facts->remarks, "; "));
    return {};
  }
  const BuildContext build = prepared_.buildContext(options_);
  const InstrumentedContext instrumented =
      TRY(instrumentedContext(prepared_, options_, build, prepared_.expectation, subject.directory));
  UnsetOutcome outcome = TRY(findUnset(instrumented, *facts, *subject.built));
  say(sanitize, outcome.passed ? State::NotCaught : State::Caught,
      outcome.passed ? outcome.unmeasured + join(outcome.remarks, "; ") : outcome.detail);
  sanitize.seconds = steadySeconds() - start;
  return {};
}

Result<void> StagedExamination::judgeRuns(const RedTeamResult &row, const Subject &subject,
                                          LayerResults &layers) const {
  TRY(judgeSandbox(row, subject, layers[Layer::Sandbox]));
  TRY(judgeConfirm(row, subject, layers[Layer::Confirm]));
  TestRequest request;
  request.programs = &prepared_.shadow.tests;
  request.filter = prepared_.manifest.testFilter;
  request.sharedObject = subject.sharedObject;
  request.secondsLimit = kTestSeconds;
  const double start = steadySeconds();
  TestOutcome outcome = TRY(runTests(context(), request, prepared_.facts.tests));
  say(layers[Layer::Test], outcome.passed ? State::NotCaught : State::Caught, outcome.detail);
  layers[Layer::Test].seconds = steadySeconds() - start;
  TRY(judgeDifferential(row, subject, layers[Layer::Differential]));
  return judgeSanitize(row, subject, layers[Layer::Sanitize]);
}

Result<void> StagedExamination::judge(RedTeamResult &row, Subject &subject) const {
  LayerResults &layers = row.layers;
  double start = steadySeconds();
  const auto took = [&](Layer layer) {
    layers[layer].seconds = steadySeconds() - start;
    start = steadySeconds();
  };
  TRY(judgeSource(subject, layers[Layer::Check]));
  took(Layer::Check);
  TRY(judgeObject(subject, layers));
  took(Layer::Compile);
  if (!subject.sharedObject.empty())
    return judgeRuns(row, subject, layers);
  for (Layer layer : {Layer::Audit, Layer::Sandbox, Layer::Test, Layer::Differential, Layer::Benchmark, Layer::Sanitize,
                      Layer::Confirm})
    if (layers[layer].state == State::NotApplicable)
      layers[layer].reason = "there is nothing to run";
  return {};
}

Result<void> StagedExamination::judgeBenchmark(const BenchmarkAudit &audit, const Subject &subject,
                                               LayerResult &benchmark) const {
  const double start = steadySeconds();
  std::string problem = TRY(audit.problem(subject.sharedObject));
  say(benchmark, problem.empty() ? State::NotCaught : State::Caught, problem);
  benchmark.seconds = steadySeconds() - start;
  return {};
}

Result<void> StagedExamination::examine(std::span<RedTeamResult> rows,
                                        const std::function<void(const std::string &)> &done) {
  std::vector<Subject> subjects(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto text = redTeamCandidate(rows[i].row, prepared_.spec);
    if (!text) {
      rows[i].unfit = text.error();
      continue;
    }
    subjects[i].candidate = makeCandidate(std::move(*text), "file: " + rows[i].row.name + ".cpp");
    subjects[i].directory = (scratch_.path() / std::to_string(i)).string();
    TRY(createDirectories(subjects[i].directory));
  }

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  Result<void> outcome; // the first error
  const auto work = [&] {
    for (std::size_t i = next++; i < rows.size(); i = next++) {
      if (!rows[i].unfit.empty())
        continue;
      Result<void> judged = judge(rows[i], subjects[i]);
      const std::lock_guard lock(mutex);
      if (!judged && outcome) {
        outcome = std::unexpected(judged.error());
        next = rows.size();
      }
      if (judged && done)
        done(rows[i].row.name);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back(work);
    work();
  }
  if (!outcome)
    return outcome;

  const LockFile lock = TRY(lockMeasuring({}, options_.cancelled));
  const RunContext audited = context();
  BenchmarkAudit audit = TRY(BenchmarkAudit::learn(prepared_, audited));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!subjects[i].sharedObject.empty())
      TRY(judgeBenchmark(audit, subjects[i], rows[i].layers[Layer::Benchmark]));
  return {};
}

} // namespace

Result<std::unique_ptr<Examination>> Examination::open(const EvaluatorOptions &options) {
  Prepared prepared = TRY(prepare(options));
  if (!prepared.isTimed)
    return userError("level " + std::string(prepared.level->name) + " of kernel '" + prepared.spec.kernel +
                         "' is only emulated here, and most layers do not work there",
                     "examine it on a machine that has " + std::string(prepared.level->name));
  ScratchDirectory scratch = TRY(ScratchDirectory::create(prepared.workRoot, prepared.spec.kernel + "-examination-"));
  if (options.warning)
    for (const std::string &warning : prepared.warnings)
      options.warning(warning);
  return std::make_unique<StagedExamination>(options, std::move(prepared), std::move(scratch));
}

} // namespace agentic
