// The baseline's behaviour in a plan: candidates are compared with it, each in a process of its own.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/physical_floor.h"
#include "tool/evaluate/differential/comparison.h"
#include "tool/evaluate/differential/replay.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace agentic {

struct ExpectedStep {
  std::vector<OutputField> fields;
  std::vector<std::size_t> argumentBytes; ///< bytes behind each parameter
  std::string circumstance;               ///< ends a sentence: "when the outputs hold garbage"
  std::string origin;                     ///< origin of the call: "recorded in a test"
  bool isHeldOut = false;
  bool isVerbatim = false; ///< the project's own contents: other contents allow kSlack tolerances
  std::uint64_t outputHash = 0;
  std::uint32_t disturbances = 0; ///< the baseline's own disturbances
  /// Elements that may differ although they are out of tolerance: twice as many as those in which the baseline differs
  /// from itself when a * b + c is not fused, or twice that share of the whole plan. There rounding decides.
  std::size_t mayDiffer = 0;
  std::size_t begin = 0, bytes = 0;   ///< range of the outputs in the results file
  std::uint64_t uncontractedHash = 0; ///< hash of the outputs of the baseline without contraction
};

struct Expectation {
  std::string planFile, resultsFile; ///< resultsFile: the steps' outputs, one after the other
  /// The results of the baseline compiled without contraction of a * b + c: empty if that is the same code, if more
  /// than contraction is permitted, or if the baseline differs from itself.
  std::string uncontractedFile;
  std::vector<std::string> parameters; ///< names
  std::vector<ExpectedStep> steps;
  Exactness exactness; ///< not in the file: the specification decides
  double seconds = 0;  ///< time of the baseline's process
  std::size_t recordedCalls = 0, generatedCalls = 0;
  std::vector<BenchmarkCall> benchmarkCalls; ///< bytes that any code has to move in the recorded calls
  std::vector<std::string> remarks;          ///< for the report: uncovered parts, dropped calls and the reasons
};

/// Returns "reads 4 bytes behind the last element of 'B'", from the bytes behind each parameter and their names.
std::string faultText(const wire::StepResult &fault, std::span<const std::size_t> argumentBytes,
                      std::span<const std::string> parameters);

/// Saves as JSON beside the plan and the results. `key` as in facts.h: a file with another key counts as absent.
Result<void> saveExpectation(const std::string &file, const std::string &key, const Expectation &expectation);
std::optional<Expectation> loadExpectation(const std::string &file, const std::string &key, const Exactness &exactness);

struct DifferentialOutcome {
  bool passed = false;
  std::string detail; ///< why not; fit to be shown to an agent: no values, nothing of calls that are held out
  std::string remark; ///< parts that were not compared, for the variant's header; empty if none
  double seconds = 0;
  std::size_t stackBytes = 0; ///< the most that a call used
};

/// Returns the expectation without contraction: both sides must give the same without it, bit for bit.
Expectation withoutContraction(Expectation expectation);

/// Runs the plan on a candidate's shared object and compares. Cost: the candidate's own time, some 10 ms, and 1 ms per
/// MB of outputs.
Result<DifferentialOutcome> judge(const ReplayContext &context, const Expectation &expectation,
                                  const std::string &sharedObject);

} // namespace agentic
