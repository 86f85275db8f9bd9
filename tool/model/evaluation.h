// The outcome of all stages for one candidate.
#pragma once

#include "tool/model/finding.h"
#include "tool/model/measurement.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

enum class Stage { Check, Compile, Audit, Test, Differential, Benchmark, Confirm, Sanitize, Coverage };
const char *stageName(Stage stage); ///< "check", "compile", …

enum class Verdict { Accepted, Rejected, NotFaster };
const char *verdictName(Verdict verdict); ///< "accepted", "rejected", "not-faster"

struct StageTime {
  std::string name; ///< stage or sub-step: "check", "compile", "shadow", "trap-control", …
  double seconds = 0;
};

struct Evaluation {
  std::string kernel;
  std::string candidate; ///< id
  Verdict verdict = Verdict::Rejected;
  Stage stage = Stage::Check; ///< the last stage that ran: the one that rejected the candidate, or Benchmark
  std::vector<Finding> findings;
  std::vector<Finding> notes;                  ///< hints for a reviewer; they reject nothing
  std::string detail;                          ///< diagnostics, failing tests, or why it is not faster; ≤ 4 KiB
  std::optional<Measurement> measurement;      ///< against the baseline
  std::optional<Measurement> againstIncumbent; ///< loop only
  std::vector<std::string> review;             ///< reasons to look at the claim: "over 10x, confirmed twice"
  std::string sameCodeAs;                      ///< id of an earlier candidate with identical object code
  std::string tuning;                          ///< of open constants: "with kTile=8, the best of 7 settings"; or empty
  std::string insight;                         ///< --feedback on the candidate's own code, ≤ 2 KiB
  std::vector<std::string> traits;             ///< what its object code does (insight/code_traits.h); may be empty
  std::string objectHash;                      ///< hash of text, rodata and relocations
  std::size_t codeBytes = 0;                   ///< size of text and constants; 0 = it was not compiled
  std::vector<StageTime> times;
  double seconds = 0;
  std::string host; ///< of a farm, where it was measured last; empty: this machine
};

} // namespace agentic
