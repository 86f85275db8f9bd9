// What a host is asked: to learn how a kernel's benchmarks behave there, to measure a candidate against a reference
// there, or to show that it still measures no difference where there is none. Both sides of it: the description that is
// sent, and the work on the host.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/evaluate/remote/carried_files.h"
#include "tool/farm/task.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// What a host knows of a kernel's benchmarks.
struct HostBenchmarks {
  BenchmarkFacts facts;
  BenchmarkOutcome same; ///< the reference against itself
  Roofline roofline;
};

/// The tasks. `request.reference` and `candidate` are shared objects, and are sent along.
Result<Task> learningTask(const RunContext &context, const BenchmarkRequest &request, const CarriedPrograms &carried);
Result<Task> measuringTask(const RunContext &context, const BenchmarkRequest &request, const BenchmarkFacts &facts,
                           const CarriedPrograms &carried);
/// The reference against itself once more, as in the learning task. measuredThere() reads the result.
Result<Task> controlTask(const RunContext &context, const BenchmarkRequest &request, const BenchmarkFacts &facts,
                         const CarriedPrograms &carried);
Task rooflineTask(); ///< the best that the machine ever showed, measured once more

/// Read the results. Errors: what the host's work ended with; a result that is none.
Result<HostBenchmarks> learnedThere(const nlohmann::json &result);
Result<BenchmarkOutcome> measuredThere(const nlohmann::json &result);
Result<Roofline> rooflineThere(const nlohmann::json &result);

/// A host's own folders and sandbox.
struct HostSurroundings {
  const Sandbox *sandbox = nullptr;
  std::string store; ///< the files by their hashes
  std::string scratch;
  std::string rooflineFile;
  const std::atomic<bool> *cancelled = nullptr;
};

/// Does what a description says, on the host. Never fails: an error is a result, too.
TaskResult performTask(const nlohmann::json &description, const HostSurroundings &surroundings);

} // namespace agentic
