#include "tool/evaluate/programs/test_stage.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace agentic {
namespace {

constexpr double kSlowestFactor = 10, kShortestTimeout = 10, kBaselineTimeout = 300, kWorthRepeating = 60;
constexpr std::size_t kDetailCap = 2048, kNamesShown = 8;

constexpr const char *kReportOption = "--gtest_output=json:";

Result<ProgramRun> runOne(const RunContext &context, const TestRequest &request, const TestProgram &program,
                          const TestProgramFacts &facts, double timeout) {
  ProgramRequest run = testRun(program, facts, request.filter);
  run.sharedObject = request.sharedObject;
  run.added = request.added;
  run.timeoutSeconds = timeout;
  run.isTraced = request.isTraced;
  if (facts.isGoogleTest && facts.shuffles) {
    run.arguments.push_back("--gtest_shuffle");
    run.arguments.push_back(fmt::format("--gtest_random_seed={}", std::clamp(request.seed, 1u, 99999u)));
  }
  return runProgram(context, run);
}

/// A GoogleTest program lists its tests, and writes the list. Any other program runs, or refuses the option.
Result<bool> isGoogleTest(const RunContext &context, const TestRequest &request, const TestProgram &program) {
  ProgramRequest run;
  run.program = &program;
  run.sharedObject = request.sharedObject;
  run.added = request.added;
  run.timeoutSeconds = kBaselineTimeout;
  run.arguments.push_back("--gtest_list_tests");
  run.reportOption = kReportOption;
  const ProgramRun done = TRY(runProgram(context, run));
  return done.report && parseTestReport(*done.report);
}

std::string lastLines(const std::string &output) {
  constexpr std::size_t kShown = 1500;
  return output.size() <= kShown ? output : "…" + output.substr(output.size() - kShown);
}

/// Returns what is wrong with the process as a whole; empty if nothing is.
std::string processProblem(const ProgramRun &run) {
  if (run.process.end != ProcessResult::End::Exited)
    return run.process.describe();
  if (run.endedEarly)
    return "ended before its tests did (" + run.process.describe() + ")";
  if (!run.report)
    return "wrote no test report (" + run.process.describe() + ")";
  return {};
}

std::vector<std::string> failedTests(const TestReport &report) {
  std::vector<std::string> names;
  for (const auto &[name, test] : report)
    if (test.state == TestCase::State::Failed)
      names.push_back(name);
  return names;
}

std::string describeFailure(const std::string &name, const TestCase &test) {
  std::string text = fmt::format("{}: {} failed assertion{}", name, test.failures, test.failures == 1 ? "" : "s");
  if (test.largestDifference)
    text += fmt::format(", largest difference {:.3g}", *test.largestDifference);
  return text;
}

/// As process 1 of a PID name space a program survives its own SIGABRT, and abort() then ends it by an instruction that
/// is not allowed.
std::string describeEnd(const ProcessResult &process) {
  const bool mayBeAbort = process.end == ProcessResult::End::Signalled && process.code == SIGSEGV;
  return process.describe() + (mayBeAbort ? ": it crashed, or a failed assert() aborted it in the sandbox" : "");
}

void judgeByStatus(const ProgramRun &run, const TestProgramFacts &facts, TestOutcome &outcome) {
  if (run.process.ok())
    return;
  outcome.failed.push_back(facts.target);
  outcome.detail += fmt::format("test program {} {}\n", facts.target, describeEnd(run.process));
}

/// Adds what is wrong with one program's run to `outcome`.
void judge(const ProgramRun &run, const TestProgramFacts &facts, TestOutcome &outcome) {
  if (!facts.isGoogleTest)
    return judgeByStatus(run, facts, outcome);
  if (std::string problem = processProblem(run); !problem.empty()) {
    outcome.detail += fmt::format("test program {} {}\n", facts.target, problem);
    // The report of a process that died half-way is not trusted, so no single test can be named.
    return;
  }
  std::optional<TestReport> report = parseTestReport(*run.report);
  if (!report) {
    outcome.detail += fmt::format("test program {} wrote a report that cannot be read\n", facts.target);
    return;
  }
  int missing = 0, notCompleted = 0;
  for (const auto &[name, expected] : facts.tests) {
    auto found = report->find(name);
    if (found == report->end()) {
      ++missing;
    } else if (found->second.state == TestCase::State::Failed) {
      outcome.failed.push_back(name);
      if (outcome.failed.size() <= kNamesShown)
        outcome.detail += describeFailure(name, found->second) + "\n";
    } else if (found->second.state != expected.state) {
      ++notCompleted;
    }
  }
  if (outcome.failed.size() > kNamesShown)
    outcome.detail += fmt::format("and {} more tests\n", outcome.failed.size() - kNamesShown);
  std::size_t unknown = report->size() + std::size_t(missing) - facts.tests.size();
  if (missing || notCompleted || unknown)
    outcome.detail += fmt::format("test program {}: {} tests missing, {} not completed, {} unknown to the baseline\n",
                                  facts.target, missing, notCompleted, unknown);
  if (outcome.detail.empty() && run.process.code != 0)
    outcome.detail = fmt::format("test program {} {} although no test failed\n", facts.target, run.process.describe());
}

std::string byHand(const TestProgram &program) {
  return "run " + (program.command.empty() ? program.file : join(program.command, " ")) + " by hand";
}

Result<TestProgramFacts> learnStatus(const RunContext &context, const TestRequest &request,
                                     const TestProgram &program) {
  TestProgramFacts facts{.target = program.target, .tests = {}, .isGoogleTest = false};
  const ProgramRun run = TRY(runOne(context, request, program, facts, kBaselineTimeout));
  if (!run.process.ok())
    return (run.process.end == ProcessResult::End::TimedOut ? timeoutError : userError)(
        "test program '" + program.target + "' fails on the unchanged kernel: it " + run.process.describe() + " " +
            lastLines(run.process.out),
        "make it pass first: it is no GoogleTest program, so that its exit status decides; " + byHand(program));
  facts.tests[program.target].state = TestCase::State::Completed;
  facts.seconds = run.process.wallSeconds;
  return facts;
}

Result<TestProgramFacts> learnCases(const RunContext &context, const TestRequest &request, const TestProgram &program,
                                    bool shuffle) {
  TestProgramFacts facts{.target = program.target, .tests = {}, .shuffles = shuffle};
  ProgramRun run = TRY(runOne(context, request, program, facts, kBaselineTimeout));
  std::string who = "test program '" + program.target + "'";
  std::optional<TestReport> report = run.report ? parseTestReport(*run.report) : std::nullopt;
  if (std::string problem = processProblem(run); !problem.empty() || !report)
    return (run.process.end == ProcessResult::End::TimedOut ? timeoutError : userError)(
        who + " " + (problem.empty() ? "wrote a report that cannot be read" : problem) +
            " on the unchanged kernel: " + lastLines(run.process.out),
        "TESTS must name programs that pass; " + byHand(program));
  if (std::vector<std::string> failed = failedTests(*report); !failed.empty() || run.process.code != 0)
    return userError(fmt::format("{} fails on the unchanged kernel: {}", who,
                                 failed.empty() ? run.process.describe() : fmt::format("{}", fmt::join(failed, ", "))),
                     "make the tests pass first, or leave out the failing ones with TEST_FILTER");
  bool ran =
      std::ranges::any_of(*report, [](const auto &entry) { return entry.second.state == TestCase::State::Completed; });
  if (!ran)
    return userError(who + " ran no test" + (request.filter.empty() ? "" : " that matches '" + request.filter + "'"),
                     "correct TEST_FILTER, or name test programs that call the kernel");
  facts.tests = std::move(*report);
  facts.seconds = run.process.wallSeconds;
  return facts;
}

Result<TestProgramFacts> learnOne(const RunContext &context, const TestRequest &request, const TestProgram &program) {
  const bool hasCases = TRY(isGoogleTest(context, request, program));
  if (!hasCases)
    return learnStatus(context, request, program);
  // Programs whose tests depend on their order are run in the user's order.
  const double start = steadySeconds();
  Result<TestProgramFacts> learned = learnCases(context, request, program, true);
  if (!learned && learned.error().kind == ErrorKind::User && steadySeconds() - start < kWorthRepeating)
    learned = learnCases(context, request, program, false);
  return learned;
}

/// A filter that selects nothing must not seem to.
Result<void> refuseVainFilter(const TestRequest &request, const TestFacts &facts) {
  if (request.filter.empty() || facts.empty() || std::ranges::any_of(facts, &TestProgramFacts::isGoogleTest))
    return {};
  return userError("TEST_FILTER is '" + request.filter + "', and test program '" + facts.front().target +
                       "' is no GoogleTest program that could be filtered",
                   "leave TEST_FILTER out; TEST_ARGS, or the name of a test that add_test() registered, may select");
}

void appendLog(std::string &log, const TestProgram &program, const ProgramRun &run) {
  log += fmt::format("== {} ({:.3f} s, {})\n{}\n{}", program.target, run.process.wallSeconds, run.process.describe(),
                     run.process.out, run.trace);
}

} // namespace

Result<TestFacts> learnTests(const RunContext &context, const TestRequest &request) {
  TestFacts facts;
  for (const TestProgram &program : *request.programs) {
    TestProgramFacts learned = TRY(learnOne(context, request, program));
    facts.push_back(std::move(learned));
  }
  TRY(refuseVainFilter(request, facts));
  return facts;
}

ProgramRequest testRun(const TestProgram &program, const TestProgramFacts &facts, const std::string &filter) {
  ProgramRequest run;
  run.program = &program;
  if (!facts.isGoogleTest)
    return run;
  run.reportOption = kReportOption;
  run.arguments.push_back("--gtest_color=no");
  if (!filter.empty())
    run.arguments.push_back("--gtest_filter=" + filter);
  return run;
}

Result<TestOutcome> runTests(const RunContext &context, const TestRequest &request, const TestFacts &facts) {
  TestOutcome outcome;
  std::string log;
  for (std::size_t i = 0; i < request.programs->size() && i < facts.size() && outcome.detail.empty(); ++i) {
    const TestProgram &program = (*request.programs)[i];
    double timeout = std::max(kShortestTimeout, kSlowestFactor * facts[i].seconds);
    const bool isLimited = request.secondsLimit > 0 && request.secondsLimit < timeout;
    ProgramRun run = TRY(runOne(context, request, program, facts[i], isLimited ? request.secondsLimit : timeout));
    outcome.outOfTime = isLimited && run.process.end == ProcessResult::End::TimedOut;
    appendLog(log, program, run);
    outcome.seconds += run.process.wallSeconds;
    judge(run, facts[i], outcome);
  }
  outcome.passed = outcome.detail.empty();
  if (outcome.detail.size() > kDetailCap)
    outcome.detail = outcome.detail.substr(0, kDetailCap) + "…";
  if (!request.logFile.empty())
    TRY(writeFileAtomic(request.logFile, log));
  return outcome;
}

} // namespace agentic
