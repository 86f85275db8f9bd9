#include "tests/evaluate/stage_fixture.h"
#include "tool/evaluate/programs/test_stage.h"

#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace agentic {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TestStage : public StageTest {
protected:
  TestOutcome runCandidate(const std::string &kind) {
    std::vector<TestProgram> programs = program("square_test");
    TestRequest request;
    request.programs = &programs;
    if (facts_.empty()) {
      Result<TestFacts> learned = learnTests(context_, request);
      EXPECT_TRUE(learned) << learned.error().message;
      facts_ = learned.value_or(TestFacts());
    }
    request.sharedObject = library(kind);
    request.logFile = (scratch_->path() / "log.txt").string();
    Result<TestOutcome> outcome = runTests(context_, request, facts_);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(TestOutcome());
  }
  TestFacts facts_;
};

TEST_F(TestStage, LearnsWhatTheBaselineRuns) {
  std::vector<TestProgram> programs = program("square_test");
  TestRequest request;
  request.programs = &programs;
  Result<TestFacts> facts = learnTests(context_, request);
  ASSERT_TRUE(facts) << facts.error().message;
  ASSERT_EQ(facts->front().tests.size(), 3u);
  EXPECT_EQ(facts->front().tests.at("Square.Small").state, TestCase::State::Completed);
  EXPECT_EQ(facts->front().tests.at("Square.Skipped").state, TestCase::State::Skipped);
  EXPECT_TRUE(facts->front().shuffles);
}

TEST_F(TestStage, PassesAnHonestCandidate) {
  TestOutcome outcome = runCandidate("honest");
  EXPECT_TRUE(outcome.passed) << outcome.detail;
  Result<std::string> log = readFile(scratch_->path() / "log.txt");
  ASSERT_TRUE(log);
  EXPECT_THAT(*log, HasSubstr("Square.Small"));
}

TEST_F(TestStage, NamesFailingTestsAndTheSizeOfTheErrorButNoExpectedValue) {
  TestOutcome outcome = runCandidate("zeros");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.failed, ElementsAre("Square.Large", "Square.Small"));
  EXPECT_THAT(outcome.detail, HasSubstr("Square.Small: 7 failed assertions, largest difference 49"));
  EXPECT_THAT(outcome.detail, Not(HasSubstr("x[i]")));
  EXPECT_THAT(outcome.detail, Not(HasSubstr("square_test.cpp")));
}

TEST_F(TestStage, ACrashIsAFailure) {
  TestOutcome outcome = runCandidate("aborts");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail, HasSubstr("SIGABRT"));
}

TEST_F(TestStage, AnEarlyExitWithStatusZeroIsAFailure) {
  for (const char *kind : {"exits", "exits_early", "fake_output"}) {
    TestOutcome outcome = runCandidate(kind);
    EXPECT_FALSE(outcome.passed) << kind;
    EXPECT_THAT(outcome.detail, HasSubstr("ended before its tests did")) << kind;
  }
}

TEST_F(TestStage, AForgedReportIsAFailureAndItsNamesAreNotRepeated) {
  TestOutcome outcome = runCandidate("forges_report");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail, Not(HasSubstr("previous instructions")));
}

TEST_F(TestStage, AReportOfOtherTestsIsAFailure) {
  runCandidate("honest");
  facts_[0].tests.erase("Square.Small");
  facts_[0].tests["Square.Another"].state = TestCase::State::Completed;
  TestOutcome outcome = runCandidate("honest");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail, HasSubstr("1 tests missing, 0 not completed, 1 unknown"));
}

TEST_F(TestStage, AReportOfMoreTestsIsAFailure) {
  runCandidate("honest");
  facts_[0].tests.erase("Square.Small"); // the candidate's run reports it as completed
  EXPECT_THAT(runCandidate("honest").detail, HasSubstr("0 tests missing, 0 not completed, 1 unknown"));
}

TEST_F(TestStage, ANewlySkippedTestIsAFailure) {
  runCandidate("honest");
  facts_[0].tests["Square.Skipped"].state = TestCase::State::Completed;
  EXPECT_THAT(runCandidate("honest").detail, HasSubstr("1 not completed"));
}

TEST_F(TestStage, ABaselineThatFailsIsOneClearError) {
  std::vector<TestProgram> programs = program("failing_test");
  TestRequest request;
  request.programs = &programs;
  Result<TestFacts> facts = learnTests(context_, request);
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, HasSubstr("'failing_test' fails on the unchanged kernel: Always.Fails"));
  EXPECT_THAT(facts.error().next, HasSubstr("TEST_FILTER"));
  request.filter = "*Passes";
  EXPECT_TRUE(learnTests(context_, request));
}

TEST_F(TestStage, AFilterWithoutTestsIsOneClearError) {
  std::vector<TestProgram> programs = program("square_test");
  TestRequest request;
  request.programs = &programs;
  request.filter = "NoSuch.*";
  Result<TestFacts> facts = learnTests(context_, request);
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, HasSubstr("no test that matches 'NoSuch.*'"));
}

class StatusTest : public TestStage {
protected:
  Result<TestFacts> learn() {
    request_.programs = &programs_;
    return learnTests(context_, request_);
  }
  TestOutcome run(const std::string &kind) {
    if (facts_.empty()) {
      Result<TestFacts> learned = learn();
      EXPECT_TRUE(learned) << learned.error().message;
      facts_ = learned.value_or(TestFacts());
    }
    request_.sharedObject = library(kind);
    Result<TestOutcome> outcome = runTests(context_, request_, facts_);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(TestOutcome());
  }
  std::vector<TestProgram> programs_ = program("status_test");
  TestRequest request_;
};

TEST_F(StatusTest, AnyProgramIsOneTest) {
  EXPECT_TRUE(run("honest").passed);
  ASSERT_EQ(facts_.size(), 1u);
  EXPECT_FALSE(facts_[0].isGoogleTest);
  EXPECT_FALSE(facts_[0].shuffles);
  ASSERT_EQ(facts_[0].tests.size(), 1u);
  EXPECT_EQ(facts_[0].tests.at("status_test").state, TestCase::State::Completed);
}

TEST_F(StatusTest, ItsExitStatusOrSignalDecides) {
  const TestOutcome wrong = run("zeros");
  EXPECT_FALSE(wrong.passed);
  EXPECT_THAT(wrong.failed, ElementsAre("status_test"));
  EXPECT_THAT(wrong.detail, HasSubstr("test program status_test exited with status 1"));
  EXPECT_THAT(run("aborts").detail, HasSubstr("SIGABRT"));
  context_.view.tasks = Tasks::None; // then it may be process 1 of its name space
  const std::string alone = run("aborts").detail;
  EXPECT_THAT(alone, AnyOf(HasSubstr("SIGABRT"), HasSubstr("SIGSEGV: it crashed, or a failed assert() aborted it")));
}

TEST_F(StatusTest, AProgramThatFailsOnTheUnchangedKernelIsOneClearError) {
  programs_[0].arguments = {"unknown"};
  const Result<TestFacts> facts = learn();
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message,
              HasSubstr("'status_test' fails on the unchanged kernel: it exited with status 64"));
  EXPECT_THAT(facts.error().next, HasSubstr("its exit status decides"));
}

TEST_F(StatusTest, AFilterThatNoProgramUnderstandsIsRefused) {
  request_.filter = "Square.*";
  const Result<TestFacts> facts = learn();
  ASSERT_FALSE(facts);
  EXPECT_THAT(facts.error().message, HasSubstr("TEST_FILTER is 'Square.*', and test program 'status_test' is no"));
  programs_.push_back(program("square_test").front());
  const Result<TestFacts> both = learn();
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_TRUE(both->at(1).isGoogleTest);
}

TEST_F(StatusTest, AScriptRunsTheProgramItself) {
  const std::string file = programs_[0].file;
  context_.view.tasks = Tasks::Processes;
  context_.runner = {"/nowhere/emulator"}; // not for a script
  programs_[0].command = {"/bin/sh", "-c", "test $# = 0 || exit 2; '" + file + "' || exit 3"};
  EXPECT_TRUE(run("honest").passed);
  EXPECT_THAT(run("zeros").detail, HasSubstr("exited with status 3"));
}

constexpr const char *kReport =
    R"({"tests":2,"testsuites":[{"name":"A","testsuite":[{"name":"x","status":"RUN","result":"COMPLETED"},)"
    R"({"name":"y","status":"RUN","result":"COMPLETED","failures":[{"failure":"f.cpp:1\nThe difference between a and )"
    R"(b is 2.5, which exceeds 0.1, where"}]}]}]})";

TEST(TestReportParser, ReadsTheReport) {
  std::optional<TestReport> report = parseTestReport(kReport);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->at("A.x").state, TestCase::State::Completed);
  EXPECT_EQ(report->at("A.y").state, TestCase::State::Failed);
  EXPECT_EQ(report->at("A.y").largestDifference, 2.5);
}

TEST(TestReportParser, SurvivesHostileText) {
  for (const char *text :
       {"", "null", "[]", "{}", "{\"testsuites\":1}", "{\"testsuites\":[1]}", "{\"testsuites\":[{\"testsuite\":{}}]}",
        "{\"testsuites\":[{\"testsuite\":[1e999]}]}", "{\"testsuites\":[{\"name\":\"\\ud800\",\"testsuite\":[]}]}"})
    parseTestReport(text);
  EXPECT_FALSE(parseTestReport(std::string(1 << 16, '[')));
  EXPECT_FALSE(parseTestReport("{\"testsuites\":" + std::string(1 << 16, '[') + std::string(1 << 16, ']') + "}"));
  EXPECT_FALSE(parseTestReport(R"({"testsuites":[{"name":"A","testsuite":[{"name":"x"},{"name":"x"}]}]})"));
}

TEST(TestReportParser, SurvivesDamagedReports) {
  std::mt19937_64 random(5);
  const std::string report = kReport;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = report;
    for (std::uint64_t change = 0; change <= random() % 3; ++change)
      switch (std::size_t at = random() % damaged.size(); random() % 3) {
      case 0:
        damaged[at] = char(random());
        break;
      case 1:
        damaged.erase(at, random() % 20);
        break;
      default:
        damaged.insert(at, report.substr(random() % report.size(), random() % 20));
      }
    parseTestReport(damaged);
  }
}

TEST(ReadUntrusted, ReadsOnlySmallRegularFiles) {
  auto scratch = ScratchDirectory::create("/tmp", "agentic-untrusted-");
  ASSERT_TRUE(scratch);
  std::string folder = scratch->path().string();
  ASSERT_TRUE(writeFileAtomic(folder + "/file", "text"));
  EXPECT_EQ(readUntrusted(folder + "/file", 100), "text");
  EXPECT_FALSE(readUntrusted(folder + "/file", 3));
  EXPECT_FALSE(readUntrusted(folder + "/missing", 100));
  EXPECT_FALSE(readUntrusted(folder, 100));
  ASSERT_EQ(symlink("/etc/passwd", (folder + "/link").c_str()), 0);
  EXPECT_FALSE(readUntrusted(folder + "/link", 1 << 20));
  ASSERT_EQ(mkfifo((folder + "/fifo").c_str(), 0600), 0);
  EXPECT_FALSE(readUntrusted(folder + "/fifo", 100));
}

} // namespace
} // namespace agentic
