// Explains the verdict on a candidate, with the next step. Pure; foreign text is not escaped yet.
#pragma once

#include "tool/report/run_report.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace agentic {

struct Explanation {
  std::string candidate; ///< id; "iteration N" for a reply without a candidate
  std::string headline;  ///< "rejected by test", "accepted: 2.00x [1.90, 2.10] over the baseline"
  std::vector<std::string> why;
  std::vector<std::string> next; ///< next steps; commands are quoted for a shell
};

/// Returns the attempts that `what` names: "#12" or "12" an iteration, else an id or the beginning of one. Empty: none.
std::vector<const ReportAttempt *> attemptsNamed(const RunReport &run, const std::string &what);

/// Explains an attempt. `buildDir`: for the commands.
Explanation explain(const RunReport &run, const ReportAttempt &attempt, const std::string &buildDir);

nlohmann::json explanationJson(const Explanation &explanation);

} // namespace agentic
