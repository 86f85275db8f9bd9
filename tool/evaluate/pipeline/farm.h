// The farm of a prepared kernel. Private to this folder.
#pragma once

#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/remote/measuring_hosts.h"

#include <memory>

namespace agentic {

/// Returns nullptr without hosts in the options. Errors: MeasuringHosts::open()'s; the level is only emulated here.
Result<std::shared_ptr<MeasuringHosts>> openFarm(Prepared &prepared, const EvaluatorOptions &options,
                                                 const std::string &scratch);

} // namespace agentic
