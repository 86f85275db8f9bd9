#include "tool/evaluate/remote/measuring_task.h"

#include "tool/base/hash.h"
#include "tool/evaluate/benchmark/benchmark_json.h"
#include "tool/evaluate/remote/program_json.h"
#include "tool/evaluate/remote/run_tasks.h"
#include "tool/evaluate/remote/task_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

/// A shared object that the dispatcher loads, not the name of a choice.
bool isFile(const std::string &sharedObject) {
  return sharedObject.find('/') != std::string::npos;
}

Result<Task> taskOf(std::string_view verb, const RunContext &context, const BenchmarkRequest &request,
                    const CarriedPrograms &carried) {
  Task task{.id = newTaskId(), .description = {}, .files = carried.files};
  for (const std::string &sharedObject : {request.reference, request.candidate}) {
    if (!isFile(sharedObject))
      continue;
    const std::string hash = fileHash(sharedObject);
    if (hash.empty())
      return userError("'" + sharedObject + "' cannot be read", "start again");
    if (std::ranges::find(task.files, sharedObject, &TaskFile::path) == task.files.end())
      task.files.push_back({sharedObject, sharedObject, hash});
  }
  task.description = {{"verb", verb},
                      {"kernel", context.kernel},
                      {"tasks", static_cast<int>(context.view.tasks)},
                      {"programs", *request.programs},
                      {"filter", request.filter},
                      {"reference", request.reference},
                      {"candidate", request.candidate},
                      {"rule", request.rule},
                      {"seed", request.seed},
                      {"files", filesJson(task.files)},
                      {"folders", carried.folders}};
  if (request.candidatePrograms)
    task.description["candidatePrograms"] = *request.candidatePrograms;
  return task;
}

BenchmarkRequest againstItself(BenchmarkRequest request) {
  request.candidate = request.reference;
  request.candidatePrograms = nullptr;
  return request;
}

} // namespace

Result<Task> learningTask(const RunContext &context, const BenchmarkRequest &request, const CarriedPrograms &carried) {
  return taskOf("learn", context, againstItself(request), carried);
}

Task rooflineTask() {
  return {.id = newTaskId(), .description = {{"verb", "roofline"}}, .files = {}};
}

Result<Task> measuringTask(const RunContext &context, const BenchmarkRequest &request, const BenchmarkFacts &facts,
                           const CarriedPrograms &carried) {
  Task task = TRY(taskOf("measure", context, request, carried));
  task.description["facts"] = facts;
  return task;
}

Result<Task> controlTask(const RunContext &context, const BenchmarkRequest &request, const BenchmarkFacts &facts,
                         const CarriedPrograms &carried) {
  BenchmarkRequest same = againstItself(request);
  same.rule = {.threshold = request.rule.threshold};
  Task task = TRY(taskOf("control", context, same, carried));
  task.description["facts"] = facts;
  return task;
}

Result<HostBenchmarks> learnedThere(const json &result) {
  try {
    TRY(checkedResult(result));
    return HostBenchmarks{.facts = result.at("facts").get<BenchmarkFacts>(),
                          .same = result.at("same").get<BenchmarkOutcome>(),
                          .roofline = TRY(rooflineThere(result))};
  } catch (const json::exception &problem) {
    return noResult(problem.what());
  }
}

Result<Roofline> rooflineThere(const json &result) {
  try {
    TRY(checkedResult(result));
    if (auto roofline = parseRoofline(result.at("roofline"), result.at("cpu")))
      return std::move(*roofline);
    return userError("its machine's limits are no numbers", "look whether the worker there has this tool's version");
  } catch (const json::exception &problem) {
    return noResult(problem.what());
  }
}

Result<BenchmarkOutcome> measuredThere(const json &result) {
  try {
    TRY(checkedResult(result));
    return result.at("outcome").get<BenchmarkOutcome>();
  } catch (const json::exception &problem) {
    return noResult(problem.what());
  }
}

} // namespace agentic
