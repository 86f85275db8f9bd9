#include "tests/model/recorded_machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace agentic {
namespace {

using Words = std::vector<std::string>;

const Words kUpToV2 = {"x86-64-v2"}, kUpToV3 = {"x86-64-v2", "x86-64-v3"};
const Words kUpToV4 = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
const Words kUpToVnni = {"x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni"};
const Words kAvx512 = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"};
const Words kAfterV4 = {"avx512ifma",   "avx512vbmi",      "avx512vbmi2", "avx512vnni",
                        "avx512bitalg", "avx512vpopcntdq", "avx512bf16"};

// The flags that levels ask for, by the names of arch/x86/include/asm/cpufeatures.h in Linux.
const std::string kV2Flags = "flags\t\t: fpu sse sse2 pni ssse3 sse4_1 sse4_2 popcnt";
const std::string kV3Flags = kV2Flags + " avx avx2 bmi1 bmi2 f16c fma abm movbe";
const std::string kV4Flags = kV3Flags + " avx512f avx512bw avx512cd avx512dq avx512vl";
const std::string kLaterFlags = " avx512ifma avx512vbmi avx512_vbmi2 avx512_vnni avx512_bitalg avx512_vpopcntdq "
                                "avx512_bf16";

/// Read with CPUID and XGETBV in a virtual machine on an EPYC of the fourth generation (00A10F11) under Linux 6.18.
RecordedMachine zen4() {
  return {.name = "zen4",
          .processor = "x86_64",
          .highestLeaf = 0x1c,
          .leaf1Ecx = 0xfffa3203,
          .leaf7Eax = 1,
          .leaf7Ebx = 0xf1bf07ab,
          .leaf7Ecx = 0x00405fc6,
          .leaf7Sub1Eax = 0x20,
          .highestExtended = 0x80000021,
          .extendedEcx = 0x004003f3,
          .xcr0 = 0xe7,
          .cpuInfo = kV4Flags + kLaterFlags,
          .levels = kUpToVnni,
          .highest = "x86-64-v4"};
}

/// The same CPU, as another virtual machine's kernel of that version listed it: without `abm`, with LZCNT in CPUID. A
/// tool that believed the file took the machine for one of x86-64-v2, and the compiler's -march=native did not.
RecordedMachine unlistedLzcnt() {
  RecordedMachine machine = zen4();
  machine.name = "cpuinfo_without_abm";
  machine.cpuInfo.replace(machine.cpuInfo.find(" abm"), 4, "");
  machine.notListed = {"lzcnt"};
  return machine;
}

/// A hypervisor that masks LZCNT (80000001 ECX bit 5): not `-cpu` of a whole model, but a mask of one bit.
RecordedMachine withoutLzcnt() {
  RecordedMachine machine = unlistedLzcnt();
  machine.name = "hypervisor_masks_lzcnt";
  machine.extendedEcx &= ~(1u << 5);
  machine.levels = kUpToV2;
  machine.highest = "x86-64-v2";
  machine.lackedLevel = "x86-64-v3";
  machine.lacked = {"lzcnt"};
  machine.notListed = {};
  return machine;
}

/// … MOVBE (1 ECX bit 22), of which the kernel's list knows nothing: a sandbox that shows the host's /proc.
RecordedMachine withoutMovbe() {
  RecordedMachine machine = zen4();
  machine.name = "hypervisor_masks_movbe";
  machine.leaf1Ecx &= ~(1u << 22);
  machine.levels = kUpToV2;
  machine.highest = "x86-64-v2";
  machine.lackedLevel = "x86-64-v3";
  machine.lacked = {"movbe"};
  machine.onlyListed = {"movbe"};
  return machine;
}

/// … the AVX-512 state in XCR0 (bits 5 to 7), with the features still in CPUID: to use them faults. Linux then lists
/// none of them (xstate.c, fpu__init_cpu_xstate's dependencies).
RecordedMachine withoutAvx512State() {
  RecordedMachine machine = zen4();
  machine.name = "avx512_state_masked";
  machine.xcr0 = 0x7;
  machine.cpuInfo = kV3Flags;
  machine.levels = kUpToV3;
  machine.highest = "x86-64-v3";
  machine.lackedLevel = "x86-64-v4";
  machine.lacked = kAvx512;
  return machine;
}

/// … with XSAVE off altogether (no OSXSAVE, 1 ECX bit 27): xgetbv itself would be an illegal instruction. `noxsave` on
/// Linux's command line does it.
RecordedMachine withoutXsave() {
  RecordedMachine machine = withoutAvx512State();
  machine.name = "no_xsave";
  machine.leaf1Ecx &= ~(1u << 27);
  machine.cpuInfo = kV2Flags + " bmi1 bmi2 abm movbe";
  machine.levels = kUpToV2;
  machine.highest = "x86-64-v2";
  machine.lackedLevel = "x86-64-v3";
  machine.lacked = {"avx", "avx2", "f16c", "fma"};
  return machine;
}

/// Core i7-4770, InstLatx64: GenuineIntel00306C3_Haswell_CPUID.txt; XCR0: leaf D says 7, of which EBX = ECX are
/// enabled.
RecordedMachine haswell() {
  return {.name = "haswell",
          .processor = "x86_64",
          .highestLeaf = 0xd,
          .leaf1Ecx = 0x7ffafbff,
          .leaf7Ebx = 0x000027ab,
          .highestExtended = 0x80000008,
          .extendedEcx = 0x21,
          .xcr0 = 0x7,
          .cpuInfo = kV3Flags,
          .levels = kUpToV3,
          .highest = "x86-64-v3",
          .lackedLevel = "x86-64-v4",
          .lacked = kAvx512};
}

/// Core i9-7900X, InstLatx64: GenuineIntel0050654_SkylakeX_CPUID.txt; XCR0: leaf D says FF, of which EBX = ECX are
/// enabled.
RecordedMachine skylakeX() {
  return {.name = "skylake_x",
          .processor = "x86_64",
          .highestLeaf = 0x16,
          .leaf1Ecx = 0x7ffefbbf,
          .leaf7Ebx = 0xd39ffffb,
          .highestExtended = 0x80000008,
          .extendedEcx = 0x121,
          .xcr0 = 0xff,
          .cpuInfo = kV4Flags,
          .levels = kUpToV4,
          .highest = "x86-64-v4",
          .lackedLevel = "x86-64-v4-vnni",
          .lacked = kAfterV4};
}

/// QEMU's model SapphireRapids (target/i386/cpu.c), under an operating system that also saves AMX's tiles (XCR0 bits 17
/// and 18) and protection keys (9): more state than any level asks for.
RecordedMachine sapphireRapids() {
  return {.name = "sapphire_rapids",
          .processor = "x86_64",
          .highestLeaf = 0x20,
          .leaf1Ecx = 0xfffa3203,
          .leaf7Eax = 1,
          .leaf7Ebx = 0xf1bf0fb9,
          .leaf7Ecx = 0x01415f4e,
          .leaf7Sub1Eax = 0x30,
          .highestExtended = 0x80000008,
          .extendedEcx = 0x121,
          .xcr0 = 0x602e7,
          .cpuInfo = kV4Flags + kLaterFlags + " amx_tile amx_int8 amx_bf16",
          .levels = kUpToVnni,
          .highest = "x86-64-v4"};
}

/// QEMU's model core2duo (target/i386/cpu.c): below every level.
RecordedMachine core2() {
  return {.name = "core2",
          .processor = "x86_64",
          .highestLeaf = 10,
          .leaf1Ecx = 0x2209,
          .highestExtended = 0x80000008,
          .extendedEcx = 0x1,
          .cpuInfo = "flags\t\t: fpu sse sse2 pni ssse3",
          .lackedLevel = "x86-64-v2",
          .lacked = {"sse4.1", "sse4.2", "popcnt"}};
}

/// QEMU's model Opteron_G1 (target/i386/cpu.c): no leaf 7 to ask.
RecordedMachine opteron() {
  RecordedMachine machine = core2();
  machine.name = "opteron_g1";
  machine.highestLeaf = 5;
  machine.leaf1Ecx = 0x1;
  machine.extendedEcx = 0;
  machine.cpuInfo = "flags\t\t: fpu sse sse2 pni";
  machine.lacked = {"ssse3", "sse4.1", "sse4.2", "popcnt"};
  return machine;
}

// Arm: the bits are those of Linux's arch/arm64/include/uapi/asm/hwcap.h, of the lists of features that are quoted.

RecordedMachine arm(std::string name, std::uint64_t hwcap, std::uint64_t hwcap2, std::string features, Words levels,
                    std::string lackedLevel, Words lacked) {
  const std::string highest = levels.back();
  return {.name = std::move(name),
          .processor = "aarch64",
          .hwcap = hwcap,
          .hwcap2 = hwcap2,
          .cpuInfo = "Features\t: " + std::move(features),
          .levels = std::move(levels),
          .highest = highest,
          .lackedLevel = std::move(lackedLevel),
          .lacked = std::move(lacked)};
}

// RISC-V: a bit per letter in HWCAP (arch/riscv/include/uapi/asm/hwcap.h), IMA_EXT_0 by uapi/asm/hwprobe.h.

RecordedMachine riscv(std::string name, std::uint64_t hwcap, std::optional<std::uint64_t> ima, std::string isa,
                      bool hasVectors) {
  return {.name = std::move(name),
          .processor = "riscv64",
          .hwcap = hwcap,
          .ima = ima,
          .cpuInfo = "isa\t\t: " + std::move(isa),
          .levels = hasVectors ? Words{"rv64gcv"} : Words{},
          .highest = hasVectors ? "rv64gcv" : "",
          .lackedLevel = hasVectors ? "" : "rv64gcv",
          .lacked = hasVectors ? Words{} : Words{"v"}};
}

std::vector<RecordedMachine> allMachines() {
  std::vector<RecordedMachine> all = {
      zen4(), unlistedLzcnt(), withoutLzcnt(), withoutMovbe(), withoutAvx512State(), withoutXsave(), haswell(),
      skylakeX(), sapphireRapids(), core2(), opteron(),
      // The Raspberry Pi 3 B's list.
      arm("cortex_a53", 0x887, 0, "fp asimd evtstrm crc32 cpuid", {"armv8-a"}, "armv8.2-a",
          {"asimddp", "fphp", "asimdhp"}),
      // The list of a Graviton 3.
      arm("neoverse_v1", 0xdfffffff, 0x1f201,
          "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 "
          "sm3 sm4 asimddp sha512 sve asimdfhm dit uscat ilrcpc flagm ssbs paca pacg dcpodp svei8mm svebf16 i8mm bf16 "
          "dgh rng",
          {"armv8-a", "armv8.2-a", "sve"}, "sve2", {"sve2"}),
      // The list of a Fugaku node: SVE, and one feature short of the level below it.
      arm("a64fx", 0x415fe7, 0, "fp asimd evtstrm sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm fcma dcpop sve",
          {"armv8-a"}, "armv8.2-a", {"asimddp"}),
      // jh7110.dtsi: i, m, a, f, d, c, zba, zbb.
      riscv("visionfive2", 0x112d, 0x1b, "rv64imafdc_zicntr_zicsr_zifencei_zihpm_zba_zbb", false),
      // k1.dtsi: those and v 1.0.
      riscv("banana_pi_f3", 0x20112d, 0x1f, "rv64imafdcv_zicntr_zicsr_zifencei_zihpm_zba_zbb", true),
      // qemu-user 7.2 with `-cpu rv64,v=true`, and kernels before 6.4: no hwprobe.
      riscv("vectors_without_hwprobe", 0x20112d, std::nullopt, "rv64imafdcv", true)};
  // T-Head's vectors are those of draft 0.7.1; kernels set HWCAP's bit for the letter in the device tree, and hwprobe's
  // IMA_V means "as defined by version 1.0" (Documentation/arch/riscv/hwprobe.rst).
  RecordedMachine draft = riscv("draft_vectors", 0x20112d, 0x3, "rv64imafdcv", false);
  draft.onlyListed = {"v"};
  all.push_back(std::move(draft));
  return all;
}

} // namespace

CpuSource sourceOf(const RecordedMachine &machine) {
  CpuSource source;
  source.processor = machine.processor;
  if (machine.processor == "x86_64") {
    source.cpuid = [machine](std::uint32_t leaf, std::uint32_t subleaf) -> CpuidAnswer {
      // Beyond the highest leaf, Intel's CPUs answer with the data of the highest: nothing to rely on.
      const std::uint32_t highest = leaf >= 0x80000000 ? machine.highestExtended : machine.highestLeaf;
      EXPECT_LE(leaf, highest) << machine.name;
      switch (leaf) {
      case 0:
        return {.eax = machine.highestLeaf};
      case 1:
        return {.ecx = machine.leaf1Ecx};
      case 7:
        EXPECT_LE(subleaf, machine.leaf7Eax) << machine.name;
        return subleaf == 0 ? CpuidAnswer{.eax = machine.leaf7Eax, .ebx = machine.leaf7Ebx, .ecx = machine.leaf7Ecx}
                            : CpuidAnswer{.eax = machine.leaf7Sub1Eax};
      case 0x80000000:
        return {.eax = machine.highestExtended};
      case 0x80000001:
        return {.ecx = machine.extendedEcx};
      default:
        return {};
      }
    };
    source.xgetbv = [machine] {
      EXPECT_TRUE(machine.leaf1Ecx >> kOsxsaveBit & 1) << machine.name << ": xgetbv would be an illegal instruction";
      return std::uint64_t{machine.xcr0};
    };
    return source;
  }
  source.getauxval = [machine](unsigned long type) {
    return type == kAtHwcap ? machine.hwcap : type == kAtHwcap2 ? machine.hwcap2 : 0;
  };
  source.hwprobe = [machine](std::int64_t key) {
    EXPECT_EQ(key, kImaExtensions);
    return machine.ima;
  };
  return source;
}

const std::vector<RecordedMachine> &recordedMachines() {
  static const std::vector<RecordedMachine> all = allMachines();
  return all;
}

const RecordedMachine &recordedMachine(const std::string &name) {
  const auto found = std::ranges::find(recordedMachines(), name, &RecordedMachine::name);
  if (found == recordedMachines().end())
    throw std::invalid_argument("no machine '" + name + "' is recorded");
  return *found;
}

} // namespace agentic
