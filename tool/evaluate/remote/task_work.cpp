// The work of a task, on the host.
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/evaluate/remote/program_json.h"
#include "tool/evaluate/remote/running_task.h"
#include "tool/evaluate/remote/task_parts.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kTries = 3;

std::vector<TestProgram> programsOf(const json &description) {
  auto programs = description.get<std::vector<TestProgram>>();
  for (TestProgram &program : programs)
    program.environment = withCarriedLibraries(std::move(program.environment));
  return programs;
}

json rooflineResult(const Roofline &roofline) {
  return {{"roofline", rooflineText(roofline)}, {"cpu", roofline.cpu}};
}

/// Something else may disturb one try.
Result<BenchmarkOutcome> measureTheSame(const RunContext &context, const BenchmarkRequest &request,
                                        const BenchmarkFacts &facts) {
  BenchmarkOutcome same;
  for (int i = 0; i < kTries; ++i) {
    same = TRY(measure(context, request, facts));
    if (same.measurement && same.measurement->comparison == Comparison::Same)
      break;
  }
  return same;
}

Result<json> learn(const RunContext &context, const BenchmarkRequest &request, const HostSurroundings &here) {
  const BenchmarkFacts facts = TRY(learnBenchmarks(context, request));
  const BenchmarkOutcome same = TRY(measureTheSame(context, request, facts));
  json result = rooflineResult(TRY(measuredRoofline(here.rooflineFile, here.cancelled)));
  result.update({{"facts", facts}, {"same", same}});
  return result;
}

Result<TaskResult> work(const json &description, const std::string &verb, const HostSurroundings &here) {
  if (verb == "roofline")
    return TaskResult{.json = rooflineResult(TRY(betterRoofline(here.rooflineFile, here.cancelled)))};
  RunContext context;
  context.kernel = description.at("kernel");
  context.sandbox = here.sandbox;
  context.view = TRY(viewOf(description, here.store));
  context.scratchDirectory = here.scratch;
  context.cancelled = here.cancelled;
  const std::vector<TestProgram> programs = programsOf(description.at("programs"));
  const std::vector<TestProgram> others = programsOf(description.value("candidatePrograms", json::array()));
  BenchmarkRequest request;
  request.programs = &programs;
  request.candidatePrograms = others.empty() ? nullptr : &others;
  request.filter = description.at("filter");
  request.reference = description.at("reference");
  request.candidate = description.at("candidate");
  request.rule = description.at("rule").get<DecisionRule>();
  request.seed = description.at("seed");
  if (verb == "learn")
    return TaskResult{.json = TRY(learn(context, request, here))};
  const auto facts = description.at("facts").get<BenchmarkFacts>();
  const BenchmarkOutcome outcome =
      TRY(verb == "control" ? measureTheSame(context, request, facts) : measure(context, request, facts));
  return TaskResult{.json = {{"outcome", outcome}}};
}

} // namespace

TaskResult performTask(const json &description, const HostSurroundings &here) {
  try {
    const std::string verb = description.at("verb");
    Result<TaskResult> result = verb == kRunVerb ? runTask(description, here) : work(description, verb, here);
    return result ? std::move(*result) : TaskResult{.json = errorResult(result.error())};
  } catch (const json::exception &problem) {
    return {.json = errorResult({.kind = ErrorKind::Bug,
                                 .message = std::string("a task's description is not understood: ") + problem.what(),
                                 .next = {}})};
  }
}

} // namespace agentic
