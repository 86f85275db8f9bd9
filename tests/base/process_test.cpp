#include "tool/base/process.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace agentic {
namespace {

using End = ProcessResult::End;
using testing::HasSubstr;

ProcessSpec shell(std::string script, double timeoutSeconds = 20) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", std::move(script)};
  spec.timeoutSeconds = timeoutSeconds;
  return spec;
}

ProcessResult mustRun(const ProcessSpec &spec) {
  auto result = runProcess(spec);
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(ProcessResult{});
}

/// A process is gone, or a zombie that nobody reaps here (it runs no more).
bool isRunning(pid_t pid) {
  const auto status = readFile("/proc/" + std::to_string(pid) + "/stat");
  if (!status)
    return false;
  const std::size_t state = status->rfind(") ");
  return state != std::string::npos && (*status)[state + 2] != 'Z' && (*status)[state + 2] != 'X';
}

bool endsSoon(pid_t pid) {
  for (int i = 0; i < 200; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (!isRunning(pid))
      return true;
  return false;
}

pid_t pidIn(const fs::path &file) {
  for (int i = 0; i < 200; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (const auto text = readFile(file); text && text->ends_with("\n"))
      return std::stoi(*text);
  ADD_FAILURE() << "no pid in " << file;
  return -1;
}

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
  ProcessSpec spec = shell("sh -c 'echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 100' & wait");
  spec.workingDirectory = scratch->path().string();
  spec.cancelled = &cancelled;
  pid_t grandchild = -1;
  std::jthread canceller([&] {
    grandchild = pidIn(scratch->path() / "pid");
    cancelled = true;
  });
  EXPECT_EQ(mustRun(spec).end, End::Cancelled);
  canceller.join();
  EXPECT_TRUE(endsSoon(grandchild));
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
  EXPECT_TRUE(endsSoon(pidIn(scratch->path() / "pid")));
}

TEST(Process, DoesNotWaitForAGrandchildThatHoldsThePipe) {
  // setsid takes it out of the group: it cannot be killed with it, but it must not hold us up either.
  const double start = steadySeconds();
  const ProcessResult result = mustRun(shell("setsid sleep 30 & sleep 0.1; echo $!"));
  EXPECT_TRUE(result.ok());
  const pid_t grandchild = std::stoi(result.out);
  EXPECT_TRUE(isRunning(grandchild)) << "else this test proves nothing";
  EXPECT_LT(steadySeconds() - start, 25);
  ::kill(grandchild, SIGKILL);
}

TEST(Process, IsCancelledFromAnotherThread) {
  std::atomic<bool> cancelled = false;
  ProcessSpec spec = shell("sleep 100", 100);
  spec.cancelled = &cancelled;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
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
    ProcessSpec spec = shell("echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 100", 100);
    spec.workingDirectory = scratch->path().string();
    (void)runProcess(spec);
    ::_exit(0);
  }
  const pid_t child = pidIn(scratch->path() / "pid");
  EXPECT_TRUE(isRunning(child));
  ::kill(parent, SIGKILL);
  EXPECT_TRUE(endsSoon(child));
}

TEST(Process, SetsEnvironment) {
  ProcessSpec spec = shell("echo \"$A:$B:$HOME\"");
  spec.environment = std::vector<std::string>{"A=1", "B=2"};
  spec.addedEnvironment = {{"B", "3"}};
  spec.argv[0] = "/bin/sh";
  EXPECT_EQ(mustRun(spec).out, "1:3:\n");
  spec.environment.reset();
  EXPECT_THAT(mustRun(spec).out, testing::StartsWith(":3:")) << "inherited plus added";
}

TEST(Process, RunsInADirectoryWithRelativePrograms) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch && writeFileAtomic(scratch->path() / "tool", "#!/bin/sh\npwd -P\n"));
  fs::permissions(scratch->path() / "tool", fs::perms::owner_all);
  ProcessSpec spec;
  spec.argv = {"./tool"};
  spec.workingDirectory = scratch->path().string();
  EXPECT_EQ(mustRun(spec).out, fs::canonical(scratch->path()).string() + "\n");
}

TEST(Process, HandsOnOnlyTheDescriptorsItWasGiven) {
  const int leaked = ::open("/dev/null", O_RDONLY); // without O_CLOEXEC
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ProcessSpec spec = shell("echo hello >&7; ls /proc/self/fd | tr '\\n' ' '");
  spec.inheritedDescriptors = {{ends[1], 7}};
  const ProcessResult result = mustRun(spec);
  // ls has one more of its own: the folder it lists.
  EXPECT_EQ(result.out, "0 1 2 3 7 ");
  std::array<char, 16> text{};
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 6);
  for (const int fd : {leaked, ends[0], ends[1]})
    ::close(fd);
}

TEST(Process, PlacesDescriptorsWithoutOverwritingASource) {
  std::array<int, 2> a{}, b{};
  ASSERT_EQ(::pipe(a.data()), 0);
  ASSERT_EQ(::pipe(b.data()), 0);
  // Targets downwards where copies made upwards would lie, and each pipe's own number as the other's target.
  const int free = ::dup(0);
  ::close(free);
  ProcessSpec spec;
  std::string script, expectedA, expectedB;
  const auto place = [&](bool isA, int target) {
    spec.inheritedDescriptors.emplace_back(isA ? a[1] : b[1], target);
    script += "echo " + std::to_string(target) + " >&" + std::to_string(target) + "; ";
    (isA ? expectedA : expectedB) += std::to_string(target) + "\n";
  };
  place(true, b[1]);
  place(false, a[1]);
  for (int i = 0; i < 24; ++i)
    place(i < 12, free + 32 - i);
  spec.argv = {"bash", "-c", "eval '" + script + "'"}; // dash knows one-digit descriptors only
  EXPECT_TRUE(mustRun(spec).ok());
  std::array<char, 256> text{};
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(::read(a[0], text.data(), text.size()))), expectedA);
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(::read(b[0], text.data(), text.size()))), expectedB);
  for (const int fd : {a[0], a[1], b[0], b[1]})
    ::close(fd);
}

TEST(Process, AppliesLimits) {
  ProcessSpec spec = shell("ulimit -c; ulimit -n; ulimit -v; ulimit -t; ulimit -f");
  spec.argv[0] = "bash";
  spec.limits = {.addressSpaceBytes = 1u << 30, .cpuSeconds = 9, .fileSizeBytes = 1 << 20, .openFiles = 50};
  EXPECT_EQ(mustRun(spec).out, "0\n50\n1048576\n9\n1024\n");
}

TEST(Process, NeverDumpsCore) {
  rlimit before{};
  ::getrlimit(RLIMIT_CORE, &before);
  const rlimit raised{4096, std::max<rlim_t>(before.rlim_max, 4096)};
  const bool isRaised = ::setrlimit(RLIMIT_CORE, &raised) == 0; // else the limit is 0 for us too
  EXPECT_EQ(mustRun(shell("ulimit -c")).out, "0\n");
  if (isRaised)
    ::setrlimit(RLIMIT_CORE, &before);
}

TEST(Process, CpuLimitEndsABusyLoop) {
  ProcessSpec spec = shell("while :; do :; done", 30);
  spec.limits.cpuSeconds = 1;
  const ProcessResult result = mustRun(spec);
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.code, SIGXCPU);
  EXPECT_GT(result.cpuSeconds, 0.5);
}

TEST(Process, PinsToACpu) {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int cpu = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(cpu), &allowed))
    ++cpu;
  ProcessSpec spec = shell("grep Cpus_allowed_list /proc/self/status");
  spec.cpu = cpu;
  EXPECT_THAT(mustRun(spec).out, testing::EndsWith("\t" + std::to_string(cpu) + "\n"));
  spec.cpu = CPU_SETSIZE - 1;
  const auto impossible = runProcess(spec);
  ASSERT_FALSE(impossible);
  EXPECT_THAT(impossible.error().message, HasSubstr("cannot pin"));
}

TEST(Process, StartErrorsNameTheThingTheReasonAndTheNextStep) {
  ProcessSpec spec;
  spec.argv = {"no-such-program-here"};
  auto missing = runProcess(spec);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("'no-such-program-here'"));
  EXPECT_FALSE(missing.error().next.empty());

  spec.argv = {"/etc/passwd"};
  missing = runProcess(spec);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("Permission denied"));

  spec.argv = {"true"};
  spec.workingDirectory = "/no/such/folder";
  missing = runProcess(spec);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("'/no/such/folder': No such file"));

  spec.argv.clear();
  EXPECT_EQ(runProcess(spec).error().kind, ErrorKind::Bug);
}

TEST(Process, RunsFromManyThreadsAtOnce) {
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&good, i] {
      for (int j = 0; j < 5; ++j) {
        const std::string text = std::to_string(i) + "-" + std::to_string(j);
        if (const auto result = runProcess(shell("echo " + text)); result && result->out == text + "\n")
          ++good;
      }
    });
  threads.clear();
  EXPECT_EQ(good, 40);
}

TEST(Process, LearnsTheStatusAlsoWhereSigchldWasIgnored) {
  ::signal(SIGCHLD, SIG_IGN); // inherited from whoever started us: the system then forgets how children ended
  EXPECT_EQ(mustRun(shell("exit 3")).code, 3);
  ::signal(SIGCHLD, SIG_DFL);
}

TEST(Process, FindsPrograms) {
  EXPECT_TRUE(findProgram("sh").value_or("").ends_with("/sh"));
  EXPECT_EQ(findProgram("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(findProgram("/etc"));
  EXPECT_FALSE(findProgram("no-such-program-here"));
  EXPECT_FALSE(findProgram(""));
}

} // namespace
} // namespace agentic
