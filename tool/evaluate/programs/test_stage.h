// The test stage: the project's own test programs with a candidate substituted.
//
// A GoogleTest program's verdict comes from the JSON report alone (stdout is ignored): exactly the tests that the
// baseline ran, all completed, none failed or newly skipped, exit status 0, no premature exit. The report is hostile
// input: names that the baseline did not report never reach the feedback. Any other program is one test, which its exit
// status decides. What a program is, it is asked while it runs with the baseline.
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
  TestReport tests; ///< a program that is no GoogleTest has one, by the name of the program
  double seconds = 0;
  bool shuffles = false; ///< passes in random order, so candidates are tested in random order
  bool isGoogleTest = true;
};
using TestFacts = std::vector<TestProgramFacts>; ///< in the order of the programs

struct TestRequest {
  const std::vector<TestProgram> *programs = nullptr;
  std::string filter; ///< TEST_FILTER
  std::string sharedObject;
  std::string logFile;   ///< output of every program; empty = none
  bool isTraced = false; ///< the log has the dispatchers' choices, too: lines "<kernel> <choice>"
  unsigned seed = 1;     ///< seed of the random order, 1 … 99999
  RunAdditions added;
  double secondsLimit = 0; ///< limit of each program, if less than the usual one; 0 = none
};

/// Runs the baseline. Errors: a test fails, no test matches, TEST_FILTER without a GoogleTest; each names the program.
/// Cost: two or three runs of each program.
Result<TestFacts> learnTests(const RunContext &context, const TestRequest &request);

/// Returns the run of a program, in its own order, without time limit or shared object.
ProgramRequest testRun(const TestProgram &program, const TestProgramFacts &facts, const std::string &filter);

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
