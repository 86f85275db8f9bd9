// Runs the stages for one kernel: check → compile → audit → test → differential → benchmark. The first failure ends an
// evaluation.
//
// open() does what depends only on the baseline: manifest, extraction, shadow tree, sandbox probe, trap controls, test
// list, timing calibration; all of it cached by content below <build>/_agentic/cache/, so that a later process starts
// at once. evaluate() is then called per candidate. Not thread-safe; one Evaluator per kernel and process.
#pragma once

#include "tool/base/error.h"
#include "tool/build/host.h"
#include "tool/evaluate/adequacy/adequacy_outcome.h"
#include "tool/evaluate/baseline/evaluator_options.h"
#include "tool/evaluate/baseline/facts.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/insight/insight.h"
#include "tool/evaluate/programs/test_stage.h"
#include "tool/model/candidate.h"
#include "tool/model/evaluation.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"
#include "tool/model/manifest.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace agentic {

/// What the stages learnt of the baseline, for write-back, which runs them again on the trees it builds.
struct StageFacts {
  RunContext context; ///< its view holds the hook tree; others add theirs
  TestFacts tests;
  BenchmarkFacts benchmarks;
  DecisionRule rule;
  std::vector<TestProgram> benchmarkPrograms; ///< programs of the hook tree
  BenchmarkFacts applications;                ///< of END_TO_END: one, or none
  Cpu cpu;                                    ///< that runs the programs
  /// Measures where the candidates were measured: here, or on a host.
  std::function<Result<BenchmarkOutcome>(const RunContext &, const BenchmarkRequest &)> measure;
};

/// What a shorter text of a winner is compared with.
struct ShorterRequest {
  const Candidate *winner = nullptr; ///< unreduced: the one that a measurement is made against
  /// Hashes of object code that is known to be as good. Empty: whatever the text compiles to is.
  std::set<std::string> sameCode = {};
  bool measures = false; ///< other code may be as good, too
  bool notes = false;    ///< of the project's own clang-tidy on the text: Evaluation::review
  double seconds = 0;    ///< bounds the call, as in evaluate(); 0 = no bound
};

class Evaluator {
public:
  static Result<std::unique_ptr<Evaluator>> open(const EvaluatorOptions &options);
  virtual ~Evaluator() = default;

  virtual const Manifest &manifest() const = 0;
  virtual const KernelSpec &spec() const = 0;
  virtual const Level &level() const = 0;
  /// False: the level is only emulated here. A candidate is Accepted when its tests pass, without a measurement; the
  /// written variant is untuned, and confirm() must not be called.
  virtual bool isTimed() const { return true; }
  /// The kind of hosts that candidates are measured on; empty: this machine.
  virtual std::string measuredOn() const { return {}; }
  virtual std::string measuringCpu() const { return cpuName(); } ///< the CPU whose times all are
  virtual const Compiler &compiler() const = 0;
  virtual const Calibration &calibration() const = 0;
  virtual const std::vector<std::string> &compileFlags() const = 0; ///< the project's, as candidates get them
  virtual const std::vector<StageTime> &preparationTimes() const = 0;

  /// Runs the stages. `incumbent`: the loop's best so far; the candidate is compared with it first and with the
  /// baseline only if it is faster. nullptr = compare with the baseline. `seconds` bounds the whole call (0 = no
  /// bound): a stage that is not done by then ends with interruptedError(), as if `cancelled` had been raised, because
  /// a lack of time tells nothing about the candidate.
  virtual Result<Evaluation> evaluate(const Candidate &candidate, const Candidate *incumbent = nullptr,
                                      double seconds = 0) = 0;

  /// Tells of a verdict that an earlier process of the run came to: the same code gets it again.
  virtual void recall(const Evaluation &) {}

  /// Says which candidates evaluate() will probably be asked for next, in this order. Up to EvaluatorOptions::workers
  /// of them pass the stages that measure nothing meanwhile, on the CPUs that a measurement leaves, and evaluate() goes
  /// on from there. Only what passed counts, and what the checks or the audit refuse: any other refusal may come of the
  /// company, such as a time limit, and evaluate() judges it anew. So verdicts are the same, and so is their order. Not
  /// without a sandbox, nor for tests that start threads or programs. With hosts to measure on, they are also measured
  /// there, each against `incumbent` first, as evaluate() does.
  virtual void ahead(const std::vector<Candidate> &, const Candidate *) {}
  virtual void endAhead() {} ///< ends that; nothing is judged ahead any more

  /// Check, compile, audit, and the compile without the project's ISA flags: all checks that do not run it.
  virtual Result<Evaluation> inspect(const Candidate &candidate) = 0;

  /// Everything of confirm but the timing, also for a candidate that is not faster: the full differential part (≤ 20 s
  /// of the baseline's time, once per process) and the sanitizers.
  virtual Result<Evaluation> examine(const Candidate &candidate) = 0;

  /// Judges a shorter text of a winner. Accepted: it compiles to code that is known to be as good, or it passes the
  /// stages and is not slower: the lower bound of its ratio to the winner is at least 0.99.
  virtual Result<Evaluation> shortened(const Candidate &, const ShorterRequest &) { return Evaluation(); }

  /// Fresh pairs (≥ 12) of the candidate against the baseline; `attempt`, from 1, for Holm's correction: another
  /// process may have made earlier ones. Ends with interruptedError() when `cancelled` is raised, at any step: lack of
  /// time never skips a check.
  virtual Result<Evaluation> confirm(const Candidate &candidate, int attempt) = 0;

  /// Compares a confirmed candidate with another that passed before, in pairs of their own, whatever is known of
  /// either: `againstIncumbent` of the result. Interrupted like confirm().
  virtual Result<Evaluation> duel(const Candidate &candidate, const Candidate &rival) = 0;

  /// Runs the full differential part on a variant's file as `command` compiles it in the final tree. Empty, or why it
  /// differs from the baseline. Empty at once if the object code is that of a candidate that passed here.
  virtual Result<std::string> replayShipped(const std::string &file, const CompileCommand &command) = 0;

  /// Finds which deliberate faults in the baseline the project's tests notice (adequacy.h).
  virtual Result<Adequacy> adequacy(const AdequacyRequest &request) = 0;

  /// Returns what confirmation would refuse in any winner that keeps it: the code of the unchanged kernel that no test
  /// and no call runs, as one sentence. Empty: all ran, it does not count, or nothing can be measured. Cost, once per
  /// change of kernel and tests: a compile and the instrumented tests and quick calls; if those leave anything out, the
  /// full differential part, too, which a confirmation in this process then need not learn.
  virtual Result<std::string> uncovered() { return std::string(); }

  /// The insight for a candidate that passed, or for the baseline (origin "baseline"). A compile and one benchmark
  /// process: seconds.
  virtual Result<Insight> insight(const Candidate &candidate, const InsightRequest &request);

  /// Fails if SOURCE, flags, compiler, CPU, tests, benchmarks or this tool changed since open().
  virtual Result<void> recheckInputs() = 0;

  virtual StageFacts stageFacts() const = 0;

  /// Expected seconds per candidate by stage, and a hint when tests dominate.
  virtual std::string costEstimate() const = 0;
};

} // namespace agentic
