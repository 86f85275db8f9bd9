#include "tool/evaluate/baseline/differential_facts.h"

#include "tool/base/files.h"
#include "tool/evaluate/baseline/other_baselines.h"
#include "tool/evaluate/baseline/recorded_calls_baseline.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/source/extract/member_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace agentic {
namespace {

/// Number of one-byte elements in the widest register, for the length of tails.
constexpr int kVectorBytes = 64;

std::uint64_t secretSeed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

GlueParameter::Element elementOf(ScalarMember::Kind kind) {
  switch (kind) {
  case ScalarMember::Kind::Signed:
    return GlueParameter::Element::Signed;
  case ScalarMember::Kind::Unsigned:
    return GlueParameter::Element::Unsigned;
  case ScalarMember::Kind::Floating:
    break;
  }
  return GlueParameter::Element::Floating;
}

/// A kernel that does not parse here keeps the contents of its structs as they were recorded.
void addMembers(const KernelSpec &spec, GlueDescription &glue) {
  const auto isStruct = [](const GlueParameter &parameter) {
    return parameter.element == GlueParameter::Element::Bytes && parameter.elementSize > 1;
  };
  if (std::ranges::none_of(glue.parameters, isStruct))
    return; // no need to parse
  const auto layouts = memberLayouts(spec);
  if (!layouts)
    return;
  for (GlueParameter &parameter : glue.parameters)
    if (const auto found = layouts->find(parameter.name); found != layouts->end() && isStruct(parameter))
      for (const ScalarMember &member : found->second)
        parameter.members.push_back({member.name, elementOf(member.kind), member.offset, member.size, member.count});
}

std::vector<std::string> trappingFlags(const Compiler &compiler) {
  if (compiler.family == Family::Clang)
    return {"-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=vptr,function", "-fsanitize-trap=all"};
  return {"-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=vptr", "-fsanitize-undefined-trap-on-error"};
}

Result<std::string> buildTrapping(const Prepared &prepared, const BuildContext &context) {
  return baselineWith(prepared, context, "trapping", trappingFlags(prepared.compiler));
}

Result<std::string> buildUnoptimised(const Prepared &prepared, const BuildContext &context) {
  return baselineWith(prepared, context, "unoptimised", {"-O0"});
}

struct ReplayInputs {
  RecordedCalls recorded;
  GlueDescription glue;
};

/// Makes `directory`, too, for what is written to replay them.
Result<ReplayInputs> replayInputs(const Prepared &prepared, const std::string &directory) {
  RecordedCalls recorded = TRY(loadRecordedCalls(prepared.callsFile, prepared.facts.recording));
  GlueDescription glue = TRY(describeGlue(prepared.programs, prepared.glueLibrary, prepared.manifest.kernel));
  TRY(createDirectories(directory));
  return ReplayInputs{std::move(recorded), std::move(glue)};
}

} // namespace

Result<void> buildBaselines(const Prepared &prepared, const BuildContext &context) {
  for (auto build : {buildUnfused, buildTrapping, buildUnoptimised})
    TRY(build(prepared, context));
  return {};
}

Result<ReplayContext> replayContext(const Prepared &prepared, const EvaluatorOptions &options,
                                    const std::string &scratch) {
  std::string runner = TRY(helperFile(kRunnerProgram));
  ReplayContext context;
  context.kernel = prepared.manifest.kernel;
  context.runner = std::move(runner);
  context.glueLibrary = prepared.glueLibrary;
  context.sandbox = &prepared.programs;
  context.scratchDirectory = scratch;
  context.cancelled = options.cancelled;
  return context;
}

Result<Expectation> learnDifferential(const Prepared &prepared, const EvaluatorOptions &options,
                                      const DifferentialRequest &wanted, const std::string &directory,
                                      const std::string &scratch) {
  Expectation nothing;
  nothing.exactness = exactnessOf(prepared.spec);
  nothing.remarks = prepared.facts.recording.uncovered;
  if (prepared.glueLibrary.empty() || prepared.callsFile.empty()) {
    nothing.remarks.push_back(prepared.facts.recording.notReplayable);
    return nothing;
  }
  ReplayInputs inputs = TRY(replayInputs(prepared, directory));
  addMembers(prepared.spec, inputs.glue);
  const BuildContext build = prepared.buildContext(options);
  std::string unfused = TRY(unfusedBaseline(prepared, build));
  std::string trapping = TRY(buildTrapping(prepared, build));
  std::string unoptimised = TRY(buildUnoptimised(prepared, build));
  ReplayContext context = TRY(replayContext(prepared, options, scratch));
  const LearningRequest request{.spec = &prepared.spec,
                                .kernel = &inputs.glue,
                                .recorded = &inputs.recorded,
                                .baseline = prepared.baselineLibrary,
                                .baselineUnfused = std::move(unfused),
                                .baselineTrapping = std::move(trapping),
                                .baselineUnoptimised = std::move(unoptimised),
                                .directory = directory,
                                .part = wanted.part,
                                .seed = secretSeed(),
                                .secondsLimit = wanted.secondsLimit,
                                .longestTail = 2 * kVectorBytes + 1};
  return learnExpectation(context, request);
}

Result<Expectation> quickExpectation(const Prepared &prepared, const EvaluatorOptions &options,
                                     const std::string &directory, const std::string &scratch) {
  const std::string file = directory + "/expectation.json";
  if (std::optional<Expectation> cached = loadExpectation(file, prepared.factsKey, exactnessOf(prepared.spec)))
    return std::move(*cached);
  Expectation learned = TRY(learnDifferential(prepared, options, {}, directory, scratch));
  // Without steps there are no files to keep, and learning that again costs nothing.
  if (!learned.steps.empty())
    TRY(saveExpectation(file, prepared.factsKey, learned));
  return learned;
}

bool hasDifferential(const Prepared &prepared, const Expectation &expectation) {
  return !expectation.steps.empty() || prepared.facts.recording.comparedInProcess > 0;
}

Result<DifferentialOutcome> judgeDifferential(const Prepared &prepared, const EvaluatorOptions &options,
                                              const Expectation &expectation, const std::string &sharedObject,
                                              const std::string &scratch) {
  DifferentialOutcome result{.passed = true};
  if (!expectation.steps.empty()) {
    ReplayContext context = TRY(replayContext(prepared, options, scratch));
    Result<DifferentialOutcome> replayed = judge(context, expectation, sharedObject);
    if (!replayed || !replayed->passed)
      return replayed;
    result = std::move(*replayed);
  }
  if (prepared.facts.recording.comparedInProcess > 0) {
    InProcessOutcome compared = TRY(compareUncaptured(prepared, options, sharedObject, scratch));
    result.seconds += compared.seconds;
    result.detail = std::move(compared.problem);
    if (result.detail.empty() && compared.compared == 0)
      result.detail =
          "its calls that cannot be captured were not compared in the tests' own process: " + compared.notCompared;
    result.passed = result.detail.empty();
  }
  return result;
}

Result<ValueTimings> timeOtherValues(const Prepared &prepared, const ReplayContext &context,
                                     const std::string &candidate, const std::string &directory) {
  const ReplayInputs inputs = TRY(replayInputs(prepared, directory));
  return timeOtherValues(context, {.kernel = &inputs.glue,
                                   .recorded = &inputs.recorded.calls,
                                   .baseline = prepared.baselineLibrary,
                                   .candidate = candidate,
                                   .directory = directory,
                                   .seed = secretSeed()});
}

Result<ShapeTimings> timeOtherShapes(const Prepared &prepared, const ReplayContext &context,
                                     const std::string &candidate, const DecisionRule &rule,
                                     const std::string &directory) {
  const ReplayInputs inputs = TRY(replayInputs(prepared, directory));
  return timeShapes(context, {.kernel = &inputs.glue,
                              .contract = &prepared.spec.contract,
                              .recorded = &inputs.recorded.calls,
                              .baseline = prepared.baselineLibrary,
                              .candidate = candidate,
                              .directory = directory,
                              .rule = rule,
                              .seed = secretSeed()});
}

} // namespace agentic
