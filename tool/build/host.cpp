#include "tool/build/host.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <sys/utsname.h>

#include <algorithm>
#include <regex>

namespace agentic {
namespace {

/// Value of the first line `key : value` of /proc/cpuinfo's text.
std::string_view cpuInfoValue(std::string_view text, std::string_view key) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trim(line.substr(0, colon)) == key)
      return trim(line.substr(colon + 1));
    begin = end + 1;
  }
  return {};
}

/// The kernel's name of a feature, where it differs from the compilers'.
std::string kernelFlag(std::string_view feature) {
  if (feature == "sse3")
    return "pni";
  if (feature == "sse4.1" || feature == "sse4.2")
    return replaceAll(std::string(feature), ".", "_");
  if (feature == "lzcnt")
    return "abm";
  if (feature == "bmi")
    return "bmi1";
  for (std::string_view name : {"vbmi2", "vnni", "bitalg", "vpopcntdq", "bf16"})
    if (feature == "avx512" + std::string(name))
      return "avx512_" + std::string(name);
  return std::string(feature);
}

std::string cpuInfo() {
  return readFile("/proc/cpuinfo").value_or(std::string());
}

std::string machine() {
  utsname name{};
  return uname(&name) == 0 ? name.machine : "";
}

} // namespace

bool cpuInfoHasFeatures(std::string_view cpuInfoText, std::string_view features) {
  std::string_view flags = cpuInfoValue(cpuInfoText, "flags");
  if (flags.empty())
    flags = cpuInfoValue(cpuInfoText, "Features"); // aarch64
  std::vector<std::string> present = split(flags, ' ');
  // riscv: "rv64imafdcv_zicsr…", a letter per extension up to the first underscore
  const std::string_view isa = cpuInfoValue(cpuInfoText, "isa");
  if (isa.starts_with("rv64"))
    for (char letter : isa.substr(4, isa.find('_') - 4))
      present.emplace_back(1, letter);
  if (present.empty())
    return false;
  for (const std::string &feature : split(features, ','))
    if (std::find(present.begin(), present.end(), kernelFlag(feature)) == present.end())
      return false;
  return true;
}

std::string cpuName() {
  const std::string text = cpuInfo();
  for (std::string_view key : {"model name", "Model", "cpu model", "uarch"})
    if (const std::string_view name = cpuInfoValue(text, key); !name.empty())
      return std::string(name);
  return machine() + " processor";
}

bool cpuHasLevel(const Level &level) {
  // The kernel lists a feature only when it saves the registers that go with it, so this covers the operating system
  // too.
  return std::regex_match(machine(), std::regex(std::string(level.processor))) &&
         cpuInfoHasFeatures(cpuInfo(), level.features);
}

const Level *hostLevel() {
  const Level *best = nullptr;
  for (const Level &level : levels())
    if (!level.onRequest && (best == nullptr || level.rank > best->rank) && cpuHasLevel(level))
      best = &level;
  return best;
}

} // namespace agentic
