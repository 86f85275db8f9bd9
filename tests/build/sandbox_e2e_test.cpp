#include "tests/build/sandbox_fixture.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

INSTANTIATE_TEST_SUITE_P(, SandboxTest, testing::ValuesIn(kConfining), strengthName);

TEST_P(SandboxTest, SeesOnlyWhatItIsShown) {
  write("seen/a", "1");
  write("hidden/b", "2");
  const auto result =
      shell("cat " + path("seen/a") + "; ls " + path("hidden") + " /home /root " + path(".") + "; cat /etc/passwd",
            seeing({path("seen")}));
  EXPECT_THAT(result.out, testing::StartsWith("1"));
  EXPECT_THAT(result.out, Not(HasSubstr("hidden")));
  EXPECT_THAT(result.err, HasSubstr("hidden"));
  EXPECT_THAT(result.err, HasSubstr("/root"));
  EXPECT_THAT(result.err, HasSubstr("/home"));
  EXPECT_THAT(result.err, HasSubstr("/etc/passwd"));
}

TEST_P(SandboxTest, WritesOnlyWhereItMay) {
  write("in/a", "1");
  write("in/out/b", "2");
  const auto result = shell("echo x > " + path("in/a") + "; echo y > " + path("in/out/b") + "; echo z > /usr/z",
                            seeing({path("in")}, {path("in/out")}));
  EXPECT_EQ(readFile(path("in/a")).value(), "1");
  EXPECT_EQ(readFile(path("in/out/b")).value(), "y\n");
  EXPECT_THAT(result.err, HasSubstr("/usr/z"));
  EXPECT_FALSE(fs::exists("/usr/z"));
}

TEST_P(SandboxTest, HasNoNetworkAndNoOtherProcesses) {
  const auto result = shell("cat /proc/net/dev 2>/dev/null | grep -c :; cat /proc/" + std::to_string(::getpid()) +
                            "/cmdline; ls -d /proc/[0-9]* 2>/dev/null | wc -l");
  EXPECT_LE(std::atoi(result.out.c_str()), 1) << "lo alone";
  EXPECT_LE(std::atoi(result.out.c_str() + 2), 6) << result.out;
  EXPECT_THAT(result.out, Not(HasSubstr("build_e2e")));
}

TEST_P(SandboxTest, EnvironmentIsWhatIsPassed) {
  ::setenv("AGENTIC_TEST_SECRET", "key", 1);
  ProcessSpec spec;
  spec.argv = {"/usr/bin/env"};
  spec.addedEnvironment = {{"GIVEN", "a b=c"}};
  const auto result = sandbox().run(spec, {});
  ::unsetenv("AGENTIC_TEST_SECRET");
  ASSERT_TRUE(result.has_value());
  EXPECT_THAT(result->out, HasSubstr("GIVEN=a b=c\n"));
  EXPECT_THAT(result->out, Not(HasSubstr("SECRET")));
}

TEST_P(SandboxTest, EndsAreReportedAsWithoutIt) {
  EXPECT_EQ(shell("exit 3").code, 3);
  const auto aborted = shell("kill -ABRT $$");
  EXPECT_EQ(aborted.end, ProcessResult::End::Signalled);
  EXPECT_EQ(aborted.code, SIGABRT);
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "sleep 1000"};
  spec.timeoutSeconds = 0.3;
  EXPECT_EQ(sandbox().run(spec, {})->end, ProcessResult::End::TimedOut);
}

TEST_P(SandboxTest, ATimeoutEndsProcessesInSessionsOfTheirOwnToo) {
  ProcessSpec spec;
  const std::string seconds = ownWord("3141.59");
  spec.argv = {"/bin/sh", "-c", "setsid sleep " + seconds + " & sleep " + seconds};
  spec.timeoutSeconds = 0.5;
  EXPECT_EQ(sandbox().run(spec, {})->end, ProcessResult::End::TimedOut);
  EXPECT_FALSE(staysRunning(seconds));
}

TEST_P(SandboxTest, CpuTimeOfTheProgramIsCounted) {
  // It ends when the system has counted that much CPU time, however long that takes.
  const std::string burning = program("#include <ctime>\nint main() { while (std::clock() < CLOCKS_PER_SEC / 5) {} }");
  for (const Tasks tasks : {Tasks::Processes, Tasks::Threads, Tasks::None}) {
    ProcessSpec spec;
    spec.argv = {burning};
    spec.timeoutSeconds = kPatience;
    EXPECT_GT(run(spec, seeing({path("main")}, {}, tasks)).cpuSeconds, 0.19) << static_cast<int>(tasks);
  }
}

TEST_P(SandboxTest, LimitsHoldWithoutBeingAskedFor) {
  EXPECT_THAT(shell("ulimit -v; ulimit -n; ulimit -c").out, HasSubstr("4194304\n256\n0\n"));
  write("out/keep", "");
  const auto result = shell("head -c 70000000 /dev/zero > " + path("out/big"), seeing({}, {path("out")}));
  EXPECT_NE(result.code, 0);
  EXPECT_LE(fs::file_size(path("out/big")), 64u << 20);
}

TEST_P(SandboxTest, AMissingFolderIsAnErrorOfTheSandbox) {
  ProcessSpec spec;
  spec.argv = {"/bin/true"};
  const auto result = sandbox().run(spec, seeing({}, {path("missing")}));
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("missing"));
}

TEST_P(SandboxTest, AProgramCannotPretendThatTheSandboxFailed) {
  const auto result = shell("echo 'bwrap: Creating new namespace failed' >&2; exit 1");
  EXPECT_EQ(result.code, 1);
}

TEST_P(SandboxTest, HidesAFolderInsideAVisibleOne) {
  write("tree/source.h", "visible");
  write("tree/build/data", "visible too");
  write("tree/build/_agentic/cache/expected", "secret");
  write("tree/build/_agentic/shadow/k/program", "shown again");
  write("tree/build/_agentic/shadow/k/_agentic/manifests/m", "secret");
  write("tree/keys/private", "secret");
  Sandbox::View view = seeing({path("tree"), path("tree/build/_agentic/shadow/k")});
  view.hidden = {path("tree/keys"), path("tree/no-such-folder")}; // _agentic is hidden by default
  const auto result = shell("cd " + path("tree") + "; cat source.h build/data build/_agentic/shadow/k/program " +
                                "build/_agentic/cache/expected build/_agentic/shadow/k/_agentic/manifests/m "
                                "keys/private; ls build/_agentic/cache",
                            view);
  EXPECT_EQ(result.out, "visiblevisible tooshown again");
  EXPECT_THAT(result.err, HasSubstr("cache/expected"));
}

TEST_P(SandboxTest, HasAPrivateTemporaryFolder) {
  const auto result = shell("f=$(mktemp) && echo x > $f && cat $f && cd ${TMPDIR:-/tmp} && ls | wc -l");
  EXPECT_EQ(result.out, "x\n1\n") << result.err;
}

TEST(SandboxKinds, AreProbedFromStrongToWeak) {
  // probe() finds the strongest kind that works here.
  const Sandbox found = Sandbox::probe();
  for (const Sandbox::Strength strength : kConfining)
    if (Sandbox::ofStrength(strength)) {
      EXPECT_EQ(found.strength(), strength);
      EXPECT_EQ(found.warning(), "");
      return;
    }
  EXPECT_FALSE(found.confines());
  EXPECT_THAT(found.warning(), HasSubstr("WITHOUT A SANDBOX"));
}

/// Simulates a Linux without Landlock.
bool forbidLandlock() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{4, program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(SandboxKinds, AreLostOneByOne) {
  // A child does it, because neither PATH nor the filter can be restored.
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("PATH", "/nonexistent", 1);
    const Sandbox second = Sandbox::probe();
    const bool hasLandlock = Sandbox::ofStrength(Sandbox::Strength::OwnLauncher).has_value();
    if (second.strength() != (hasLandlock ? Sandbox::Strength::OwnLauncher : Sandbox::Strength::RlimitsOnly))
      ::_exit(1);
    if (!forbidLandlock())
      ::_exit(2);
    const Sandbox last = Sandbox::probe();
    if (last.strength() != Sandbox::Strength::RlimitsOnly)
      ::_exit(3);
    const std::string warning = last.warning();
    ::_exit(warning.find("bubblewrap (bwrap) is not installed") == std::string::npos ? 4
            : warning.find("no Landlock") == std::string::npos                       ? 5
                                                                                     : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(WIFEXITED(status));
}

TEST(SandboxKinds, StartInEmptyFolder) {
  std::string folder;
  {
    ProcessSpec spec;
    spec.argv = {"/bin/ls", "-A"};
    ASSERT_TRUE(startInEmptyFolder(spec));
    folder = spec.workingDirectory;
    EXPECT_EQ(runProcess(spec)->out, "");
    EXPECT_TRUE(fs::is_directory(folder));
    EXPECT_EQ(fs::status(folder).permissions() & fs::perms::all, fs::perms::owner_all);
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST(SandboxNone, LimitsAndEnvironmentHoldAndItWarns) {
  const Sandbox none = Sandbox::none();
  EXPECT_THAT(none.warning(), HasSubstr("WITHOUT A SANDBOX"));
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "ulimit -n; echo $USER-"};
  const auto result = none.run(spec, {});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->out, "256\n-\n");
}

} // namespace
} // namespace agentic
