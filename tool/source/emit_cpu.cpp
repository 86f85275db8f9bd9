#include "tool/source/emit_cpu.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace agentic {
namespace {

enum class Register { Leaf1Ecx, Leaf7Ebx, Leaf7Ecx, ExtendedEcx, Leaf7Sub1Eax, Hwcap, Hwcap2 };
/// Where a predicate finds them: fields of ak_cpu, and of ak_hwcaps elsewhere than on x86.
constexpr std::array<const char *, 7> kRegisters = {
    "ak_leaf1_ecx", "ak_leaf7_ebx", "ak_leaf7_ecx", "ak_extended_ecx", "ak_leaf7_sub1_eax", "ak_hwcap", "ak_hwcap2"};

// State components that the operating system must save and restore (XCR0): SSE+AVX, and those plus opmask, ZMM_Hi256
// and Hi16_ZMM. A CPU that has AVX under a kernel that does not save it faults all the same.
constexpr std::uint32_t kNoState = 0, kAvxState = 0x6, kAvx512State = 0xe6;
constexpr unsigned kOsxsaveBit = 27;

struct Feature {
  std::string_view name;
  Register where;
  unsigned bit;
  std::uint32_t state;
};

// Intel SDM volume 2, CPUID; AMD APM volume 3, appendix E.
constexpr Feature kFeatures[] = {
    {"sse3", Register::Leaf1Ecx, 0, kNoState},
    {"ssse3", Register::Leaf1Ecx, 9, kNoState},
    {"sse4.1", Register::Leaf1Ecx, 19, kNoState},
    {"sse4.2", Register::Leaf1Ecx, 20, kNoState},
    {"popcnt", Register::Leaf1Ecx, 23, kNoState},
    {"movbe", Register::Leaf1Ecx, 22, kNoState},
    {"avx", Register::Leaf1Ecx, 28, kAvxState},
    {"fma", Register::Leaf1Ecx, 12, kAvxState},
    {"f16c", Register::Leaf1Ecx, 29, kAvxState},
    {"bmi", Register::Leaf7Ebx, 3, kNoState},
    {"avx2", Register::Leaf7Ebx, 5, kAvxState},
    {"bmi2", Register::Leaf7Ebx, 8, kNoState},
    {"avx512f", Register::Leaf7Ebx, 16, kAvx512State},
    {"avx512dq", Register::Leaf7Ebx, 17, kAvx512State},
    {"avx512ifma", Register::Leaf7Ebx, 21, kAvx512State},
    {"avx512cd", Register::Leaf7Ebx, 28, kAvx512State},
    {"avx512bw", Register::Leaf7Ebx, 30, kAvx512State},
    {"avx512vl", Register::Leaf7Ebx, 31, kAvx512State},
    {"avx512vbmi", Register::Leaf7Ecx, 1, kAvx512State},
    {"avx512vbmi2", Register::Leaf7Ecx, 6, kAvx512State},
    {"avx512vnni", Register::Leaf7Ecx, 11, kAvx512State},
    {"avx512bitalg", Register::Leaf7Ecx, 12, kAvx512State},
    {"avx512vpopcntdq", Register::Leaf7Ecx, 14, kAvx512State},
    {"lzcnt", Register::ExtendedEcx, 5, kNoState},
    {"avx512bf16", Register::Leaf7Sub1Eax, 5, kAvx512State},
    // Linux's asm/hwcap.h of arm64 and riscv: what the kernel lists it saves, so there is no state to ask for.
    {"asimd", Register::Hwcap, 1, kNoState},
    {"fphp", Register::Hwcap, 9, kNoState},
    {"asimdhp", Register::Hwcap, 10, kNoState},
    {"asimddp", Register::Hwcap, 20, kNoState},
    {"sve", Register::Hwcap, 22, kNoState},
    {"sve2", Register::Hwcap2, 1, kNoState},
    {"v", Register::Hwcap, 'v' - 'a', kNoState},
};

constexpr const char *kReadCpu = R"(struct ak_cpu {
  unsigned ak_leaf1_ecx, ak_leaf7_ebx, ak_leaf7_ecx, ak_extended_ecx, ak_xcr0@FIELD@;
};
static void ak_cpuid(unsigned ak_leaf, unsigned (&ak_out)[4]) {
  __asm__ __volatile__("cpuid" : "=a"(ak_out[0]), "=b"(ak_out[1]), "=c"(ak_out[2]), "=d"(ak_out[3]) : "0"(ak_leaf), "2"(0));
}
static ak_cpu ak_read_cpu() {
  ak_cpu ak_found = {0, 0, 0, 0, 0@ZERO@};
  unsigned ak_out[4];
  ak_cpuid(0, ak_out);
  const unsigned ak_highest = ak_out[0];
  ak_cpuid(1, ak_out);
  ak_found.ak_leaf1_ecx = ak_out[2];
  if (ak_highest >= 7) {
    ak_cpuid(7, ak_out);
    ak_found.ak_leaf7_ebx = ak_out[1];
    ak_found.ak_leaf7_ecx = ak_out[2];
@READ@  }
  ak_cpuid(0x80000000u, ak_out);
  if (ak_out[0] >= 0x80000001u) {
    ak_cpuid(0x80000001u, ak_out);
    ak_found.ak_extended_ecx = ak_out[2];
  }
  if (ak_found.ak_leaf1_ecx >> 27 & 1) { // OSXSAVE: xgetbv tells what the operating system saves
    unsigned ak_high;
    __asm__ __volatile__("xgetbv" : "=a"(ak_found.ak_xcr0), "=d"(ak_high) : "c"(0));
  }
  return ak_found;
}
)";

// Only where a level asks for it: the other dispatch blocks stay as they are.
constexpr const char *kReadSubleaf = R"(    if (ak_out[0] >= 1)
      __asm__ __volatile__("cpuid" : "=a"(ak_found.ak_leaf7_sub1_eax), "=b"(ak_out[1]), "=c"(ak_out[2]), "=d"(ak_out[3]) : "0"(7), "2"(1));
)";

// 16 = AT_HWCAP, 26 = AT_HWCAP2. libc's function under a name of our own, as in the dispatcher.
constexpr const char *kReadHwcaps =
    R"(extern "C" unsigned long agentic_kernel_getauxval(unsigned long) __asm__("getauxval");
struct ak_hwcaps {
  unsigned long ak_hwcap, ak_hwcap2;
};
static ak_hwcaps ak_read_cpu() { return {agentic_kernel_getauxval(16), agentic_kernel_getauxval(26)}; }
)";

Result<std::string> predicate(const Level &level) {
  std::array<std::uint32_t, kRegisters.size()> masks{};
  std::uint32_t state = 0;
  for (const std::string &name : split(level.features, ',')) {
    const Feature *feature = std::ranges::find(kFeatures, std::string_view(name), &Feature::name);
    if (feature == std::end(kFeatures))
      return bugError(fmt::format("level {} needs feature '{}', which emit_cpu.cpp does not know", level.name, name));
    masks[static_cast<std::size_t>(feature->where)] |= 1u << feature->bit;
    state |= feature->state;
  }
  if (state)
    masks[0] |= 1u << kOsxsaveBit;
  std::vector<std::string> tests;
  for (std::size_t i = 0; i < masks.size(); ++i)
    if (masks[i])
      tests.push_back(fmt::format("(ak_found.{0} & {1:#x}u) == {1:#x}u", kRegisters[i], masks[i]));
  if (state)
    tests.push_back(fmt::format("(ak_found.ak_xcr0 & {0:#x}u) == {0:#x}u", state));
  const bool isX86 = masks[std::size_t(Register::Hwcap)] == 0 && masks[std::size_t(Register::Hwcap2)] == 0;
  return fmt::format("// {}\nstatic bool {}() {{\n  const {} ak_found = ak_read_cpu();\n  return {};\n}}\n",
                     level.features, cpuPredicate(level), isX86 ? "ak_cpu" : "ak_hwcaps",
                     join(tests, " &&\n         "));
}

/// What the predicates call: as little as they need.
std::string reading(const std::string &predicates) {
  if (predicates.find("ak_hwcaps ") != std::string::npos)
    return kReadHwcaps;
  const bool needsSubleaf = predicates.find("ak_leaf7_sub1_eax") != std::string::npos;
  return replaceAll(replaceAll(replaceAll(kReadCpu, "@FIELD@", needsSubleaf ? ", ak_leaf7_sub1_eax" : ""), "@ZERO@",
                               needsSubleaf ? ", 0" : ""),
                    "@READ@", needsSubleaf ? kReadSubleaf : "");
}

} // namespace

std::string cpuPredicate(const Level &level) {
  return "ak_has_" + std::string(level.identifier);
}

Result<std::string> emitCpuProbe(std::span<const Level *const> levels) {
  std::vector<std::string_view> guards; // one way to ask per processor
  for (const Level *level : levels)
    if (std::ranges::count(guards, level->guard) == 0)
      guards.push_back(level->guard);
  std::string text;
  for (std::string_view guard : guards) {
    text += "#if " + std::string(guard) + "\n";
    std::string predicates;
    for (const Level *level : levels)
      if (level->guard == guard) {
        auto one = predicate(*level);
        if (!one)
          return one;
        predicates += *one;
      }
    text += reading(predicates) + predicates + "#endif\n";
  }
  return text;
}

} // namespace agentic
