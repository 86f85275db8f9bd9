#include "tool/build/host.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

namespace agentic {
namespace {

std::string cpuInfo() {
  return readFile("/proc/cpuinfo").value_or(std::string());
}

std::string machine() {
  utsname name{};
  return uname(&name) == 0 ? name.machine : "";
}

// The machine that this program is compiled for: uname() also names a 64-bit kernel to 32-bit programs.
#if defined(__x86_64__)
CpuSource thisMachine() {
  return {.processor = "x86_64",
          .cpuid =
              [](std::uint32_t leaf, std::uint32_t subleaf) {
                CpuidAnswer answer;
                __cpuid_count(leaf, subleaf, answer.eax, answer.ebx, answer.ecx, answer.edx);
                return answer;
              },
          .xgetbv =
              [] {
                std::uint32_t low = 0, high = 0;
                __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
                return std::uint64_t{high} << 32 | low;
              },
          .getauxval = {},
          .hwprobe = {}};
}
#elif defined(__aarch64__)
CpuSource thisMachine() {
  return {.processor = "aarch64", .cpuid = {}, .xgetbv = {}, .getauxval = ::getauxval, .hwprobe = {}};
}
#elif defined(__riscv) && __riscv_xlen == 64
CpuSource thisMachine() {
  return {.processor = "riscv64",
          .cpuid = {},
          .xgetbv = {},
          .getauxval = ::getauxval,
          .hwprobe = [](std::int64_t key) -> std::optional<std::uint64_t> {
            constexpr long kHwprobe = 258; // of the kernel's table; older headers lack the name
            struct {
              std::int64_t key;
              std::uint64_t value;
            } pair{key, 0};
            if (::syscall(kHwprobe, &pair, 1L, 0L, nullptr, 0L) != 0)
              return std::nullopt;
            return pair.value;
          }};
}
#else
CpuSource thisMachine() {
  return {};
}
#endif

} // namespace

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

std::string cpuName() {
  const std::string text = cpuInfo();
  for (std::string_view key : {"model name", "Model", "cpu model", "uarch"})
    if (const std::string_view name = cpuInfoValue(text, key); !name.empty())
      return std::string(name);
  return machine() + " processor";
}

const Cpu &hostCpu() {
  static const Cpu cpu = readCpu(thisMachine());
  return cpu;
}

} // namespace agentic
