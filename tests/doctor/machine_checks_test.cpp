// Tests every state that Linux can show of a machine, and files that are missing, empty or nonsense.
#include "tests/doctor/doctor_fixture.h"

#include <cerrno>

namespace agentic {
namespace {

using Look = Diagnosis (*)(const DoctorView &);

struct Shown {
  const char *name;
  Look look;
  std::vector<std::pair<std::string, std::string>> files;
  Health health;
  std::string found;
};
void PrintTo(const Shown &shown, std::ostream *out) {
  *out << shown.name;
}

const std::string kCpu = "sys/devices/system/cpu/";

class MachineChecks : public DoctorTest, public testing::WithParamInterface<Shown> {};

TEST_P(MachineChecks, SayWhatIsSo) {
  for (const auto &[file, text] : GetParam().files)
    put(file, text);
  expectDiagnosis(GetParam().look(view_), GetParam().health, GetParam().found);
}

INSTANTIATE_TEST_SUITE_P(
    All, MachineChecks,
    testing::Values(
        Shown{"governor_hidden", lookAtGovernor, {}, Health::Ok, "not shown"},
        Shown{"governor_best",
              lookAtGovernor,
              {{kCpu + "cpu0/cpufreq/scaling_governor", "performance\n"}},
              Health::Ok,
              "performance"},
        Shown{"governor_mixed",
              lookAtGovernor,
              {{kCpu + "cpu0/cpufreq/scaling_governor", "performance\n"},
               {kCpu + "cpu11/cpufreq/scaling_governor", "powersave\n"},
               {kCpu + "cpufreq/scaling_governor", "no CPU's\n"}},
              Health::Warn,
              "performance, powersave"},
        Shown{"boost_hidden", lookAtBoost, {}, Health::Ok, "not shown"},
        Shown{"boost_intel_on", lookAtBoost, {{kCpu + "intel_pstate/no_turbo", "0\n"}}, Health::Warn, "on"},
        Shown{"boost_intel_off", lookAtBoost, {{kCpu + "intel_pstate/no_turbo", "1\n"}}, Health::Ok, "off"},
        Shown{"boost_on", lookAtBoost, {{kCpu + "cpufreq/boost", "1\n"}}, Health::Warn, "on"},
        Shown{"boost_off", lookAtBoost, {{kCpu + "cpufreq/boost", "0\n"}}, Health::Ok, "off"},
        Shown{"threads_hidden", lookAtThreads, {}, Health::Ok, "not shown"},
        Shown{"threads_one", lookAtThreads, {{kCpu + "smt/active", "0\n"}}, Health::Ok, "one per core"},
        Shown{"threads_two", lookAtThreads, {{kCpu + "smt/active", "1\n"}}, Health::Warn, "several per core"},
        Shown{"aslr_hidden", lookAtRandomization, {}, Health::Ok, "not shown"},
        Shown{"aslr_off", lookAtRandomization, {{"proc/sys/kernel/randomize_va_space", "0\n"}}, Health::Warn, "off"},
        Shown{"aslr_on", lookAtRandomization, {{"proc/sys/kernel/randomize_va_space", "2\n"}}, Health::Ok, "on"},
        Shown{"aslr_off_for_us",
              lookAtRandomization,
              {{"proc/sys/kernel/randomize_va_space", "2\n"}, {"proc/self/personality", "00040000\n"}},
              Health::Warn,
              "off for this process"},
        Shown{"load_hidden", lookAtLoad, {}, Health::Ok, "not shown"},
        Shown{"load_nonsense", lookAtLoad, {{"proc/loadavg", "much\n"}}, Health::Ok, "not shown"},
        Shown{"load_little",
              lookAtLoad,
              {{"proc/loadavg", "0.90 1 1 1/1 1\n"}, {kCpu + "cpu0/x", ""}, {kCpu + "cpu1/x", ""}},
              Health::Ok,
              "0.90 on 2 CPUs"},
        Shown{"load_much", lookAtLoad, {{"proc/loadavg", "0.90 1 1 1/1 1\n"}}, Health::Warn, "0.90 on 1 CPU"},
        Shown{"clock_hidden", lookAtClock, {}, Health::Ok, "not shown"},
        Shown{"clock_fast",
              lookAtClock,
              {{"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"}},
              Health::Ok,
              "tsc"},
        Shown{"clock_slow",
              lookAtClock,
              {{"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"}},
              Health::Warn,
              "hpet"},
        Shown{"namespaces_none", lookAtNamespaces, {}, Health::Warn, "none"},
        Shown{
            "namespaces_zero", lookAtNamespaces, {{"proc/sys/user/max_user_namespaces", "0\n"}}, Health::Warn, "none"},
        Shown{"namespaces_root",
              lookAtNamespaces,
              {{"proc/sys/user/max_user_namespaces", "99\n"}, {"proc/sys/kernel/unprivileged_userns_clone", "0\n"}},
              Health::Warn,
              "for root only"},
        Shown{"namespaces_apparmor",
              lookAtNamespaces,
              {{"proc/sys/user/max_user_namespaces", "99\n"},
               {"proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n"}},
              Health::Warn,
              "AppArmor"},
        Shown{"namespaces_allowed",
              lookAtNamespaces,
              {{"proc/sys/user/max_user_namespaces", "99\n"}},
              Health::Ok,
              "allowed"}),
    [](const auto &info) { return std::string(info.param.name); });

/// Linux's answer to an attempt, and the files that explain it.
struct Refused {
  int error;
  std::vector<std::pair<std::string, std::string>> files;
  std::string found, remedy;
};

class Attempts : public DoctorTest {};

TEST_F(Attempts, CountersThatAreRefused) {
  const std::string paranoid = "proc/sys/kernel/perf_event_paranoid", status = "proc/self/status";
  for (const Refused &row : {Refused{ENOENT, {}, "the machine offers none", "a machine of its own"},
                             {EOPNOTSUPP, {}, "the machine offers none", "a machine of its own"},
                             {ENOSYS, {}, "the kernel has none", "a kernel with perf events"},
                             {EACCES, {{paranoid, "4\n"}}, "perf_event_paranoid is 4", "perf_event_paranoid=2"},
                             {EACCES, {{paranoid, "2\n"}}, "refused: Permission denied", "security module"},
                             {EPERM, {{status, "Name:\tx\nSeccomp:\t2\n"}}, "(seccomp)", "perf_event_open"},
                             {EPERM, {{status, "Seccomp:\t0\n"}}, "refused: Operation not permitted", "security"},
                             {EMFILE, {}, "refused: Too many open files", ""}}) {
    for (const auto &[file, text] : row.files)
      put(file, text);
    view_.tryCounter = [&] { return row.error; };
    const Diagnosis diagnosis = lookAtCounters(view_);
    expectDiagnosis(diagnosis, Health::Warn, row.found);
    EXPECT_THAT(diagnosis.remedy, testing::HasSubstr(row.remedy));
    remove("proc");
  }
  view_.tryCounter = [] { return 0; };
  put(paranoid, "4\n"); // root may still count
  expectDiagnosis(lookAtCounters(view_), Health::Ok, "usable");
}

TEST_F(Attempts, NamespacesThatAreRefusedThoughTheFilesAllowThem) {
  put("proc/sys/user/max_user_namespaces", "99\n");
  view_.tryNamespace = [] { return "unshare failed: Operation not permitted"; };
  expectDiagnosis(lookAtNamespaces(view_), Health::Warn, "refused: unshare failed");
  put("proc/self/status", "Seccomp:\t2\n");
  expectDiagnosis(lookAtNamespaces(view_), Health::Warn, "filter of system calls (seccomp): unshare failed");
  put("proc/sys/user/max_user_namespaces", "0\n");
  expectDiagnosis(lookAtNamespaces(view_), Health::Warn, "none");
  if (const auto bubblewrap = Sandbox::ofStrength(Sandbox::Strength::BubblewrapNoUserNamespace)) {
    view_.sandbox = [&] { return *bubblewrap; };
    expectDiagnosis(lookAtNamespaces(view_), Health::Ok, "none; bubblewrap works all the same");
  }
  view_.tryNamespace = [] { return ""; };
  expectDiagnosis(lookAtNamespaces(view_), Health::Ok, "allowed");
}

TEST_F(Attempts, RunHere) {
  EXPECT_GE(hardwareCounterError(), 0);
  const auto refusal = userNamespaceRefusal();
  if (!refusal)
    GTEST_SKIP() << "no program 'unshare' here";
  EXPECT_TRUE(refusal->empty() || refusal->starts_with("unshare: ")) << *refusal;
}

} // namespace
} // namespace agentic
