// Checks what Linux shows of the machine. A missing file (virtual machines show little) is no fault: the result says
// that it is not known.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/doctor/check.h"
#include "tool/evaluate/insight/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sys/personality.h>

namespace agentic {
namespace {

namespace fs = std::filesystem;

constexpr const char *kNotShown = "not shown by this machine";

/// Returns the first line of a file below the root; empty if it cannot be read.
std::string line(const DoctorView &view, const std::string &file) {
  const auto text = readFile(view.root / file);
  return text ? std::string(trim(split(*text, '\n').front())) : std::string();
}

/// "cpu0", "cpu1", … below /sys.
std::vector<std::string> cpuFolders(const DoctorView &view) {
  std::vector<std::string> folders;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(view.root / "sys/devices/system/cpu", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > 3 && name.starts_with("cpu") && name.find_first_not_of("0123456789", 3) == std::string::npos)
      folders.push_back("sys/devices/system/cpu/" + name);
  }
  std::ranges::sort(folders);
  return folders;
}

/// Returns whether this process has a filter of system calls: containers have one.
bool isFiltered(const DoctorView &view) {
  for (const std::string &row : split(readFile(view.root / "proc/self/status").value_or(""), '\n'))
    if (row.starts_with("Seccomp:"))
      return trim(std::string_view(row).substr(8)) == "2";
  return false;
}

} // namespace

Diagnosis lookAtGovernor(const DoctorView &view) {
  std::set<std::string> governors;
  for (const std::string &folder : cpuFolders(view))
    if (const std::string governor = line(view, folder + "/cpufreq/scaling_governor"); !governor.empty())
      governors.insert(governor);
  if (governors.empty())
    return {Health::Ok, kNotShown, {}, {}};
  const std::string found = join(std::vector(governors.begin(), governors.end()), ", ");
  if (governors == std::set<std::string>{"performance"})
    return {Health::Ok, found, {}, {}};
  return {Health::Warn, found, "the clock follows the load, so that timings spread and decisions take more pairs",
          "sudo cpupower frequency-set --governor performance"};
}

Diagnosis lookAtBoost(const DoctorView &view) {
  const std::string noTurbo = line(view, "sys/devices/system/cpu/intel_pstate/no_turbo");
  const std::string boost = line(view, "sys/devices/system/cpu/cpufreq/boost");
  if (noTurbo.empty() && boost.empty())
    return {Health::Ok, kNotShown, {}, {}};
  if (noTurbo == "1" || (noTurbo.empty() && boost == "0"))
    return {Health::Ok, "off", {}, {}};
  return {Health::Warn, "on", "the clock depends on temperature and neighbours; pairs even that out, at more of them",
          noTurbo.empty() ? "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
                          : "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"};
}

Diagnosis lookAtThreads(const DoctorView &view) {
  const std::string active = line(view, "sys/devices/system/cpu/smt/active");
  if (active.empty())
    return {Health::Ok, kNotShown, {}, {}};
  if (active == "0")
    return {Health::Ok, "one per core", {}, {}};
  return {Health::Warn, "several per core", "work on a core's other thread slows what is measured by up to half",
          "leave the machine alone while it measures, or: echo off | sudo tee /sys/devices/system/cpu/smt/control"};
}

Diagnosis lookAtRandomization(const DoctorView &view) {
  const std::string level = line(view, "proc/sys/kernel/randomize_va_space");
  if (level.empty())
    return {Health::Ok, kNotShown, {}, {}};
  const std::string personality = line(view, "proc/self/personality");
  if (std::strtoul(personality.c_str(), nullptr, 16) & ADDR_NO_RANDOMIZE)
    return {Health::Warn, "off for this process and what it starts",
            "every process has the same addresses, so that one lucky layout looks like a gain",
            "start the tool without 'setarch -R' and outside a debugger"};
  if (level == "0")
    return {Health::Warn, "off", "every process has the same addresses, so that one lucky layout looks like a gain",
            "sudo sysctl kernel.randomize_va_space=2"};
  return {Health::Ok, "on: each process has another layout, which the pairs average over", {}, {}};
}

Diagnosis lookAtLoad(const DoctorView &view) {
  const std::string average = line(view, "proc/loadavg");
  char *end = nullptr;
  const double load = std::strtod(average.c_str(), &end);
  if (end == average.c_str())
    return {Health::Ok, kNotShown, {}, {}};
  const unsigned cpus = std::max<std::size_t>(1, cpuFolders(view).size());
  const std::string found = fmt::format("{:.2f} on {} CPU{}", load, cpus, cpus == 1 ? "" : "s");
  if (load < 0.5 * cpus)
    return {Health::Ok, found, {}, {}};
  return {Health::Warn, found,
          "other programs disturb measurements: they take longer, and more candidates are too noisy",
          "end what runs besides; 'top' shows it"};
}

Diagnosis lookAtClock(const DoctorView &view) {
  const std::string source = line(view, "sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (source.empty())
    return {Health::Ok, kNotShown, {}, {}};
  for (const char *fast : {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "riscv_clocksource"})
    if (source == fast)
      return {Health::Ok, source, {}, {}};
  return {Health::Warn, source, "reading the clock takes about a microsecond, which short benchmarks feel",
          "see 'dmesg | grep -i tsc' for why the faster one was given up"};
}

int hardwareCounterError() {
  const auto kernel = linuxCounters();
  const auto counter = kernel->open(usualEvents().front());
  if (!counter)
    return counter.error();
  kernel->close(*counter);
  return 0;
}

Diagnosis lookAtCounters(const DoctorView &view) {
  const int error = view.tryCounter();
  if (error == 0)
    return {Health::Ok, "usable", {}, {}};
  const std::string consequence = "'insight' has no cycles, misses and instructions per cycle; everything else works";
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP)
    return {Health::Warn, "the machine offers none (virtual machines seldom do)", consequence,
            "look on a machine of its own, if you need them"};
  if (error == ENOSYS)
    return {Health::Warn, "the kernel has none, or a filter of system calls hides them", consequence,
            "use a kernel with perf events, and outside a container, if you need them"};
  const std::string paranoid = line(view, "proc/sys/kernel/perf_event_paranoid");
  constexpr int kUsersMayCount = 2;
  if (error == EACCES && std::strtol(paranoid.c_str(), nullptr, 10) > kUsersMayCount)
    return {Health::Warn, "refused by the kernel's setting (perf_event_paranoid is " + paranoid + ")", consequence,
            "sudo sysctl kernel.perf_event_paranoid=2 (of a container: on its host)"};
  if (error == EPERM && isFiltered(view))
    return {Health::Warn, "refused by a filter of system calls (seccomp), as containers have", consequence,
            "start the container with a seccomp profile that allows perf_event_open (docker: --cap-add PERFMON)"};
  return {Health::Warn, fmt::format("refused: {}", std::strerror(error)), consequence,
          "see whether a security module (SELinux, AppArmor, lockdown) forbids perf events here"};
}

std::optional<std::string> userNamespaceRefusal() {
  if (!findProgram("unshare"))
    return std::nullopt;
  const auto tried =
      runProcess({.argv = {"unshare", "--map-root-user", "true"}, .timeoutSeconds = 30, .mergeOutput = true});
  if (!tried)
    return std::nullopt;
  const std::string said = firstLine(trim(tried->out));
  return tried->ok() ? std::string() : said.empty() ? tried->describe() : said;
}

namespace {

/// Says why namespaces are refused, if they are.
Diagnosis namespacesOf(const DoctorView &view) {
  const std::optional<std::string> refusal = view.tryNamespace();
  if (refusal && refusal->empty())
    return {Health::Ok, "allowed", {}, {}};
  const std::string consequence =
      "bubblewrap may not work for you; the weaker sandbox with Landlock takes its place, if the kernel has it";
  const std::string most = line(view, "proc/sys/user/max_user_namespaces");
  if (most == "0")
    return {Health::Warn, "none", consequence, "sudo sysctl user.max_user_namespaces=10000"};
  if (line(view, "proc/sys/kernel/unprivileged_userns_clone") == "0")
    return {Health::Warn, "for root only", consequence, "sudo sysctl kernel.unprivileged_userns_clone=1"};
  if (line(view, "proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1")
    return {
        Health::Warn, "restricted by AppArmor", consequence,
        "allow bubblewrap with an AppArmor profile, or: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"};
  if (refusal && isFiltered(view))
    return {Health::Warn, "refused, probably by a filter of system calls (seccomp): " + *refusal, consequence,
            "start the container with a seccomp profile that allows unshare and mount (docker: --security-opt "
            "seccomp=unconfined)"};
  if (refusal)
    return {Health::Warn, "refused: " + *refusal, consequence,
            "see whether a container, a chroot or a security module forbids them here"};
  if (most.empty())
    return {Health::Warn, "none", consequence, "use a kernel with user namespaces, and a /proc that shows them"};
  return {Health::Ok, "allowed", {}, {}};
}

} // namespace

Diagnosis lookAtNamespaces(const DoctorView &view) {
  Diagnosis diagnosis = namespacesOf(view);
  if (diagnosis.health == Health::Ok)
    return diagnosis;
  const Sandbox::Strength strength = view.sandbox().strength();
  if (strength == Sandbox::Strength::Bubblewrap || strength == Sandbox::Strength::BubblewrapNoUserNamespace)
    return {Health::Ok, diagnosis.found + "; bubblewrap works all the same", {}, {}}; // for root, for example
  return diagnosis;
}

} // namespace agentic
