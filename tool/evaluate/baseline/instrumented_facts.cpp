#include "tool/evaluate/baseline/instrumented_facts.h"

#include "tool/base/files.h"
#include "tool/evaluate/baseline/differential_facts.h"

namespace agentic {
namespace {

/// Folder of the facts about the quick calls.
fs::path folderOf(const Prepared &prepared) {
  return fs::path(prepared.expectation.planFile).parent_path();
}

} // namespace

Result<InstrumentedContext> instrumentedContext(const Prepared &prepared, const EvaluatorOptions &options,
                                                const BuildContext &build, const Expectation &expectation,
                                                const std::string &scratch) {
  ReplayContext replay = TRY(replayContext(prepared, options, scratch));
  InstrumentedContext context;
  context.build = &build;
  context.replay = std::move(replay);
  context.expectation = &expectation;
  context.run = prepared.runContext(options, scratch);
  context.programs = &prepared.shadow.tests;
  context.filter = prepared.manifest.testFilter;
  context.tests = &prepared.facts.tests;
  if (prepared.facts.recording.comparedInProcess > 0) {
    context.benchmarks = &prepared.shadow.benchmarks;
    context.benchmarkFacts = &prepared.facts.benchmarks;
  }
  context.directory = scratch + "/instrumented";
  TRY(createDirectories(context.directory));
  return context;
}

Result<SanitizeFacts> quickSanitizeFacts(const Prepared &prepared, const InstrumentedContext &context) {
  return keptSanitizeFacts(context, folderOf(prepared) / "sanitize.json", prepared.factsKey);
}

Result<UnsetFacts> quickUnsetFacts(const Prepared &prepared, const InstrumentedContext &context) {
  return keptUnsetFacts(context, folderOf(prepared) / "unset-values", prepared.factsKey);
}

} // namespace agentic
