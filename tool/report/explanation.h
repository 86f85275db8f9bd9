// What happened to a candidate and why, with the next step. Pure; foreign text is not escaped yet.
#pragma once

#include "tool/report/run_report.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace agentic {

struct Explanation {
  std::string candidate; ///< id; of a reply without a candidate "iteration N"
  std::string headline;  ///< "rejected by test", "accepted: 2.00x [1.90, 2.10] over the baseline"
  std::vector<std::string> why;
  std::vector<std::string> next; ///< what to do; commands are quoted for a shell
};

/// Attempts that `what` names: "#12" or "12" an iteration, else an id or the beginning of one. Empty: none.
std::vector<const ReportAttempt *> attemptsNamed(const RunReport &run, const std::string &what);

/// `buildDir`: for the commands.
Explanation explain(const RunReport &run, const ReportAttempt &attempt, const std::string &buildDir);

nlohmann::json explanationJson(const Explanation &explanation);

} // namespace agentic
