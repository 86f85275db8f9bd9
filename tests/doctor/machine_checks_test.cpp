// Every state that the kernel can show of a machine, and files that are missing, empty or nonsense.
#include "tests/doctor/doctor_fixture.h"

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
const std::string kBaseline = "flags : cx16 lahf_lm popcnt sse3 pni sse4_1 sse4_2 ssse3";

class MachineChecks : public DoctorTest, public testing::WithParamInterface<Shown> {};

TEST_P(MachineChecks, SayWhatIsSo) {
  for (const auto &[file, text] : GetParam().files)
    put(file, text);
  expectDiagnosis(GetParam().look(view_), GetParam().health, GetParam().found);
}

INSTANTIATE_TEST_SUITE_P(
    All, MachineChecks,
    testing::Values(
        Shown{"levels_no_file", lookAtLevels, {}, Health::Fail, "none of this tool's levels"},
        Shown{"levels_old", lookAtLevels, {{"proc/cpuinfo", "flags : fpu sse2\n"}}, Health::Fail, "none"},
        Shown{"levels_nonsense", lookAtLevels, {{"proc/cpuinfo", std::string(100000, '\x01')}}, Health::Fail, "none"},
        Shown{"levels_v2", lookAtLevels, {{"proc/cpuinfo", kBaseline + "\n"}}, Health::Ok, "x86-64-v2"},
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
        Shown{"counters_none", lookAtCounters, {}, Health::Warn, "the kernel has none"},
        Shown{"counters_virtual",
              lookAtCounters,
              {{"proc/sys/kernel/perf_event_paranoid", "2\n"}},
              Health::Warn,
              "the machine offers none"},
        Shown{"counters_forbidden",
              lookAtCounters,
              {{"proc/sys/kernel/perf_event_paranoid", "4\n"}, {"sys/bus/event_source/devices/cpu/type", "4\n"}},
              Health::Warn,
              "not for you"},
        Shown{"counters_usable",
              lookAtCounters,
              {{"proc/sys/kernel/perf_event_paranoid", "1\n"}, {"sys/bus/event_source/devices/cpu/type", "4\n"}},
              Health::Ok,
              "usable"},
        Shown{"counters_usable_on_arm",
              lookAtCounters,
              {{"proc/sys/kernel/perf_event_paranoid", "-1\n"},
               {"sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n"}},
              Health::Ok,
              "usable"},
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

} // namespace
} // namespace agentic
