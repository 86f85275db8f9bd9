// The evaluator of a prepared kernel, stage by stage. Private to this folder: others use evaluator.h.
#pragma once

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/evaluate/adequacy/adequacy.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/instruments/sanitize.h"
#include "tool/evaluate/instruments/unset_values.h"
#include "tool/evaluate/pipeline/evaluator.h"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

template <typename Value> class AheadOfTurn;

class StagedEvaluator : public Evaluator {
public:
  /// `hosts`: nullptr, or where everything is measured; `host`: the one of them that this evaluator prefers.
  StagedEvaluator(const EvaluatorOptions &options, Prepared prepared, ScratchDirectory scratch,
                  std::shared_ptr<MeasuringHosts> hosts = nullptr, std::size_t host = 0);
  ~StagedEvaluator() override;

  const Manifest &manifest() const override { return prepared_.manifest; }
  const KernelSpec &spec() const override { return prepared_.spec; }
  const Level &level() const override { return *prepared_.level; }
  bool isTimed() const override { return prepared_.isTimed; }
  std::string measuringCpu() const override { return hosts_ ? hosts_->cpu() : cpuName(); }
  std::string measuredOn() const override { return hosts_ ? hosts_->group() : std::string(); }
  const Compiler &compiler() const override { return prepared_.compiler; }
  const Calibration &calibration() const override { return prepared_.facts.calibration; }
  const std::vector<std::string> &compileFlags() const override { return prepared_.shadow.command.arguments; }
  const std::vector<StageTime> &preparationTimes() const override { return prepared_.times; }
  StageFacts stageFacts() const override {
    return {context(),
            prepared_.facts.tests,
            prepared_.facts.benchmarks,
            rule(),
            prepared_.shadow.benchmarks,
            prepared_.facts.applications,
            prepared_.cpu(options_),
            [this](const RunContext &context, const BenchmarkRequest &request) { return measured(context, request); }};
  }
  Result<void> recheckInputs() override { return recheck(prepared_, options_); }

  Result<Evaluation> evaluate(const Candidate &candidate, const Candidate *incumbent, double seconds) override;
  void recall(const Evaluation &evaluation) override { remember(evaluation); }
  void ahead(const std::vector<Candidate> &candidates, const Candidate *incumbent) override;
  void endAhead() override;
  Result<Evaluation> inspect(const Candidate &candidate) override;
  Result<Evaluation> shortened(const Candidate &candidate, const ShorterRequest &request) override;
  Result<Evaluation> confirm(const Candidate &candidate, int attempt) override;
  Result<Evaluation> duel(const Candidate &candidate, const Candidate &rival) override;
  Result<Evaluation> examine(const Candidate &candidate) override;
  Result<std::string> replayShipped(const std::string &file, const CompileCommand &command) override;
  std::string costEstimate() const override;
  Result<Insight> insight(const Candidate &candidate, const InsightRequest &request) override;
  Result<Adequacy> adequacy(const AdequacyRequest &request) override {
    if (!prepared_.isTimed)
      return std::unexpected(onlyEmulated("tries of faulty versions"));
    const double start = steadySeconds();
    Result<Adequacy> judged = judgeTests(prepared_, options_, request);
    prepared_.times.push_back({"test-adequacy", steadySeconds() - start});
    return judged;
  }
  Result<std::string> uncovered() override;

private:
  /// One evaluation in progress.
  struct Run {
    Evaluation evaluation;
    double start = 0;
  };
  /// What was measured of a candidate.
  struct Measured {
    std::string incumbent;                       ///< its id; empty: there was none, or the candidate is it
    std::optional<BenchmarkOutcome> duel, claim; ///< against the incumbent; if that was won, against the baseline
  };
  /// What the stages before the benchmark found.
  struct Early {
    Run run;
    std::optional<BuiltCandidate> built; ///< nullopt: refused
    bool isJudged = false;               ///< there is nothing to measure: the evaluation says why
    double seconds = 0;
    std::optional<Measured> measured; ///< by a worker with a host of its own
  };
  struct Workers;
  /// While it lives, no worker does anything, if that is wanted.
  class Quiet {
  public:
    Quiet(const StagedEvaluator &evaluator, bool isWanted);
    ~Quiet();
    Quiet(const Quiet &) = delete;
    Quiet &operator=(const Quiet &) = delete;

  private:
    AheadOfTurn<Early> *queue_;
  };

  void enter(Stage stage) {
    if (options_.stage)
      options_.stage(stage);
  }
  RunContext context() const { return prepared_.runContext(options_, scratch_.path().string()); }
  DecisionRule searchRule() const {
    DecisionRule rule = this->rule();
    rule.needsPromise = true;
    return rule;
  }
  DecisionRule rule() const {
    DecisionRule rule;
    rule.threshold = options_.threshold;
    rule.seed = options_.seed;
    return rule;
  }
  Error onlyEmulated(const std::string &what) const;
  Run begin(const Candidate &candidate) const;
  void noteForReview(Run &run, const BuiltCandidate &built) const;
  Evaluation finish(Run &run, Verdict verdict, Stage stage, std::string detail = {}) const;
  void remember(const Evaluation &evaluation);
  std::optional<Evaluation> sameCode(Run &run, const std::string &hash) const;

  Result<std::optional<BuiltCandidate>> build(Run &run, const Candidate &candidate);
  Result<BuiltCandidate> buildAgain(const Candidate &candidate);
  /// genericBuildProblem(), which is asked once for a unit that has none.
  Result<std::string> genericProblem(const BuiltCandidate &built);
  Result<bool> testsPass(Run &run, const BuiltCandidate &built);
  /// The stage differential. False: the evaluation says why.
  Result<bool> agrees(Run &run, const BuiltCandidate &built, const Expectation &expectation);
  /// The stage differential without contraction of a * b + c, where nothing else may make results differ. False: the
  /// evaluation says why.
  Result<bool> agreesUncontracted(Run &run, const BuiltCandidate &built, const Expectation &expectation);
  /// The comparison in the project's own programs. False: the evaluation says why.
  Result<bool> agreesInPlace(Run &run, const BuiltCandidate &built, const Expectation &expectation);
  /// Learnt once per process, with a seed of its own.
  Result<const Expectation *> fullExpectation();
  Result<InstrumentedContext> instrumentedContext(const BuildContext &build, const Expectation &expectation);
  /// Runs the sanitizers and MemorySanitizer on the quick calls only: part of the verdict of `evaluate`. False: the
  /// evaluation says why.
  Result<bool> survivesQuickCalls(Run &run, const BuiltCandidate &built);
  /// Runs what judges after the benchmark, because few candidates come that far. Changes the verdict if it refuses.
  Result<Evaluation> judgeMeasured(Run &run, const BuiltCandidate &built, Evaluation evaluation);
  Result<bool> survivesInstruments(Run &run, const BuiltCandidate &built);
  /// Touches nothing of a run, and may go on beside the sanitizers: each takes as long as the other.
  Result<UnsetOutcome> findUnsetValues(const InstrumentedContext &context, const BuiltCandidate &built);
  /// Waits for that, and notes what was found.
  Result<UnsetOutcome> unsetValues(Run &run, std::future<Result<UnsetOutcome>> finding);
  /// What no instrument saw blocks, unless --allow-uncovered. False: the evaluation says why.
  bool permitsUnseen(Run &run, const std::string &unseen);
  Result<BenchmarkOutcome> freshPairs(Run &run, const std::string &library, const DecisionRule &rule);
  Result<bool> claimStands(Run &run, const BuiltCandidate &built, const DecisionRule &strict);
  Result<bool> otherShapesKeepUp(Run &run, const BuiltCandidate &built);
  Result<bool> otherValuesKeepUp(Run &run, const BuiltCandidate &built, Stage stage);
  template <class Value> Result<Value> onAHost(const std::function<Result<Value>(std::size_t host)> &work) const;
  /// Measures here, or on a host.
  Result<BenchmarkOutcome> measured(const RunContext &context, const BenchmarkRequest &request) const;
  Result<Measured> measuredAgainst(const Candidate *incumbent, Run &run, const BuiltCandidate &built);
  Result<Roofline> machine(bool again) const; ///< of where it is measured; `again`: the best that it ever showed
  struct Side {
    std::string sharedObject, code; ///< code: its hash
  };
  static Side sideOf(const BuiltCandidate &built) { return {built.sharedObject, built.objectHash}; }
  Side baseline() const { return {prepared_.baselineLibrary, prepared_.facts.objectHash}; }
  Result<BenchmarkOutcome> benchmark(Run &run, const Side &reference, const Side &candidate, const DecisionRule &rule);
  Result<void> startWorkers();
  Result<Early> unmeasured(const Candidate &candidate);
  Result<Early> judgedEarly(const Candidate &candidate); ///< by a worker, else now
  /// Judges within so many seconds; 0 or less: without a limit of its own.
  Result<Evaluation> within(double seconds, const std::function<Result<Evaluation>()> &judge);
  Result<Evaluation> runStages(const Candidate &candidate, const Candidate *incumbent);
  Result<Evaluation> judgeShorter(const Candidate &candidate, const ShorterRequest &request);
  Result<Evaluation> compare(Run &run, const BuiltCandidate &built, Measured measured);
  /// Adds what --feedback asks for; an insight that is not available costs no verdict.
  void addFeedback(Evaluation &evaluation, const Candidate &candidate);
  /// Adds what the object code does, where that is wanted and can be read.
  void addTraits(Evaluation &evaluation, const BuiltCandidate &built) const;
  Result<std::string> beyondThisMachine(const Measurement &claim, const Expectation &expectation);
  Evaluation undecided(Run &run, Stage stage, const BenchmarkOutcome &outcome) const;
  /// Ends with what a comparison with another candidate came to; `slower`: what is said of one that is not faster, if
  /// not the comparison's reason.
  Evaluation finishAgainst(Run &run, BenchmarkOutcome outcome, std::string slower = {}) const;

  EvaluatorOptions options_;
  Prepared prepared_;
  ScratchDirectory scratch_;
  std::shared_ptr<MeasuringHosts> hosts_;
  std::size_t host_ = 0;
  std::map<std::string, BuiltCandidate> built_; ///< by candidate's id
  std::map<std::string, Evaluation> byCode_;    ///< by object hash
  std::set<std::string> agreed_;                ///< object hashes that passed the full differential part
  std::set<std::string> isGeneric_;             ///< unit files without a genericBuildProblem()
  std::vector<double> confirmations_;           ///< p-values, for Holm's correction
  std::optional<Expectation> full_;
  std::optional<SanitizeFacts> sanitizeFacts_, quickSanitizeFacts_;
  std::map<std::string, UnsetFacts> unsetFacts_; ///< by the plan's file
  std::unique_ptr<Workers> workers_;             ///< once somebody looked ahead
};

} // namespace agentic
