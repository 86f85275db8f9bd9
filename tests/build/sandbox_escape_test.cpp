// Real programs try to escape from each kind of sandbox.
#include "tests/build/sandbox_fixture.h"
#include "tool/base/clock.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <sys/wait.h>

namespace agentic {
namespace {

using End = ProcessResult::End;
using testing::HasSubstr;
using testing::Not;

class SandboxEscape : public SandboxTest {};
INSTANTIATE_TEST_SUITE_P(, SandboxEscape, testing::ValuesIn(kConfining), strengthName);

// Prints what it can read of the given files.
constexpr const char *kRead = R"(
  #include <cstdio>
  #include <fcntl.h>
  #include <unistd.h>
  int main(int count, char **paths) {
    for (int i = 1; i < count; ++i) {
      char text[4096];
      const int fd = open(paths[i], O_RDONLY);
      const long size = fd < 0 ? -1 : read(fd, text, sizeof text);
      if (size > 0) std::printf("read %s\n", paths[i]);
    }
    std::puts("done");
  })";

TEST_P(SandboxEscape, ReadsNothingElse) {
  const std::string self = "/proc/" + std::to_string(::getpid()), secret = write("home/.ssh/key", "secret");
  fs::create_symlink(secret, path("link"));
  EXPECT_EQ(runProgram(kRead, seeing({path("link-to-nothing")}),
                       {"/etc/shadow", "/etc/passwd", "/etc/hostname", secret, path("link"), path("main.cpp"),
                        path("main/../home/.ssh/key"), self + "/environ", self + "/cmdline", self + "/maps",
                        self + "/mem", self + "/root/etc/passwd", self + "/cwd/main", self + "/fd/0",
                        "/proc/1/root/etc/passwd", "/sys/kernel/notes", "/dev/mem", "/dev/vda", "/dev/sda"})
                .out,
            "done\n");
  EXPECT_THAT(runProgram(kRead, seeing({secret}), {secret}).out, HasSubstr("key")) << "else this test proves nothing";
}

// Tries to create, change and remove.
constexpr const char *kWrite = R"(
  #include <cstdio>
  #include <fcntl.h>
  #include <string>
  #include <sys/stat.h>
  #include <unistd.h>
  int main(int count, char **folders) {
    for (int i = 1; i < count; ++i) {
      const std::string folder = folders[i], fresh = folder + "/agentic-escape", old = folder + "/old";
      if (open(fresh.c_str(), O_WRONLY | O_CREAT, 0666) >= 0) std::printf("created %s\n", fresh.c_str());
      if (mkdir((fresh + "-folder").c_str(), 0777) == 0) std::printf("made %s\n", fresh.c_str());
      if (symlink("/etc", (fresh + "-link").c_str()) == 0) std::printf("linked %s\n", fresh.c_str());
      if (open(old.c_str(), O_WRONLY) >= 0) std::printf("opened %s\n", old.c_str());
      if (truncate(old.c_str(), 0) == 0) std::printf("cut %s\n", old.c_str());
      if (unlink(old.c_str()) == 0) std::printf("removed %s\n", old.c_str());
      if (rename(old.c_str(), fresh.c_str()) == 0) std::printf("renamed %s\n", old.c_str());
    }
    if (open("/proc/self/mem", O_RDWR) >= 0) std::puts("own memory opened as a file");
    std::puts("done");
  })";

TEST_P(SandboxEscape, WritesNothingElse) {
  write("seen/old", "kept");
  write("unseen/old", "kept");
  const auto result =
      runProgram(kWrite, seeing({path("seen")}),
                 {path("seen"), path("unseen"), "/usr", "/etc", "/var/tmp", "/home", "/root", "/dev", "/"});
  EXPECT_EQ(result.out, "done\n");
  for (const std::string &folder : {path("seen"), path("unseen")}) {
    EXPECT_EQ(readFile(folder + "/old").value_or(""), "kept");
    EXPECT_FALSE(fs::exists(folder + "/agentic-escape"));
  }
}

TEST_P(SandboxEscape, SeesNothingOfTheUsersEnvironment) {
  ::setenv("AGENTIC_TEST_SECRET", "hunter2", 1);
  const auto result = shell("env; cat /proc/self/environ /proc/1/environ /proc/$PPID/environ /proc/" +
                            std::to_string(::getpid()) + "/environ | tr '\\0' '\\n'");
  ::unsetenv("AGENTIC_TEST_SECRET");
  EXPECT_THAT(result.out, HasSubstr("LC_ALL=C.UTF-8"));
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("hunter2")));
}

// Signal 0 only tests whether a signal may be sent; SIGURG has no effect on its receiver.
constexpr const char *kSignal = R"(
  #include <csignal>
  #include <cstdio>
  #include <cstdlib>
  #include <initializer_list>
  #include <sys/syscall.h>
  #include <unistd.h>
  int main(int, char **arguments) {
    for (const pid_t target : {pid_t(std::atoi(arguments[1])), getppid()})
      for (const int number : {0, SIGURG}) {
        if (target > 1 && kill(target, number) == 0) std::printf("kill %d\n", target);
        if (target > 1 && syscall(SYS_tgkill, target, target, number) == 0) std::printf("tgkill %d\n", target);
        if (target > 1 && syscall(SYS_tkill, target, number) == 0) std::printf("tkill %d\n", target);
      }
    std::puts("done");
  })";

TEST_P(SandboxEscape, SignalsNobodyElse) {
  EXPECT_EQ(runProgram(kSignal, seeing({}, {}, Tasks::None), {std::to_string(::getpid())}).out, "done\n");
}

constexpr const char *kForkBomb = R"(
  #include <cstdio>
  #include <unistd.h>
  int main() {
    int children = 0;
    for (pid_t child; (child = fork()) >= 0; ++children)
      if (child == 0) { pause(); _exit(0); }
    std::printf("%d children\n", children);
  })";

TEST_P(SandboxEscape, ForkBombsEnd) {
  const std::string word = ownWord("agentic-bomb-");
  const auto result = runProgram(kForkBomb, {}, {word}, 10);
  if (result.end == End::Exited) { // root without a cgroup ends by the time limit
    EXPECT_GT(std::atoi(result.out.c_str()), 10);
    EXPECT_LE(std::atoi(result.out.c_str()), int(kSandboxTasks) + 4096);
  }
  EXPECT_FALSE(staysRunning(word));
  EXPECT_EQ(runProgram(kForkBomb, seeing({}, {}, Tasks::Threads)).out, "0 children\n");
}

constexpr const char *kLeave = R"(
  #include <csignal>
  #include <sys/prctl.h>
  #include <unistd.h>
  int main() {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    for (int i = 0; i < 3; ++i)
      if (fork() == 0) {
        setsid(); setpgid(0, 0); prctl(PR_SET_PDEATHSIG, 0);
        for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
        if (fork() > 0) _exit(0);
        close(ends[1]);
        for (;;) sleep(100);
      }
    close(ends[1]);
    char byte;
    return read(ends[0], &byte, 1) == 0 ? 0 : 1; // each has left, or none would have let go of the pipe
  })";

TEST_P(SandboxEscape, LeavesNobodyBehind) {
  const std::string word = ownWord("agentic-left-behind-");
  EXPECT_TRUE(runProgram(kLeave, {}, {word}).ok());
  EXPECT_FALSE(staysRunning(word));
}

// The first process of a PID name space: kill -9 of bubblewrap's outer process must not leave it running.
TEST_P(SandboxEscape, ATimeoutEndsAProgramThatLeavesItsGroup) {
  const std::string code = R"(
    #include <sys/prctl.h>
    #include <unistd.h>
    int main() { setsid(); setpgid(0, 0); prctl(PR_SET_PDEATHSIG, 0); for (;;) pause(); })";
  const std::string word = ownWord("agentic-leaver-");
  EXPECT_EQ(runProgram(code, seeing({}, {}, Tasks::None), {word}, 0.3).end, End::TimedOut);
  EXPECT_FALSE(staysRunning(word));
}

constexpr const char *kFill = R"(
  #include <cstdio>
  #include <fcntl.h>
  #include <string>
  #include <unistd.h>
  int main(int, char **arguments) {
    static char block[1 << 20];
    long written = 0;
    for (int i = 0; i < 40; ++i) {
      const int fd = open((std::string(arguments[1]) + "/f" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
      for (int j = 0; fd >= 0 && j < 32 && write(fd, block, sizeof block) == sizeof block; ++j) ++written;
      close(fd);
    }
    std::printf("%ld MiB\n", written);
  })";

TEST_P(SandboxEscape, FillsNoDisk) {
  write("out/keep", "");
  ProcessSpec spec;
  spec.argv = {program(kFill), path("out")};
  spec.limits.writtenBytes = 50u << 20;
  EXPECT_EQ(run(spec, seeing({path("main")}, {path("out")})).end, End::WroteTooMuch);
}

TEST_P(SandboxEscape, FillsNoTemporaryFolder) {
  if (GetParam() == Sandbox::Strength::OwnLauncher) {
    const auto result = runProgram(kFill, {}, {"/tmp"});
    EXPECT_EQ(result.out, "0 MiB\n");
    EXPECT_EQ(runProgram(kFill, {}, {"/dev/shm"}).out, "0 MiB\n");
    return; // FillsNoDisk's folders include TMPDIR
  }
  for (const char *folder : {"/tmp", "/dev/shm"}) {
    const int written = std::atoi(runProgram(kFill, {}, {folder}).out.c_str());
    EXPECT_GE(written, 200) << folder;
    EXPECT_LE(written, int(kSandboxTmpBytes >> 20)) << folder;
  }
}

TEST_P(SandboxEscape, EatsNoMemory) {
  const auto result = runProgram(R"(
    #include <cstdio>
    #include <cstdlib>
    int main() { long got = 0; while (std::malloc(64 << 20)) got += 64; std::printf("%ld MiB\n", got); })");
  EXPECT_GT(std::atoi(result.out.c_str()), 1000);
  EXPECT_LE(std::atoi(result.out.c_str()), 4096);
}

TEST_P(SandboxEscape, BurnsNoCpuTime) {
  ProcessSpec spec;
  spec.argv = {program("int main() { for (volatile int i = 0;; ++i) {} }")};
  spec.limits.cpuSeconds = 1;
  const auto result = run(spec, seeing({path("main")}, {}, Tasks::None));
  EXPECT_EQ(result.end, End::Signalled) << result.describe();
}

constexpr int kAnnouncements = 99; ///< the descriptor

std::string fromEnvironment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Not a test: the tool that the next one kills. It announces each launch by a byte, and the launched program does the
/// same once it runs, unless its time is up before.
TEST(SandboxVictim, DISABLED_RunsProgramsInTheSandbox) {
  const auto sandbox =
      Sandbox::ofStrength(static_cast<Sandbox::Strength>(std::atoi(fromEnvironment("AGENTIC_TEST_STRENGTH").c_str())));
  const bool waits = !fromEnvironment("AGENTIC_TEST_WAITS").empty();
  for (int i = 0; sandbox && i < 100'000; ++i) {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "echo >&8; exec sleep " + fromEnvironment("AGENTIC_TEST_WORD")};
    spec.inheritedDescriptors = {{kAnnouncements, 8}};
    spec.timeoutSeconds = waits ? 1000 : 0.003 + 0.0005 * (i % 20);
    if (::write(kAnnouncements, "t", 1) != 1)
      return;
    (void)sandbox->run(std::move(spec), seeing({}, {}, i % 2 ? Tasks::None : Tasks::Processes));
  }
}

// It is killed in the middle of a launch, after the announcement; when the program runs; and where a time limit ends
// launches, after each number of bytes.
TEST_P(SandboxEscape, NothingIsLeftOfAKilledTool) {
  const std::string seconds = ownWord("2718.28");
  for (int round = 0; round < 60; ++round) {
    const bool waits = round % 3 != 2;
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t tool = ::fork();
    if (tool == 0) {
      ::setenv("AGENTIC_TEST_STRENGTH", std::to_string(static_cast<int>(GetParam())).c_str(), 1);
      ::setenv("AGENTIC_TEST_WORD", seconds.c_str(), 1);
      if (waits)
        ::setenv("AGENTIC_TEST_WAITS", "1", 1);
      ::dup2(ends[1], kAnnouncements);
      ::close(ends[0]);
      ::close(ends[1]);
      ::close(1);
      ::execl("/proc/self/exe", "build_e2e_test", "--gtest_filter=SandboxVictim.*", "--gtest_also_run_disabled_tests",
              nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    char byte = 0;
    for (int bytes = waits ? 1 + round % 3 : 1 + round / 3; bytes > 0; --bytes)
      EXPECT_EQ(::read(ends[0], &byte, 1), 1) << "the tool ended by itself";
    ::kill(tool, SIGKILL);
    ::waitpid(tool, nullptr, 0);
    ::close(ends[0]);
  }
  EXPECT_FALSE(staysRunning(seconds));
}

TEST_P(SandboxEscape, LaunchCost) {
  const auto median = [](auto &&launch) {
    std::vector<double> times;
    for (int i = 0; i < 50; ++i) {
      const double start = steadySeconds();
      launch();
      times.push_back(steadySeconds() - start);
    }
    std::sort(times.begin(), times.end());
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f ms (fastest %.2f)", 1000 * times[25], 1000 * times[0]);
    return std::string(text.data());
  };
  ProcessSpec spec;
  spec.argv = {"/usr/bin/true"};
  const std::string plain = median([&] { (void)runProcess(spec); });
  const std::string alone = median([&] { (void)sandbox().run(spec, seeing({path(".")}, {}, Tasks::None)); });
  const std::string processes = median([&] { (void)sandbox().run(spec, seeing({path(".")})); });
  std::printf("median of 50 launches: plain %s; %s %s, where it may start processes %s\n", plain.c_str(),
              sandbox().name().c_str(), alone.c_str(), processes.c_str());
}

TEST(SandboxUnprivileged, HoldsForAnotherUserToo) {
  if (::geteuid() != 0 || !findProgram("setpriv"))
    GTEST_SKIP() << "needs root and setpriv";
  ProcessSpec spec;
  spec.argv = {
      "setpriv",        "--reuid=65534",
      "--regid=65534",  "--clear-groups",
      "/proc/self/exe", "--gtest_filter=*SandboxTest.*:*SandboxCalls.*:*SandboxEscape.*:-*NothingIsLeft*:*LaunchCost*"};
  spec.argv[4] = fs::read_symlink("/proc/self/exe").string();
  spec.timeoutSeconds = 4 * kPatience; // the sum of all others' times, one after the other
  spec.addedEnvironment = {{"TMPDIR", "/tmp"}, {"HOME", "/tmp"}};
  spec.workingDirectory = "/";
  const auto result = runProcess(spec);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->ok()) << result->describe() << "\n" << result->out << result->err;
}

} // namespace
} // namespace agentic
