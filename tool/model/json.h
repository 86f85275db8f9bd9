// JSON of the model's structs. Reading tolerates unknown and missing fields (defaults stand); it throws
// nlohmann::json::exception only on wrong types: use parseJson, which turns that into an Error naming `what`.
#pragma once

#include "tool/base/error.h"
#include "tool/model/ask.h"
#include "tool/model/candidate.h"
#include "tool/model/compile_command.h"
#include "tool/model/contract.h"
#include "tool/model/end_to_end.h"
#include "tool/model/evaluation.h"
#include "tool/model/finding.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/model/measurement.h"
#include "tool/model/role.h"
#include "tool/model/run_config.h"

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace agentic {

#define AGENTIC_JSON(Type)                                                                                             \
  void to_json(nlohmann::json &json, const Type &value);                                                               \
  void from_json(const nlohmann::json &json, Type &value);
AGENTIC_JSON(Finding)
AGENTIC_JSON(CompileCommand)
AGENTIC_JSON(Compiler)
AGENTIC_JSON(ProgramTarget)
AGENTIC_JSON(Manifest)
AGENTIC_JSON(Parameter)
AGENTIC_JSON(Fragment)
AGENTIC_JSON(ExternalFunction)
AGENTIC_JSON(CallingThreads)
AGENTIC_JSON(DecidedConditional)
AGENTIC_JSON(Loop)
AGENTIC_JSON(Extent)
AGENTIC_JSON(AliasPair)
AGENTIC_JSON(Tolerance)
AGENTIC_JSON(Contract)
AGENTIC_JSON(PolicyRules)
AGENTIC_JSON(Policy)
AGENTIC_JSON(Permission)
AGENTIC_JSON(KernelSpec)
AGENTIC_JSON(Candidate)
AGENTIC_JSON(Pair)
AGENTIC_JSON(Speedup)
AGENTIC_JSON(BenchmarkMeasurement)
AGENTIC_JSON(Measurement)
AGENTIC_JSON(EndToEnd)
AGENTIC_JSON(StageTime)
AGENTIC_JSON(Evaluation)
AGENTIC_JSON(Ask)
AGENTIC_JSON(Opinion)
AGENTIC_JSON(Summary)
AGENTIC_JSON(ModelConfig)
AGENTIC_JSON(RunConfig)
#undef AGENTIC_JSON

/// Parses `text` as a T. `what` names the input in the error: "manifest build/_agentic/…". Instantiated in json.cpp for
/// Manifest, KernelSpec, Evaluation, RunConfig, Measurement and std::vector<CompileCommand> (compile_commands.json with
/// `command` or `arguments`).
template <class T> Result<T> parseJson(std::string_view text, std::string_view what);
template <class T> std::string dumpJson(const T &value); ///< one line; invalid UTF-8 is replaced, never thrown on

} // namespace agentic
