#include "tool/evaluate/baseline/recorded_calls_baseline.h"

#include "tool/base/files.h"
#include "tool/evaluate/baseline/other_baselines.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/differential/recorded_calls_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace agentic {
namespace {

RecordingFacts without(RecordingFacts facts, const std::string &reason) {
  facts.notReplayable = reason;
  return facts;
}

Result<void> saveCalls(const std::string &file, const std::vector<RecordedCall> &calls) {
  const std::string unfinished = file + ".new";
  TRY(writeScratch(unfinished, writeCalls(calls)));
  std::error_code error;
  fs::rename(unfinished, file, error);
  if (error)
    return userError("cannot write '" + file + "'", "check the free space there");
  return {};
}

RecordingRequest recordingRequest(const Prepared &prepared, const RunContext &run, const GlueDescription &kernel,
                                  const std::string &glueLibrary, const std::string &recorder) {
  return {.run = &run,
          .shadow = &prepared.shadow,
          .tests = &prepared.facts.tests,
          .benchmarks = &prepared.facts.benchmarks,
          .kernel = &kernel,
          .testFilter = prepared.manifest.testFilter,
          .glueLibrary = glueLibrary,
          .recorder = recorder};
}

/// The effect of contraction is unknown there, so it gets more room.
Exactness exactnessInPlace(const KernelSpec &spec) {
  const Exactness exactness = exactnessOf(spec);
  return exactness.kind == Exactness::Kind::Strict ? exactness.loosened(kSlack) : exactness;
}

/// Finds out, with the baseline in the candidate's place, whether calls can be compared where they are made.
Result<RecordingFacts> learnInProcess(RecordingFacts &facts, const RecordingRequest &request,
                                      const Prepared &prepared) {
  InProcessOutcome outcome = TRY(compareInProcess(request, prepared.baselineLibrary, exactnessInPlace(prepared.spec)));
  facts.callers = together(facts.callers, outcome.callers);
  if (!outcome.problem.empty() || outcome.compared == 0) {
    const std::string reason =
        outcome.problem.empty() ? outcome.notCompared : "the unchanged kernel " + outcome.problem;
    facts.uncovered.push_back(
        "calls that cannot be captured are not compared in-process either, the tests alone judge: " + reason);
    return facts;
  }
  facts.comparedInProcess = outcome.compared;
  facts.uncovered.push_back(fmt::format(
      "calls that cannot be captured are compared in-process, in forks of the tests and benchmarks ({} calls){}{}",
      outcome.compared, outcome.isPartial ? "; some use more memory than the 64 MiB that are looked at" : "",
      outcome.notCompared.empty() ? "" : "; others are not: " + outcome.notCompared));
  return facts;
}

} // namespace

Result<RecordingFacts> recordBaseline(const Prepared &prepared, const EvaluatorOptions &options,
                                      const std::string &directory, const std::string &scratch) {
  RecordingFacts facts;
  const BuildContext build = prepared.buildContext(options);
  BuiltGlue glue = TRY(buildKernelGlue(build));
  if (glue.library.empty()) {
    const bool isC = build.spec->language == Language::C;
    return without(facts, std::string("the kernel's signature cannot be expressed ") +
                              (isC ? "in C++, which replays calls: " : "on its own: ") + glue.problem);
  }
  facts.glueLibrary = glue.library;
  GlueDescription kernel = TRY(describeGlue(prepared.programs, glue.library, prepared.manifest.kernel));
  Result<std::string> recorder = helperFile(kRecorderLibrary), runner = helperFile(kRunnerProgram);
  if (!recorder || !runner)
    return std::unexpected(recorder ? runner.error() : recorder.error());
  const RunContext run = prepared.runContext(options, scratch);
  const RecordingRequest request = recordingRequest(prepared, run, kernel, glue.library, *recorder);
  const auto inProcess = [&] { return learnInProcess(facts, request, prepared); };
  if (!kernel.opaque.empty()) {
    facts.uncovered = uncoveredSentences(kernel, {});
    facts.notReplayable = kernel.opaque;
    return inProcess();
  }
  TakenCalls taken = TRY(recordCalls(request));
  std::vector<RecordedCall> &calls = taken.calls;
  facts.callers = taken.callers;
  facts.uncovered = uncoveredSentences(kernel, calls);
  facts.testShapes = shapeTexts(kernel, calls, false);
  facts.benchmarkShapes = shapeTexts(kernel, calls, true);
  facts.overlaps = overlapsOf(kernel, calls);

  const ReplayContext context{.kernel = prepared.manifest.kernel,
                              .runner = *runner,
                              .glueLibrary = glue.library,
                              .sandbox = &prepared.programs,
                              .view = {},
                              .scratchDirectory = scratch,
                              .cancelled = options.cancelled};
  ReplayCheck check = TRY(checkReplay(context, kernel, std::move(calls), prepared.baselineLibrary,
                                      [&] { return unfusedBaseline(prepared, build); }));
  facts.incomplete = check.incomplete;
  facts.kept = check.calls.size();
  facts.notReplayable = check.notReplayable;
  if (!facts.notReplayable.empty())
    return inProcess();
  if (check.incomplete > 0)
    facts.uncovered.push_back(
        fmt::format("{} of {} recorded calls depend on something that their arguments do not hold", check.incomplete,
                    check.incomplete + facts.kept));
  if (facts.callers.most > 1) {
    std::vector<RecordedCall> ended = TRY(callsWithEnds(context, kernel, check.calls, prepared.baselineLibrary));
    std::ranges::move(ended, std::back_inserter(check.calls));
  }
  facts.callsFile = directory + "/calls.bin";
  TRY(saveCalls(facts.callsFile, check.calls));
  return facts.uncovered.empty() ? facts : inProcess();
}

namespace {

using InPlace = Result<InProcessOutcome> (*)(const RecordingRequest &, const std::string &, const Exactness &);

Result<InProcessOutcome> judgeBy(InPlace judge, const Prepared &prepared, const EvaluatorOptions &options,
                                 const std::string &sharedObject, const std::string &scratch) {
  std::string recorder = TRY(helperFile(kRecorderLibrary));
  GlueDescription kernel = TRY(describeGlue(prepared.programs, prepared.glueLibrary, prepared.manifest.kernel));
  const RunContext run = prepared.runContext(options, scratch);
  return judge(recordingRequest(prepared, run, kernel, prepared.glueLibrary, recorder), sharedObject,
               exactnessInPlace(prepared.spec));
}

} // namespace

Result<InProcessOutcome> compareUncaptured(const Prepared &prepared, const EvaluatorOptions &options,
                                           const std::string &sharedObject, const std::string &scratch) {
  return judgeBy(&compareInProcess, prepared, options, sharedObject, scratch);
}

Result<InProcessOutcome> auditBenchmarkCalls(const Prepared &prepared, const EvaluatorOptions &options,
                                             const std::string &sharedObject, const std::string &scratch) {
  return judgeBy(&auditInBenchmarks, prepared, options, sharedObject, scratch);
}

} // namespace agentic
