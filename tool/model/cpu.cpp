#include "tool/model/cpu.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

// State components that the operating system must save and restore (XCR0): SSE+AVX, and those plus opmask, ZMM_Hi256
// and Hi16_ZMM. A CPU that has AVX under a kernel that does not save it faults all the same.
constexpr std::uint32_t kNoState = 0, kAvxState = 0x6, kAvx512State = 0xe6;

using enum CpuWord;

constexpr CpuFeature kFeatures[] = {
    // Intel SDM volume 2, CPUID; AMD APM volume 3, appendix E. Linux's names: arch/x86/include/asm/cpufeatures.h.
    {"sse3", Leaf1Ecx, 0, kNoState, "pni"},
    {"ssse3", Leaf1Ecx, 9, kNoState, "ssse3"},
    {"sse4.1", Leaf1Ecx, 19, kNoState, "sse4_1"},
    {"sse4.2", Leaf1Ecx, 20, kNoState, "sse4_2"},
    {"popcnt", Leaf1Ecx, 23, kNoState, "popcnt"},
    {"movbe", Leaf1Ecx, 22, kNoState, "movbe"},
    {"avx", Leaf1Ecx, 28, kAvxState, "avx"},
    {"fma", Leaf1Ecx, 12, kAvxState, "fma"},
    {"f16c", Leaf1Ecx, 29, kAvxState, "f16c"},
    {"bmi", Leaf7Ebx, 3, kNoState, "bmi1"},
    {"avx2", Leaf7Ebx, 5, kAvxState, "avx2"},
    {"bmi2", Leaf7Ebx, 8, kNoState, "bmi2"},
    {"avx512f", Leaf7Ebx, 16, kAvx512State, "avx512f"},
    {"avx512dq", Leaf7Ebx, 17, kAvx512State, "avx512dq"},
    {"avx512ifma", Leaf7Ebx, 21, kAvx512State, "avx512ifma"},
    {"avx512cd", Leaf7Ebx, 28, kAvx512State, "avx512cd"},
    {"avx512bw", Leaf7Ebx, 30, kAvx512State, "avx512bw"},
    {"avx512vl", Leaf7Ebx, 31, kAvx512State, "avx512vl"},
    {"avx512vbmi", Leaf7Ecx, 1, kAvx512State, "avx512vbmi"},
    {"avx512vbmi2", Leaf7Ecx, 6, kAvx512State, "avx512_vbmi2"},
    {"avx512vnni", Leaf7Ecx, 11, kAvx512State, "avx512_vnni"},
    {"avx512bitalg", Leaf7Ecx, 12, kAvx512State, "avx512_bitalg"},
    {"avx512vpopcntdq", Leaf7Ecx, 14, kAvx512State, "avx512_vpopcntdq"},
    {"lzcnt", ExtendedEcx, 5, kNoState, "abm"},
    {"avx512bf16", Leaf7Sub1Eax, 5, kAvx512State, "avx512_bf16"},
    // Linux's asm/hwcap.h of arm64 and asm/hwprobe.h of riscv: what the kernel lists it saves, so there is no state to
    // ask for.
    {"asimd", Hwcap, 1, kNoState, "asimd"},
    {"fphp", Hwcap, 9, kNoState, "fphp"},
    {"asimdhp", Hwcap, 10, kNoState, "asimdhp"},
    {"asimddp", Hwcap, 20, kNoState, "asimddp"},
    {"sve", Hwcap, 22, kNoState, "sve"},
    {"sve2", Hwcap2, 1, kNoState, "sve2"},
    {"v", RiscvExtensions, kImaVectorBit, kNoState, "v"},
};

const CpuFeature *findFeature(std::string_view name) {
  const auto *found = std::ranges::find(kFeatures, name, &CpuFeature::name);
  return found == std::end(kFeatures) ? nullptr : found;
}

bool isOf(const Cpu &cpu, const Level &level) {
  return std::ranges::count(levelsOf(cpu.processor), &level) == 1;
}

void readX86(const CpuSource &source, const std::function<void(CpuWord, std::uint64_t)> &set) {
  const std::uint32_t highest = source.cpuid(0, 0).eax;
  const std::uint32_t leaf1Ecx = source.cpuid(1, 0).ecx;
  set(Leaf1Ecx, leaf1Ecx);
  if (highest >= 7) {
    const CpuidAnswer leaf7 = source.cpuid(7, 0);
    set(Leaf7Ebx, leaf7.ebx), set(Leaf7Ecx, leaf7.ecx);
    if (leaf7.eax >= 1)
      set(Leaf7Sub1Eax, source.cpuid(7, 1).eax);
  }
  if (source.cpuid(0x80000000, 0).eax >= 0x80000001)
    set(ExtendedEcx, source.cpuid(0x80000001, 0).ecx);
  if (leaf1Ecx >> kOsxsaveBit & 1)
    set(Xcr0, source.xgetbv());
}

/// Returns the RISC-V extensions. Drafts of the vector extension, which no current compiler targets, set HWCAP's bit,
/// too: so hwprobe is asked first, where the kernel has it.
std::uint64_t riscvExtensions(const CpuSource &source) {
  if (const std::optional<std::uint64_t> extensions = source.hwprobe(kImaExtensions))
    return *extensions;
  return (source.getauxval(kAtHwcap) >> kHwcapVectorBit & 1) << kImaVectorBit;
}

} // namespace

Cpu readCpu(const CpuSource &source) {
  Cpu cpu{.processor = source.processor};
  const auto set = [&](CpuWord which, std::uint64_t value) { cpu.words[static_cast<std::size_t>(which)] = value; };
  if (source.processor == "x86_64") {
    readX86(source, set);
  } else if (!source.processor.empty()) {
    set(Hwcap, source.getauxval(kAtHwcap));
    set(Hwcap2, source.getauxval(kAtHwcap2));
    if (source.processor == "riscv64")
      set(RiscvExtensions, riscvExtensions(source));
  }
  return cpu;
}

std::span<const CpuFeature> cpuFeatures() {
  return kFeatures;
}

std::optional<CpuWords> cpuBits(std::string_view features) {
  CpuWords bits{};
  std::uint64_t state = 0;
  for (const std::string &name : split(features, ',')) {
    const CpuFeature *feature = findFeature(name);
    if (!feature)
      return std::nullopt;
    bits[static_cast<std::size_t>(feature->where)] |= std::uint64_t{1} << feature->bit;
    state |= feature->state;
  }
  bits[static_cast<std::size_t>(Xcr0)] = state;
  if (state)
    bits[static_cast<std::size_t>(Leaf1Ecx)] |= std::uint64_t{1} << kOsxsaveBit;
  return bits;
}

bool hasFeatures(const Cpu &cpu, std::string_view features) {
  const std::optional<CpuWords> bits = cpuBits(features);
  if (!bits)
    return false;
  for (std::size_t i = 0; i < kCpuWords; ++i)
    if ((cpu.words[i] & (*bits)[i]) != (*bits)[i])
      return false;
  return true;
}

bool hasLevel(const Cpu &cpu, const Level &level) {
  return isOf(cpu, level) && hasFeatures(cpu, level.features);
}

std::vector<std::string> lackedFeatures(const Cpu &cpu, const Level &level) {
  std::vector<std::string> lacked = split(level.features, ',');
  std::erase_if(lacked, [&](const std::string &name) { return hasFeatures(cpu, name); });
  return lacked;
}

const Level *highestLevel(const Cpu &cpu) {
  const Level *best = nullptr;
  for (const Level &level : levels())
    if (!level.onRequest && (best == nullptr || level.rank > best->rank) && hasLevel(cpu, level))
      best = &level;
  return best;
}

} // namespace agentic
