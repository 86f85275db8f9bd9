// Decides which features a CPU has, from the answers of the CPU and its operating system, with one table. The tool,
// `doctor`, the levels and the generated dispatcher (source/emit_cpu.h) all follow it. /proc/cpuinfo decides nothing:
// it leaves features out as it likes.
#pragma once

#include "tool/model/level.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The words that hold the answers; Hwcap and those after it exist elsewhere than on x86.
enum class CpuWord {
  Leaf1Ecx,
  Leaf7Ebx,
  Leaf7Ecx,
  ExtendedEcx,
  Leaf7Sub1Eax,
  Xcr0, ///< registers that the operating system saves and restores
  Hwcap,
  Hwcap2,
  RiscvExtensions ///< IMA_EXT_0 of hwprobe; from HWCAP under a kernel that has no hwprobe
};
constexpr std::size_t kCpuWords = 9;
using CpuWords = std::array<std::uint64_t, kCpuWords>;

/// The words of one processor.
struct Cpu {
  std::string processor; ///< "x86_64", "aarch64", "riscv64": as CMAKE_SYSTEM_PROCESSOR; empty: unknown processor
  CpuWords words{};
  std::uint64_t word(CpuWord which) const { return words[static_cast<std::size_t>(which)]; }
};

struct CpuidAnswer {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// The source that readCpu() asks: this machine (build/host.h), or a record of one.
struct CpuSource {
  std::string processor;
  std::function<CpuidAnswer(std::uint32_t leaf, std::uint32_t subleaf)> cpuid;
  std::function<std::uint64_t()> xgetbv; ///< XCR0; an illegal instruction where CPUID has no OSXSAVE
  std::function<std::uint64_t(unsigned long type)> getauxval;
  std::function<std::optional<std::uint64_t>(std::int64_t key)> hwprobe; ///< nullopt: the kernel has no such call
};
/// Asks the source as the dispatcher does, only for the words that this processor has.
Cpu readCpu(const CpuSource &source);

struct CpuFeature {
  std::string_view name; ///< as compilers and Level::features spell it; for Arm as Linux spells it
  CpuWord where;
  unsigned bit;
  std::uint32_t state;     ///< bits of XCR0 without which the instructions fault
  std::string_view kernel; ///< name in /proc/cpuinfo, to show that it disagrees; never asked
};
std::span<const CpuFeature> cpuFeatures();

constexpr unsigned kOsxsaveBit = 27; ///< of Leaf1Ecx: xgetbv may be executed
constexpr unsigned kHwcapVectorBit = 'v' - 'a';
constexpr unsigned kImaVectorBit = 2; ///< RISCV_HWPROBE_IMA_V
constexpr unsigned long kAtHwcap = 16, kAtHwcap2 = 26;
constexpr std::int64_t kImaExtensions = 4; ///< RISCV_HWPROBE_KEY_IMA_EXT_0

/// Returns the bits that must be set in each word for a comma-separated list of features; nullopt if a feature is not
/// in the table.
std::optional<CpuWords> cpuBits(std::string_view features);

/// Returns whether the CPU has all of a comma-separated list of features; false if one is not in the table.
bool hasFeatures(const Cpu &cpu, std::string_view features);
bool hasLevel(const Cpu &cpu, const Level &level);
/// Returns the features that a CPU lacks of a level of its own processor, in the level's order: "lzcnt", "movbe".
std::vector<std::string> lackedFeatures(const Cpu &cpu, const Level &level);
/// Returns the highest level that the CPU has completely and that is not on request only; nullptr if it has none.
const Level *highestLevel(const Cpu &cpu);

} // namespace agentic
