// The work of a task, on the host.
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/evaluate/remote/program_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kTries = 3;

json errorResult(const Error &error) {
  return {{"error", {{"kind", static_cast<int>(error.kind)}, {"message", error.message}, {"next", error.next}}}};
}

bool isHash(const std::string &text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Places the files where the programs name them.
Result<Sandbox::View> viewOf(const json &description, const HostSurroundings &here) {
  Sandbox::View view;
  view.tasks = static_cast<Tasks>(description.at("tasks").get<int>());
  view.folders = description.at("folders").get<std::vector<std::string>>();
  for (const json &file : description.at("files")) {
    const std::string hash = file.at("hash"), path = file.at("path");
    if (!isHash(hash) || !path.starts_with('/'))
      return userError("a task's file has no place", "send it again: the connection or the sender is broken");
    view.placed.push_back({here.store + "/" + hash, path});
  }
  return view;
}

/// They find the libraries that the task brought along.
std::vector<TestProgram> programsOf(const json &description) {
  constexpr std::string_view kVariable = "LD_LIBRARY_PATH=";
  auto programs = description.get<std::vector<TestProgram>>();
  for (TestProgram &program : programs) {
    std::string folders(kCarriedLibraries);
    for (const std::string &entry : program.environment)
      if (entry.starts_with(kVariable))
        folders += ":" + entry.substr(kVariable.size());
    program.environment.push_back(std::string(kVariable) + folders);
  }
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

Result<json> work(const json &description, const HostSurroundings &here) {
  const std::string verb = description.at("verb");
  if (verb == "roofline")
    return rooflineResult(TRY(betterRoofline(here.rooflineFile, here.cancelled)));
  RunContext context;
  context.kernel = description.at("kernel");
  context.sandbox = here.sandbox;
  context.view = TRY(viewOf(description, here));
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
    return learn(context, request, here);
  const auto facts = description.at("facts").get<BenchmarkFacts>();
  const BenchmarkOutcome outcome =
      TRY(verb == "control" ? measureTheSame(context, request, facts) : measure(context, request, facts));
  return json{{"outcome", outcome}};
}

} // namespace

json performTask(const json &description, const HostSurroundings &here) {
  try {
    Result<json> result = work(description, here);
    return result ? std::move(*result) : errorResult(result.error());
  } catch (const json::exception &problem) {
    return errorResult({.kind = ErrorKind::Bug,
                        .message = std::string("a task's description is not understood: ") + problem.what(),
                        .next = {}});
  }
}

} // namespace agentic
