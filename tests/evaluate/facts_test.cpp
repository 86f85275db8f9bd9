// Tests the cache of baseline facts: written facts come back, anything else counts as absent.
#include "tool/evaluate/baseline/facts.h"

#include "tool/base/files.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

class Facts : public ::testing::Test {
protected:
  ScratchDirectory scratch_ = std::move(ScratchDirectory::create("/tmp", "agentic-facts-").value());
  std::string file_ = (scratch_.path() / "facts.json").string();
};

BaselineFacts sample() {
  BaselineFacts facts;
  TestProgramFacts tests{.target = "t", .tests = {}, .seconds = 0.5, .shuffles = true, .isGoogleTest = false};
  tests.tests["A.x"].state = TestCase::State::Completed;
  tests.tests["A.y"].state = TestCase::State::Skipped;
  facts.tests = {tests};
  BenchmarkProgramFacts benchmark;
  benchmark.target = "b";
  benchmark.names = {"BM/1", "BM/2"};
  benchmark.repetitions = 3;
  benchmark.pausedPerIteration = 1e-3;
  benchmark.leftOut = {{"BM/3", "no data"}};
  benchmark.printed = "2 s";
  benchmark.kernelShare = 0.5;
  benchmark.cpuShare = 0.25;
  benchmark.filter = "^(BM/1|BM/2)$";
  benchmark.byWallTime = {"BM/1"};
  benchmark.unseen = {"BM/2"};
  facts.recording.callers = {4, true};
  facts.benchmarks = {benchmark};
  facts.calibration.baselineNs = 123;
  facts.calibration.testCount = 1;
  facts.calibration.observed = {{"n", {64, -1}}};
  facts.objectHash = "abc";
  facts.allowedUndefined = {"memcpy"};
  return facts;
}

TEST_F(Facts, ComeBackAsTheyWere) {
  ASSERT_TRUE(saveFacts(file_, "key", sample()));
  std::optional<BaselineFacts> facts = loadFacts(file_, "key");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->tests[0].tests.at("A.y").state, TestCase::State::Skipped);
  EXPECT_EQ(facts->calibration.observed, (ObservedValues{{"n", {64, -1}}}));
  EXPECT_TRUE(facts->tests[0].shuffles);
  EXPECT_FALSE(facts->tests[0].isGoogleTest);
  EXPECT_EQ(facts->benchmarks[0].names, sample().benchmarks[0].names);
  EXPECT_EQ(facts->benchmarks[0].repetitions, 3);
  EXPECT_EQ(facts->benchmarks[0].leftOut, sample().benchmarks[0].leftOut);
  EXPECT_EQ(facts->benchmarks[0].printed, "2 s");
  EXPECT_EQ(facts->benchmarks[0].kernelShare, 0.5);
  EXPECT_EQ(facts->benchmarks[0].cpuShare, 0.25);
  EXPECT_EQ(facts->benchmarks[0].filter, sample().benchmarks[0].filter);
  EXPECT_EQ(facts->benchmarks[0].byWallTime, sample().benchmarks[0].byWallTime);
  EXPECT_EQ(facts->benchmarks[0].unseen, sample().benchmarks[0].unseen);
  EXPECT_EQ(facts->recording.callers.most, 4u);
  EXPECT_TRUE(facts->recording.callers.areSideBySide);
  EXPECT_EQ(facts->calibration.baselineNs, 123);
  EXPECT_EQ(facts->allowedUndefined, sample().allowedUndefined);
}

TEST_F(Facts, OfAnotherKeyOrDamagedCountAsAbsent) {
  EXPECT_FALSE(loadFacts(file_, "key"));
  ASSERT_TRUE(saveFacts(file_, "key", sample()));
  EXPECT_FALSE(loadFacts(file_, "other"));
  std::string text = *readFile(file_);
  for (std::size_t length : {std::size_t(0), text.size() / 3, text.size() - 2}) {
    ASSERT_TRUE(writeFileAtomic(file_, text.substr(0, length)));
    EXPECT_FALSE(loadFacts(file_, "key")) << length;
  }
  ASSERT_TRUE(writeFileAtomic(file_, R"({"schema":1,"key":"key","tests":[{"target":7}]})"));
  EXPECT_FALSE(loadFacts(file_, "key"));
}

TEST_F(Facts, ASpecificationIsFreshWhileItsHeadersAre) {
  std::string header = (scratch_.path() / "h.h").string();
  ASSERT_TRUE(writeFileAtomic(header, "int f();\n"));
  KernelSpec spec;
  spec.kernel = "k";
  spec.text = "void f() {}";
  spec.projectHeaders = {header};
  ASSERT_TRUE(saveSpec(file_, "key", spec));
  ASSERT_TRUE(loadSpec(file_, "key"));
  EXPECT_EQ(loadSpec(file_, "key")->text, spec.text);
  ASSERT_TRUE(writeFileAtomic(header, "int f();\r\n")); // line ends do not count
  EXPECT_TRUE(loadSpec(file_, "key"));
  ASSERT_TRUE(writeFileAtomic(header, "long f();\n"));
  EXPECT_FALSE(loadSpec(file_, "key"));
}

TEST(ToolIdentity, NamesThisBuild) {
  EXPECT_NE(toolIdentity(), "");
  EXPECT_EQ(toolIdentity(), toolIdentity());
}

} // namespace
} // namespace agentic
