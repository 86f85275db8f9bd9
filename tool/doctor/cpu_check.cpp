// Checks this machine's levels by the rules that decide everywhere else (model/cpu.h), and where /proc/cpuinfo
// contradicts them: other programs believe that file, and a user who compares must see the cause.
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/doctor/check.h"

#include <algorithm>

namespace agentic {
namespace {

/// Features by the kernel's names: "flags" on x86, "Features" on Arm, and on RISC-V a letter per extension of
/// "rv64imafdcv_zicsr…" up to the first underscore.
std::vector<std::string> listedIn(std::string_view cpuInfo) {
  std::string_view flags = cpuInfoValue(cpuInfo, "flags");
  if (flags.empty())
    flags = cpuInfoValue(cpuInfo, "Features");
  std::vector<std::string> listed = flags.empty() ? std::vector<std::string>() : split(flags, ' ');
  if (const std::string_view isa = cpuInfoValue(cpuInfo, "isa"); isa.starts_with("rv64"))
    for (char letter : isa.substr(4, isa.find('_') - 4))
      listed.emplace_back(1, letter);
  return listed;
}

std::string_view sourceName(const Cpu &cpu) {
  return cpu.processor == "x86_64" ? "CPUID" : cpu.processor == "riscv64" ? "hwprobe or HWCAP" : "HWCAP";
}

/// "; /proc/cpuinfo does not list abm (lzcnt): CPUID reports it, and that counts"; empty where both agree.
std::string contradiction(const Cpu &cpu, std::string_view cpuInfo) {
  const std::vector<std::string> listed = listedIn(cpuInfo);
  const std::vector<const Level *> levels = levelsOf(cpu.processor);
  if (listed.empty() || levels.empty())
    return {};
  const std::vector<std::string> lacked = lackedFeatures(cpu, *levels.back()); // it has the features of all of them
  std::vector<std::string> notListed, onlyListed;
  for (const std::string &name : split(levels.back()->features, ',')) {
    const CpuFeature &feature = *std::ranges::find(cpuFeatures(), std::string_view(name), &CpuFeature::name);
    const bool isThere = std::ranges::count(lacked, name) == 0;
    if (isThere != (std::ranges::count(listed, feature.kernel) > 0))
      (isThere ? notListed : onlyListed)
          .push_back(name == feature.kernel ? name : std::string(feature.kernel) + " (" + name + ")");
  }
  std::string text;
  if (!notListed.empty())
    text += "; /proc/cpuinfo does not list " + join(notListed, ", ") + ": " + std::string(sourceName(cpu)) +
            " reports it, and that counts";
  if (!onlyListed.empty())
    text += "; /proc/cpuinfo lists " + join(onlyListed, ", ") + ": " + std::string(sourceName(cpu)) +
            " does not report it, and that counts";
  return text;
}

/// " (x86-64-v3 would need lzcnt)": for the lowest default level that the machine lacks.
std::string nextLevel(const Cpu &cpu) {
  for (const Level *level : levelsOf(cpu.processor))
    if (!level->onRequest && !hasLevel(cpu, *level))
      return std::string(level->name) + " would need " + join(lackedFeatures(cpu, *level), ", ");
  return {};
}

} // namespace

Diagnosis lookAtLevels(const DoctorView &view) {
  std::vector<std::string> here;
  for (const Level &level : levels())
    if (hasLevel(view.cpu, level))
      here.emplace_back(level.name);
  const std::string next = nextLevel(view.cpu);
  std::string found = here.empty() ? "none of this tool's levels" : join(here, ", ");
  if (!next.empty())
    found += (here.empty() ? ": " : " (") + next + (here.empty() ? "" : ")");
  found += contradiction(view.cpu, readFile(view.root / "proc/cpuinfo").value_or(std::string()));
  if (!here.empty())
    return {Health::Ok, found, {}, {}};
  return {Health::Fail, found, "nothing can be measured or dispatched to here",
          "tune on a machine with at least " + std::string(levels().front().name) + ", armv8-a or rv64gcv"};
}

} // namespace agentic
