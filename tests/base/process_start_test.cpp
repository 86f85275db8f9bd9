// Tests how a child starts: environment, folder, descriptors, limits; and the reasons why it could not.
#include "tests/base/shell.h"
#include "tests/emulated.h"
#include "tool/base/files.h"

#include <algorithm>
#include <array>
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

TEST(ProcessStart, SetsEnvironment) {
  ProcessSpec spec = shell("echo \"$A:$B:$HOME\"");
  spec.environment = std::vector<std::string>{"A=1", "B=2"};
  spec.addedEnvironment = {{"B", "3"}};
  spec.argv[0] = "/bin/sh";
  EXPECT_EQ(mustRun(spec).out, "1:3:\n");
  spec.environment.reset();
  EXPECT_THAT(mustRun(spec).out, testing::StartsWith(":3:")) << "inherited plus added";
}

TEST(ProcessStart, RunsInADirectoryWithRelativePrograms) {
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "process-test-");
  ASSERT_TRUE(scratch && writeFileAtomic(scratch->path() / "tool", "#!/bin/sh\npwd -P\n"));
  fs::permissions(scratch->path() / "tool", fs::perms::owner_all);
  ProcessSpec spec;
  spec.argv = {"./tool"};
  spec.workingDirectory = scratch->path().string();
  EXPECT_EQ(mustRun(spec).out, fs::canonical(scratch->path()).string() + "\n");
}

TEST(ProcessStart, HandsOnOnlyTheDescriptorsItWasGiven) {
  const int leaked = ::open("/dev/null", O_RDONLY); // without O_CLOEXEC
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ProcessSpec spec = shell("echo hello >&7; ls /proc/self/fd | tr '\\n' ' '");
  spec.inheritedDescriptors = {{ends[1], 7}};
  const ProcessResult result = mustRun(spec);
  // ls has one more: the folder that it lists.
  EXPECT_EQ(result.out, "0 1 2 3 7 ");
  std::array<char, 16> text{};
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 6);
  for (const int fd : {leaked, ends[0], ends[1]})
    ::close(fd);
}

TEST(ProcessStart, PlacesDescriptorsWithoutOverwritingASource) {
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
  spec.argv = {"bash", "-c", "eval '" + script + "'"}; // dash knows only one-digit descriptors
  EXPECT_TRUE(mustRun(spec).ok());
  std::array<char, 256> text{};
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(::read(a[0], text.data(), text.size()))), expectedA);
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(::read(b[0], text.data(), text.size()))), expectedB);
  for (const int fd : {a[0], a[1], b[0], b[1]})
    ::close(fd);
}

TEST(ProcessStart, AppliesLimits) {
  ProcessSpec spec = shell("ulimit -c; ulimit -n; ulimit -v; ulimit -t; ulimit -f");
  spec.argv[0] = "bash";
  spec.limits = {.addressSpaceBytes = 1u << 30, .cpuSeconds = 9, .fileSizeBytes = 1 << 20, .openFiles = 50};
  const std::string addressSpace = kIsEmulated ? "unlimited" : "1048576"; // qemu-user sets none: it would be its own
  EXPECT_EQ(mustRun(spec).out, "0\n50\n" + addressSpace + "\n9\n1024\n");
}

TEST(ProcessStart, NeverDumpsCore) {
  rlimit before{};
  ::getrlimit(RLIMIT_CORE, &before);
  const rlimit raised{4096, std::max<rlim_t>(before.rlim_max, 4096)};
  const bool isRaised = ::setrlimit(RLIMIT_CORE, &raised) == 0; // else our own limit is 0, too
  EXPECT_EQ(mustRun(shell("ulimit -c")).out, "0\n");
  if (isRaised)
    ::setrlimit(RLIMIT_CORE, &before);
}

TEST(ProcessStart, CpuLimitEndsABusyLoop) {
  ProcessSpec spec = shell("while :; do :; done");
  spec.limits.cpuSeconds = 1;
  const ProcessResult result = mustRun(spec);
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.code, SIGXCPU);
  EXPECT_GT(result.cpuSeconds, 0.5);
}

TEST(ProcessStart, PinsToACpu) {
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

TEST(ProcessStart, StartErrorsNameTheThingTheReasonAndTheNextStep) {
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

TEST(ProcessStart, RunsFromManyThreadsAtOnce) {
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

TEST(ProcessStart, LearnsTheStatusAlsoWhereSigchldWasIgnored) {
  ::signal(SIGCHLD, SIG_IGN); // inherited from whoever started us: the system then forgets how children ended
  EXPECT_EQ(mustRun(shell("exit 3")).code, 3);
  ::signal(SIGCHLD, SIG_DFL);
}

TEST(ProcessStart, FindsPrograms) {
  EXPECT_TRUE(findProgram("sh").value_or("").ends_with("/sh"));
  EXPECT_EQ(findProgram("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(findProgram("/etc"));
  EXPECT_FALSE(findProgram("no-such-program-here"));
  EXPECT_FALSE(findProgram(""));
}

} // namespace
} // namespace agentic
