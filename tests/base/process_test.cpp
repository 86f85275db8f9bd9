// Tests how a child ends, and what happens to its output.
#include "tests/base/shell.h"
#include "tool/base/files.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace agentic {
namespace {

using End = ProcessResult::End;

/// False if the process is gone, or a zombie that nobody reaps here.
bool isRunning(pid_t pid) {
  const auto status = readFile("/proc/" + std::to_string(pid) + "/stat");
  if (!status)
    return false;
  const std::size_t state = status->rfind(") ");
  return state != std::string::npos && (*status)[state + 2] != 'Z' && (*status)[state + 2] != 'X';
}

/// The awaited event happens at once, or never.
constexpr int kLooks = 30'000; // of 10 ms

bool ends(pid_t pid) {
  for (int i = 0; i < kLooks; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (!isRunning(pid))
      return true;
  return false;
}

pid_t pidIn(const fs::path &file) {
  for (int i = 0; i < kLooks; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (const auto text = readFile(file); text && text->ends_with("\n"))
      return std::stoi(*text);
  ADD_FAILURE() << "no pid in " << file;
  return -1;
}

/// A script that writes its process id to the file `pid` and then sleeps until it is killed.
const std::string kSleeper = "echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 1000";

TEST(Process, ReportsStatusAndBothStreams) {
  const ProcessResult result = mustRun(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.describe(), "exited with status 3");
}

TEST(Process, ReportsASignal) {
  const ProcessResult result = mustRun(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.code, SIGSEGV);
  EXPECT_EQ(result.describe(), "was killed by SIGSEGV");
}

TEST(Process, FixesAddressesWhereThatIsPermitted) {
  ProcessSpec spec = shell("cat /proc/self/personality");
  EXPECT_EQ(mustRun(spec).out, readFile("/proc/self/personality").value_or("it cannot be read"));
  spec.fixedAddresses = true;
  constexpr unsigned long kFixed = 0x40000;
  EXPECT_NE(std::stoul(mustRun(spec).out, nullptr, 16) & kFixed, 0u);
}

TEST(Process, MergesStreamsInOrder) {
  ProcessSpec spec = shell("echo 1; echo 2 >&2; echo 3");
  spec.mergeOutput = true;
  const ProcessResult result = mustRun(spec);
  EXPECT_EQ(result.out, "1\n2\n3\n");
  EXPECT_EQ(result.err, "");
}

TEST(Process, GivesInputOfAnySize) {
  ProcessSpec spec = shell("cat");
  spec.input = std::string(300'000, 'x') + "end";
  EXPECT_EQ(mustRun(spec).out, spec.input);
  spec.argv = {"true"}; // never reads it
  EXPECT_TRUE(mustRun(spec).ok());
  spec.argv = {"cat"};
  spec.input = "";
  EXPECT_EQ(mustRun(spec).out, "");
}

TEST(Process, CapsOutputButLetsTheChildFinish) {
  ProcessSpec spec = shell("head -c 3000000 /dev/zero; echo done >&2");
  spec.outputCapBytes = 1000;
  const ProcessResult result = mustRun(spec);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.out.size(), 1000U);
  EXPECT_EQ(result.err, "done\n");
  EXPECT_TRUE(result.truncated);
  spec.argv = {"head", "-c", "1000", "/dev/zero"};
  EXPECT_FALSE(mustRun(spec).truncated) << "exactly the cap is not truncated";
}

TEST(Process, KillsTheWholeGroup) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  std::atomic<bool> cancelled = false;
  ProcessSpec spec = shell("sh -c '" + kSleeper + "' & wait");
  spec.workingDirectory = scratch->path().string();
  spec.cancelled = &cancelled;
  pid_t grandchild = -1;
  std::jthread canceller([&] {
    grandchild = pidIn(scratch->path() / "pid");
    cancelled = true;
  });
  EXPECT_EQ(mustRun(spec).end, End::Cancelled);
  canceller.join();
  EXPECT_TRUE(ends(grandchild));
}

TEST(Process, TimesOut) {
  const ProcessResult result = mustRun(shell("sleep 100", 0.3));
  EXPECT_EQ(result.end, End::TimedOut);
  EXPECT_EQ(result.describe(), "ran longer than 0.3 s");
  EXPECT_EQ(mustRun(shell("yes", 0.3)).end, End::TimedOut) << "while output flows";
}

TEST(Process, TimesOutAChildThatIgnoresSignalsAndClosedItsPipes) {
  EXPECT_EQ(mustRun(shell("trap '' TERM INT HUP; exec >&- 2>&-; sleep 100; sleep 100", 0.2)).end, End::TimedOut);
}

TEST(Process, WaitsForAChildThatClosedItsPipes) {
  const ProcessResult result = mustRun(shell("echo early; exec >&- 2>&-; sleep 0.2; exit 7"));
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.out, "early\n");
}

TEST(Process, KillsWhatTheChildLeftInItsGroup) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  ProcessSpec spec = shell("sleep 100 & echo $! > pid; echo done");
  spec.workingDirectory = scratch->path().string();
  const ProcessResult result = mustRun(spec);
  EXPECT_EQ(result.out, "done\n");
  EXPECT_TRUE(ends(pidIn(scratch->path() / "pid")));
}

TEST(Process, DoesNotWaitForAGrandchildThatHoldsThePipe) {
  // setsid takes it out of the group: it cannot be killed with it, but it must not block us either.
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  ProcessSpec spec = shell("setsid sh -c '" + kSleeper + "' & until [ -e pid ]; do sleep 0.01; done; echo done");
  spec.workingDirectory = scratch->path().string();
  const ProcessResult result = mustRun(spec);
  const pid_t grandchild = pidIn(scratch->path() / "pid");
  EXPECT_TRUE(isRunning(grandchild)) << "its end was waited for";
  EXPECT_TRUE(result.ok()) << result.describe();
  EXPECT_EQ(result.out, "done\n");
  ::kill(grandchild, SIGKILL);
}

TEST(Process, IsCancelledFromAnotherThread) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  std::atomic<bool> cancelled = false;
  ProcessSpec spec = shell(kSleeper);
  spec.workingDirectory = scratch->path().string();
  spec.cancelled = &cancelled;
  std::jthread canceller([&] {
    pidIn(scratch->path() / "pid");
    cancelled = true;
  });
  const ProcessResult result = mustRun(spec);
  EXPECT_EQ(result.end, End::Cancelled);
  EXPECT_EQ(result.describe(), "was interrupted");
}

TEST(Process, DiesWithItsParent) {
  // A forked copy of this test starts the child and is killed like the tool by `kill -9`.
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ProcessSpec spec = shell(kSleeper);
    spec.workingDirectory = scratch->path().string();
    (void)runProcess(spec);
    ::_exit(0);
  }
  const pid_t child = pidIn(scratch->path() / "pid");
  EXPECT_TRUE(isRunning(child));
  ::kill(parent, SIGKILL);
  EXPECT_TRUE(ends(child));
}

/// Not a test: the next one starts and kills it.
TEST(Process, DISABLED_HelperWithAGrandchild) {
  (void)runProcess(shell("sleep 1000 & echo $! > pid.tmp; mv pid.tmp pid; wait"));
}

TEST(Process, GrandchildrenDieWithAKilledTool) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  const pid_t tool = ::fork();
  if (tool == 0) {
    ::close(1);
    if (::chdir(scratch->path().c_str()) == 0)
      ::execl("/proc/self/exe", "base_test", "--gtest_filter=Process.DISABLED_HelperWithAGrandchild",
              "--gtest_also_run_disabled_tests", nullptr);
    ::_exit(127);
  }
  const pid_t grandchild = pidIn(scratch->path() / "pid");
  EXPECT_TRUE(isRunning(grandchild));
  ::kill(tool, SIGKILL);
  ::waitpid(tool, nullptr, 0);
  EXPECT_TRUE(ends(grandchild));
}

TEST(Process, EndsAChildThatFillsItsFolder) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch);
  ProcessSpec spec = shell("i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > f$i; done");
  spec.workingDirectory = scratch->path().string();
  spec.writtenFolders = {scratch->path().string()};
  spec.limits.writtenBytes = 20'000'000;
  const ProcessResult result = mustRun(spec);
  EXPECT_EQ(result.end, End::WroteTooMuch);
  EXPECT_EQ(result.describe(), "wrote more than it may keep in files");
  spec.limits.writtenBytes = 0;
  spec.argv = {"sh", "-c", "exit 0"};
  EXPECT_TRUE(mustRun(spec).ok()) << "no limit, no guard";
}

} // namespace
} // namespace agentic
