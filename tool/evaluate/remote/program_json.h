// JSON of the programs that a task runs. Reading throws nlohmann::json::exception.
#pragma once

#include "tool/base/process.h"
#include "tool/build/shadow.h"

#include <nlohmann/json.hpp>

namespace agentic {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Metric, pattern, unit, option)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TestProgram, target, file, command, workingDirectory, environment, arguments, metric,
                                   isApplication)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessLimits, addressSpaceBytes, cpuSeconds, fileSizeBytes, openFiles, processes,
                                   writtenBytes)

} // namespace agentic
