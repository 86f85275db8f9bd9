// Tests that the needed grants are learnt by running the baseline: real programs, in every kind of sandbox that works.
#include "tool/base/files.h"
#include "tool/evaluate/programs/task_grants.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TaskGrants : public testing::TestWithParam<Sandbox::Strength> {
protected:
  void SetUp() override {
    sandbox_ = Sandbox::ofStrength(GetParam());
    if (!sandbox_)
      GTEST_SKIP() << "this kind of sandbox does not work here";
    auto scratch = ScratchDirectory::create("/tmp", "agentic-grants-");
    ASSERT_TRUE(scratch);
    scratch_.emplace(std::move(*scratch));
    context_.kernel = "k";
    context_.sandbox = &*sandbox_;
    context_.scratchDirectory = path("runs");
    context_.view.readOnly = {path("project")};
    fs::create_directories(path("project"));
  }
  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }

  /// Returns the result of withFewestTasks for a program made of `code`.
  Result<int> learn(const std::string &code, Tasks &tasks) {
    ProcessSpec compiler;
    EXPECT_TRUE(writeFileAtomic(path("main.cpp"), code));
    compiler.argv = {"g++", "-std=c++17", "-w", "-pthread", path("main.cpp"), "-o", path("project/program")};
    const auto compiled = runProcess(compiler);
    EXPECT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->err : compiled.error().message);
    TestProgram program;
    program.file = path("project/program");
    program.workingDirectory = path("project");
    return withFewestTasks(tasks, context_, [&](const RunContext &context) -> Result<int> {
      ++runs_;
      ProgramRequest request;
      request.program = &program;
      auto run = runProgram(context, request);
      if (!run)
        return std::unexpected(run.error());
      if (!run->process.ok())
        return userError("the program " + run->process.describe() + ": " + run->process.out, "mend it");
      return 7;
    });
  }

  std::optional<Sandbox> sandbox_;
  std::optional<ScratchDirectory> scratch_;
  RunContext context_;
  int runs_ = 0;
};

INSTANTIATE_TEST_SUITE_P(, TaskGrants,
                         testing::Values(Sandbox::Strength::Bubblewrap, Sandbox::Strength::BubblewrapNoUserNamespace,
                                         Sandbox::Strength::OwnLauncher));

TEST_P(TaskGrants, AProgramThatStartsNothingIsGrantedNothing) {
  Tasks tasks = Tasks::None;
  EXPECT_EQ(learn("int main() {}", tasks).value_or(0), 7);
  EXPECT_EQ(tasks, Tasks::None);
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(describeGrant(tasks), "");
}

TEST_P(TaskGrants, ThreadsAreGrantedWhereTheyAreNeeded) {
  Tasks tasks = Tasks::None;
  EXPECT_TRUE(learn("#include <thread>\nint main() { std::thread([] {}).join(); }", tasks));
  EXPECT_EQ(tasks, Tasks::Threads);
  EXPECT_THAT(describeGrant(tasks), HasSubstr("threads"));
}

TEST_P(TaskGrants, ProcessesAreGrantedWhereTheyAreNeeded) {
  Tasks tasks = Tasks::None;
  EXPECT_TRUE(learn("#include <unistd.h>\nint main() { int c = fork(); if (c == 0) _exit(0); return c < 0; }", tasks));
  EXPECT_EQ(tasks, Tasks::Processes);
  EXPECT_THAT(describeGrant(tasks), HasSubstr("processes"));
}

TEST_P(TaskGrants, WhatFailsEverywhereFailsAsItIs) {
  Tasks tasks = Tasks::None;
  const auto failed = learn("int main() { return 3; }", tasks);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "the program exited with status 3: ");
}

TEST_P(TaskGrants, ADeniedFileIsNamed) {
  ASSERT_TRUE(writeFileAtomic(path("data/input.txt"), "text"));
  ASSERT_TRUE(writeFileAtomic(path("project/known.txt"), "text"));
  const std::string code = "#include <fstream>\nint main() { std::string s; std::ifstream(\"known.txt\") >> s; "
                           "std::ifstream(\"../data/input.txt\") >> s >> s; std::ifstream in(\"../data/input.txt\"); "
                           "return in.good() ? 0 : 1; }";
  Tasks tasks = Tasks::None;
  const auto failed = learn(code, tasks);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, AllOf(HasSubstr("denied: reading '" + path("data/input.txt") + "'"),
                                            Not(HasSubstr("known.txt")), Not(HasSubstr("/usr"))));
  EXPECT_THAT(failed.error().next, HasSubstr("TEST_DATA"));

  context_.view.readOnly.push_back(path("data")); // like TEST_DATA
  tasks = Tasks::None;
  EXPECT_TRUE(learn(code, tasks));
}

TEST_P(TaskGrants, DeniedWritingAndSocketsAreNamed) {
  Tasks tasks = Tasks::None;
  const auto failed = learn("#include <fstream>\n#include <sys/socket.h>\nint main() { std::ofstream out(\"log.txt\"); "
                            "return out.good() && socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : 1; }",
                            tasks);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message,
              AllOf(HasSubstr("writing '" + path("project/log.txt") + "'"), HasSubstr("a network socket")));
}

} // namespace
} // namespace agentic
