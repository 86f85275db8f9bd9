// The test stage: the project's own GoogleTest programs with a candidate substituted.
//
// The verdict comes from the JSON report alone (stdout is ignored): exactly the tests that the baseline ran, all
// completed, none failed or newly skipped, exit status 0, no premature exit. The report is hostile input: names that
// the baseline did not report never reach the feedback.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/programs/program_run.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct TestCase {
  enum class State { Completed, Failed, Skipped, NotRun };
  State state = State::NotRun;
  int failures = 0;                        ///< failed assertions
  std::optional<double> largestDifference; ///< found in messages of EXPECT_NEAR and the like
};
using TestReport = std::map<std::string, TestCase>; ///< by full name: "Suite.Test"

/// GoogleTest's JSON report; nullopt for anything else. Never throws, whatever the text.
std::optional<TestReport> parseTestReport(std::string_view text);

/// The baseline's results in one test program.
struct TestProgramFacts {
  std::string target;
  TestReport tests;
  double seconds = 0;
  bool shuffles = false; ///< passes in random order, so candidates are tested in random order
};
using TestFacts = std::vector<TestProgramFacts>; ///< in the order of the programs

struct TestRequest {
  const std::vector<TestProgram> *programs = nullptr;
  std::string filter; ///< TEST_FILTER
  std::string sharedObject;
  std::string logFile; ///< output of every program; empty = none
  unsigned seed = 1;   ///< seed of the random order, 1 … 99999
  RunAdditions added;
  double secondsLimit = 0; ///< limit of each program, if less than the usual one; 0 = none
};

/// Runs the baseline. Errors: a test fails, no test matches, a program writes no report; each names the program.
Result<TestFacts> learnTests(const RunContext &context, const TestRequest &request);

struct TestOutcome {
  bool passed = false;
  std::vector<std::string> failed; ///< names, of the baseline's tests only
  std::string detail;              ///< ≤ 2 KiB, fit to be shown to an agent: never test source or expected values
  double seconds = 0;
  bool outOfTime = false; ///< `secondsLimit` ended a program, so nothing is known of the rest
};

/// Stops at the first program that fails. A program may take ten times as long as on the baseline (at least 10 s).
/// Error only when a program cannot be started or the user interrupted.
Result<TestOutcome> runTests(const RunContext &context, const TestRequest &request, const TestFacts &facts);

} // namespace agentic
