#include "tool/source/emit/emit_cpu.h"

#include "tool/base/text.h"
#include "tool/model/cpu.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <regex>
#include <utility>

namespace agentic {
namespace {

/// Names of the words in a predicate: fields of ak_cpu, ak_hwcaps and ak_extensions. They are the dispatcher's own
/// names, in the order of CpuWord.
constexpr std::array<const char *, kCpuWords> kFields = {"ak_leaf1_ecx",    "ak_leaf7_ebx",      "ak_leaf7_ecx",
                                                         "ak_extended_ecx", "ak_leaf7_sub1_eax", "ak_xcr0",
                                                         "ak_hwcap",        "ak_hwcap2",         "ak_ima_extensions"};

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

// Emitted only if a level needs it: the other dispatch blocks stay as they are.
constexpr const char *kReadSubleaf = R"(    if (ak_out[0] >= 1)
      __asm__ __volatile__("cpuid" : "=a"(ak_found.ak_leaf7_sub1_eax), "=b"(ak_out[1]), "=c"(ak_out[2]), "=d"(ak_out[3]) : "0"(7), "2"(1));
)";

// 16 = AT_HWCAP, 26 = AT_HWCAP2. This is libc's function under a name of our own, as in the dispatcher.
constexpr const char *kReadHwcaps =
    R"(extern "C" unsigned long agentic_kernel_getauxval(unsigned long) __asm__("getauxval");
struct ak_hwcaps {
  unsigned long ak_hwcap, ak_hwcap2;
};
static ak_hwcaps ak_read_cpu() { return {agentic_kernel_getauxval(16), agentic_kernel_getauxval(26)}; }
)";

// hwprobe(2), number 258, key 4: IMA_EXT_0, whose bit 2 is the ratified vector extension. A Linux without this call
// shows by bit 21 of HWCAP that there are vectors, if perhaps those of a draft. libc's syscall() is not used, because
// it sets errno.
constexpr const char *kReadExtensions =
    R"(extern "C" unsigned long agentic_kernel_getauxval(unsigned long) __asm__("getauxval");
struct ak_extensions {
  unsigned long ak_ima_extensions;
};
struct ak_probed {
  long long ak_key;
  unsigned long long ak_value;
};
static long ak_hwprobe(ak_probed *ak_pair) {
  register long ak_a0 __asm__("a0") = reinterpret_cast<long>(ak_pair);
  register long ak_a1 __asm__("a1") = 1;
  register long ak_a2 __asm__("a2") = 0;
  register long ak_a3 __asm__("a3") = 0;
  register long ak_a4 __asm__("a4") = 0;
  register long ak_a7 __asm__("a7") = 258;
  __asm__ __volatile__("ecall" : "+r"(ak_a0) : "r"(ak_a1), "r"(ak_a2), "r"(ak_a3), "r"(ak_a4), "r"(ak_a7) : "memory");
  return ak_a0;
}
static ak_extensions ak_read_cpu() {
  ak_probed ak_pair = {4, 0};
  if (ak_hwprobe(&ak_pair) == 0) // a key that the kernel does not know comes back as -1, with the value 0
    return {ak_pair.ak_value};
  return {(agentic_kernel_getauxval(16) >> 21 & 1) << 2};
}
)";

bool isUsed(const CpuWords &bits, CpuWord word) {
  return bits[static_cast<std::size_t>(word)] != 0;
}

std::string predicate(const Level &level, const CpuWords &bits) {
  std::vector<std::string> tests;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i])
      tests.push_back(fmt::format("(ak_found.{0} & {1:#x}u) == {1:#x}u", kFields[i], bits[i]));
  const char *found = isUsed(bits, CpuWord::RiscvExtensions)                          ? "ak_extensions"
                      : isUsed(bits, CpuWord::Hwcap) || isUsed(bits, CpuWord::Hwcap2) ? "ak_hwcaps"
                                                                                      : "ak_cpu";
  return fmt::format("// {}\nstatic bool {}() {{\n  const {} ak_found = ak_read_cpu();\n  return {};\n}}\n",
                     level.features, cpuPredicate(level), found, join(tests, " &&\n         "));
}

/// Returns C that says the same as a probe's C++. All names end with the kernel's, because C has no namespace for them.
std::string inC(std::string text, const std::string &kernel) {
  constexpr std::pair<const char *, const char *> kSpellings[] = {
      {"unsigned (&ak_out)[4]", "unsigned *ak_out"},
      {"extern \"C\" ", "extern "},
      {"static bool ", "static int "},
      {"()", "(void)"},
      {"ak_read_cpu(void);\n  return (", "ak_read_cpu();\n  return ("}, // a call, not a declaration
      {"static ak_", "static struct ak_"},
      {"const ak_", "const struct ak_"},
      {"(ak_probed *", "(struct ak_probed *"},
      {"  ak_cpu ak_found", "  struct ak_cpu ak_found"},
      {"  ak_probed ak_pair", "  struct ak_probed ak_pair"},
      {"reinterpret_cast<long>(ak_pair)", "(long)ak_pair"},
      {"return {agentic_kernel_getauxval(16), agentic_kernel_getauxval(26)};",
       "struct ak_hwcaps ak_found;\n  ak_found.ak_hwcap = agentic_kernel_getauxval(16);\n  ak_found.ak_hwcap2 = "
       "agentic_kernel_getauxval(26);\n  return ak_found;"},
      {"struct ak_probed ak_pair = {4, 0};\n",
       "struct ak_probed ak_pair = {4, 0};\n  struct ak_extensions ak_found;\n"},
      {"    return {ak_pair.ak_value};\n  return {(agentic_kernel_getauxval(16) >> 21 & 1) << 2};\n",
       "    ak_found.ak_ima_extensions = ak_pair.ak_value;\n  else\n    ak_found.ak_ima_extensions = "
       "(agentic_kernel_getauxval(16) >> 21 & 1) << 2;\n  return ak_found;\n"}};
  for (const auto &[cxx, c] : kSpellings)
    text = replaceAll(text, cxx, c);
  static const std::regex kName(R"(\bak_\w+)");
  return std::regex_replace(text, kName, "$&_" + kernel);
}

/// Returns the functions that the predicates call, and no others.
std::string reading(const std::string &predicates) {
  if (predicates.find("ak_extensions ") != std::string::npos)
    return kReadExtensions;
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

std::string cpuPredicateC(const Level &level, const std::string &kernel) {
  return cpuPredicate(level) + "_" + kernel;
}

Result<std::string> emitCpuProbeC(std::span<const Level *const> levels, const std::string &kernel) {
  auto text = TRY(emitCpuProbe(levels));
  return inC(std::move(text), kernel);
}

Result<std::string> emitCpuProbe(std::span<const Level *const> levels) {
  std::vector<std::string_view> guards; // one per processor
  for (const Level *level : levels)
    if (std::ranges::count(guards, level->guard) == 0)
      guards.push_back(level->guard);
  std::string text;
  for (std::string_view guard : guards) {
    text += "#if " + std::string(guard) + "\n";
    std::string predicates;
    for (const Level *level : levels)
      if (level->guard == guard) {
        const std::optional<CpuWords> bits = cpuBits(level->features);
        if (!bits)
          return bugError(fmt::format("level {} needs a feature that tool/model/cpu.cpp does not know: {}", level->name,
                                      level->features));
        predicates += predicate(*level, *bits);
      }
    text += reading(predicates) + predicates + "#endif\n";
  }
  return text;
}

} // namespace agentic
