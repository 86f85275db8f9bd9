#include "tests/build/scratch.h"
#include "tool/build/sandbox.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>

#include <unistd.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

class SandboxTest : public ScratchTest {
protected:
  void SetUp() override {
    ScratchTest::SetUp();
    if (sandbox_.strength() == Sandbox::Strength::RlimitsOnly)
      GTEST_SKIP() << "bubblewrap does not work here: " << sandbox_.warning();
  }
  ProcessResult shell(const std::string &command, Sandbox::View view = {}) const {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", command};
    spec.timeoutSeconds = 20;
    auto result = sandbox_.run(std::move(spec), view);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result ? *result : ProcessResult{};
  }
  Sandbox sandbox_ = Sandbox::probe();
};

TEST_F(SandboxTest, SeesOnlyWhatItIsShown) {
  write("seen/a", "1");
  write("hidden/b", "2");
  const auto result =
      shell("cat " + path("seen/a") + "; ls " + path("hidden") + " /home /root /etc/passwd " + path("."),
            {.readOnly = {path("seen")}, .writable = {}});
  EXPECT_THAT(result.out, testing::StartsWith("1"));
  EXPECT_THAT(result.out, Not(HasSubstr("hidden")));
  EXPECT_THAT(result.err, HasSubstr("hidden"));
  EXPECT_THAT(result.err, HasSubstr("/root"));
  EXPECT_THAT(result.err, HasSubstr("/home"));
  EXPECT_THAT(result.err, HasSubstr("/etc/passwd"));
}

TEST_F(SandboxTest, WritesOnlyWhereItMay) {
  write("in/a", "1");
  write("in/out/b", "2");
  const auto result = shell("echo x > " + path("in/a") + "; echo y > " + path("in/out/b") + "; echo z > /usr/z",
                            {.readOnly = {path("in")}, .writable = {path("in/out")}});
  EXPECT_EQ(readFile(path("in/a")).value(), "1");
  EXPECT_EQ(readFile(path("in/out/b")).value(), "y\n");
  EXPECT_THAT(result.err, HasSubstr("/usr/z"));
  EXPECT_FALSE(fs::exists("/usr/z"));
}

TEST_F(SandboxTest, HasNoNetworkAndNoOtherProcesses) {
  const auto result = shell("ls /sys/class/net 2>/dev/null; grep -c : /proc/net/dev; ls -d /proc/[0-9]* | wc -l");
  EXPECT_THAT(result.out, testing::StartsWith("1\n")); // lo alone
  EXPECT_LE(std::atoi(result.out.c_str() + 2), 5);
}

TEST_F(SandboxTest, EnvironmentIsWhatIsPassed) {
  ::setenv("AGENTIC_TEST_SECRET", "key", 1);
  ProcessSpec spec;
  spec.argv = {"/usr/bin/env"};
  spec.addedEnvironment = {{"GIVEN", "a b=c"}};
  const auto result = sandbox_.run(spec, {});
  ::unsetenv("AGENTIC_TEST_SECRET");
  ASSERT_TRUE(result.has_value());
  EXPECT_THAT(result->out, HasSubstr("GIVEN=a b=c\n"));
  EXPECT_THAT(result->out, Not(HasSubstr("SECRET")));
}

TEST_F(SandboxTest, EndsAreReportedAsWithoutIt) {
  EXPECT_EQ(shell("exit 3").code, 3);
  const auto aborted = shell("kill -ABRT $$");
  EXPECT_EQ(aborted.end, ProcessResult::End::Signalled);
  EXPECT_EQ(aborted.code, SIGABRT);
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "sleep 30"};
  spec.timeoutSeconds = 0.3;
  EXPECT_EQ(sandbox_.run(spec, {})->end, ProcessResult::End::TimedOut);
}

/// Whether some process has `word` in its command line.
bool isRunning(const std::string &word) {
  std::error_code error;
  for (const auto &entry : fs::directory_iterator("/proc", error)) {
    const auto line = readFile(entry.path() / "cmdline");
    if (line && line->find(word) != std::string::npos)
      return true;
  }
  return false;
}

TEST_F(SandboxTest, ATimeoutEndsProcessesInSessionsOfTheirOwnToo) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "setsid sleep 31.4159 & sleep 31.4159"};
  spec.timeoutSeconds = 0.5;
  EXPECT_EQ(sandbox_.run(spec, {})->end, ProcessResult::End::TimedOut);
  bool running = true;
  for (int i = 0; i < 100 && running; ++i, ::usleep(50'000))
    running = isRunning("31.4159");
  EXPECT_FALSE(running);
}

TEST_F(SandboxTest, CpuTimeOfTheProgramIsCounted) {
  for (const bool allowThreads : {true, false}) {
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"};
    Sandbox::View view;
    view.allowThreads = allowThreads;
    const auto result = sandbox_.run(spec, view);
    ASSERT_TRUE(result.has_value());
    EXPECT_GT(result->cpuSeconds, 0.02) << allowThreads;
  }
}

TEST_F(SandboxTest, DeniedSystemCallsFail) {
  const std::string code = R"(
    #include <cerrno>
    #include <cstdio>
    #include <sched.h>
    #include <sys/mman.h>
    #include <sys/ptrace.h>
    #include <sys/socket.h>
    #include <thread>
    #include <unistd.h>
    int main() {
      std::printf("socket %d\n", socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM);
      std::printf("ptrace %d\n", ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 && errno == EPERM);
      std::printf("unshare %d\n", unshare(CLONE_NEWUSER) < 0 && errno == EPERM);
      std::printf("memfd %d\n", memfd_create("x", 0) < 0 && errno == EPERM);
      try { std::thread([] {}).join(); std::puts("thread ran"); } catch (...) { std::puts("thread denied"); }
      const pid_t child = fork();
      if (child == 0) _exit(0);
      std::printf("fork %d\n", child < 0);
    })";
  ProcessSpec compiler;
  compiler.argv = {"g++", "-std=c++17", "-pthread", write("main.cpp", code), "-o", path("main")};
  ASSERT_TRUE(runProcess(compiler)->ok());
  for (const bool allowThreads : {true, false}) {
    ProcessSpec spec;
    spec.argv = {path("main")};
    const auto result = sandbox_.run(spec, {.readOnly = {path(".")}, .writable = {}, .allowThreads = allowThreads});
    ASSERT_TRUE(result.has_value());
    EXPECT_THAT(result->out, HasSubstr("socket 1\nptrace 1\nunshare 1\nmemfd 1\n"));
    EXPECT_THAT(result->out, HasSubstr(allowThreads ? "thread ran\nfork 0\n" : "thread denied\nfork 1\n"));
  }
}

TEST_F(SandboxTest, LimitsHoldWithoutBeingAskedFor) {
  EXPECT_THAT(shell("ulimit -v; ulimit -n; ulimit -c").out, HasSubstr("4194304\n256\n0\n"));
  write("out/keep", "");
  const auto result =
      shell("head -c 70000000 /dev/zero > " + path("out/big"), {.readOnly = {}, .writable = {path("out")}});
  EXPECT_NE(result.code, 0);
  EXPECT_LE(fs::file_size(path("out/big")), 64u << 20);
}

TEST_F(SandboxTest, AMissingFolderIsAnErrorOfTheSandbox) {
  ProcessSpec spec;
  spec.argv = {"/bin/true"};
  const auto result = sandbox_.run(spec, {.readOnly = {}, .writable = {path("missing")}});
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("missing"));
}

TEST_F(SandboxTest, AProgramCannotPretendThatTheSandboxFailed) {
  const auto result = shell("echo 'bwrap: Creating new namespace failed' >&2; exit 1");
  EXPECT_EQ(result.code, 1);
}

TEST(SandboxNone, LimitsAndEnvironmentHoldAndItWarns) {
  const Sandbox none = Sandbox::none();
  EXPECT_THAT(none.warning(), HasSubstr("without a sandbox"));
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "ulimit -n; echo $USER-"};
  const auto result = none.run(spec, {});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->out, "256\n-\n");
}

} // namespace
} // namespace agentic
