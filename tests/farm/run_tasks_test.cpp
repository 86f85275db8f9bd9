// How the measuring tasks of a run are named, and what hosts have finished of them.
#include "tool/evaluate/remote/run_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::MatchesRegex;
using testing::StartsWith;

const std::string kRun = "0123456789abcdef01234567";

class RunTasksTest : public testing::Test {
protected:
  void SetUp() override { tasks_.begin(kRun, "worker"); }
  std::string ask(const BenchmarkRequest &request, const CarriedPrograms &carried = {}) const {
    return tasks_.idOf(tasks_.questionOf(request, carried));
  }
  RunTasks tasks_;
};

TEST_F(RunTasksTest, AnIdIsTheSameInEveryProcessOfTheRun) {
  RunTasks later;
  later.begin(kRun, "worker");
  const BenchmarkRequest request{.question = "old new"};
  EXPECT_EQ(ask(request), later.idOf(later.questionOf(request, {})));
  EXPECT_THAT(ask(request), MatchesRegex("[0-9a-f]{64}"));
  EXPECT_THAT(ask(request), StartsWith(kRun));
  RunTasks upgraded;
  upgraded.begin(kRun, "another worker");
  EXPECT_NE(ask(request), upgraded.idOf(upgraded.questionOf(request, {}))) << "it measures otherwise";
  RunTasks other;
  other.begin("ffffffffffffffffffffffff", "worker");
  EXPECT_NE(ask(request), other.idOf(other.questionOf(request, {})));
}

TEST_F(RunTasksTest, WhatIsAskedDecidesTheId) {
  const BenchmarkRequest request{.question = "old new"};
  BenchmarkRequest rule = request, filter = request;
  rule.rule.minimumPairs = 12;
  filter.filter = "BM_Large";
  for (const BenchmarkRequest &other : {BenchmarkRequest{.question = "old newer"}, rule, filter})
    EXPECT_NE(ask(other), ask(request));
  const std::vector<TestProgram> small = {{.target = "bench", .file = "/bench", .arguments = {"--size=8"}}},
                                 large = {{.target = "bench", .file = "/bench", .arguments = {"--size=9"}}};
  EXPECT_NE(ask({.programs = &small, .question = "old new"}), ask({.programs = &large, .question = "old new"}));
  const CarriedPrograms rebuilt{.files = {{.path = "/bench", .file = "/bench", .hash = "aa"}}, .folders = {}};
  EXPECT_NE(ask(request, rebuilt), ask(request));
  BenchmarkRequest elsewhere = request; // where the two sides lie in this process says nothing
  elsewhere.candidate = "/tmp/agentic-x/candidate.so";
  elsewhere.seed = 7;
  EXPECT_EQ(ask(elsewhere), ask(request));
}

TEST_F(RunTasksTest, AnAnsweredQuestionIsAskedAnew) {
  const std::string question = tasks_.questionOf({.question = "old new"}, {});
  const std::string first = tasks_.idOf(question);
  EXPECT_EQ(tasks_.idOf(question), first) << "another host is asked the same";
  tasks_.answered(question);
  EXPECT_NE(tasks_.idOf(question), first);
}

TEST_F(RunTasksTest, WhatMustBeMeasuredAnewHasNoQuestion) {
  EXPECT_EQ(tasks_.questionOf({}, {}), "");
  EXPECT_NE(ask({}), ask({}));
  RunTasks noRun;
  EXPECT_EQ(noRun.questionOf({.question = "old new"}, {}), "");
}

TEST_F(RunTasksTest, AFinishedResultIsTakenOnce) {
  const std::string question = tasks_.questionOf({.question = "old new"}, {}), id = tasks_.idOf(question);
  tasks_.collect("ssh:box", {{id, {{"outcome", 1}}}});
  EXPECT_FALSE(tasks_.take("another question"));
  EXPECT_FALSE(tasks_.take(""));
  const auto result = tasks_.take(question);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->host, "ssh:box");
  EXPECT_EQ(result->result.at("outcome"), 1);
  EXPECT_FALSE(tasks_.take(question)) << "it would count twice";
  EXPECT_NE(tasks_.idOf(question), id) << "it is answered";
}

TEST_F(RunTasksTest, NothingElseThatAHostSaysIsKept) {
  const std::string question = tasks_.questionOf({.question = "old new"}, {}), id = tasks_.idOf(question);
  const std::string foreign(64, 'f');
  tasks_.collect("ssh:box", {{foreign, {}}, {"aa", {}}, {id.substr(0, 63), {}}, {id + "0", {}}});
  EXPECT_FALSE(tasks_.take(question));
  tasks_.collect("ssh:box", {{id, {}}});
  tasks_.collect("ssh:other", {{id, {}}});
  const auto result = tasks_.take(question);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->host, "ssh:box") << "the first that had it";
}

} // namespace
} // namespace agentic
