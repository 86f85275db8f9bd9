// Tests the dispatcher's probe on recorded machines: its own text, with the instructions and calls that ask the machine
// replaced by the record, in one program. It must agree with the tool.
#include "tests/model/recorded_machines.h"
#include "tool/source/emit/emit_cpu.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

/// Answers in place of the machine. A request that would fault, or has no answer, ends the program.
constexpr const char *kRecord = R"(#include <cstdio>
#include <cstdlib>
struct Machine {
  unsigned highestLeaf, leaf1Ecx, leaf7Eax, leaf7Ebx, leaf7Ecx, leaf7Sub1Eax, highestExtended, extendedEcx, xcr0;
  unsigned long hwcap, hwcap2;
  bool hasHwprobe;
  unsigned long ima;
} now;
static void require(bool isAllowed) {
  if (!isAllowed)
    std::puts("asked for what is not there"), std::exit(1);
}
static void recordedCpuid(unsigned leaf, unsigned subleaf, unsigned (&out)[4]) {
  require(leaf <= (leaf >= 0x80000000u ? now.highestExtended : now.highestLeaf) && (leaf != 7 || subleaf <= now.leaf7Eax));
  out[0] = leaf == 0 ? now.highestLeaf : leaf == 0x80000000u ? now.highestExtended
         : leaf == 7 ? (subleaf ? now.leaf7Sub1Eax : now.leaf7Eax) : 0;
  out[1] = leaf == 7 && !subleaf ? now.leaf7Ebx : 0;
  out[2] = leaf == 1 ? now.leaf1Ecx : leaf == 7 && !subleaf ? now.leaf7Ecx : leaf == 0x80000001u ? now.extendedEcx : 0;
  out[3] = 0;
}
static unsigned recordedXgetbv() {
  require(now.leaf1Ecx >> 27 & 1);
  return now.xcr0;
}
extern "C" unsigned long recordedAuxval(unsigned long type) { return type == 16 ? now.hwcap : type == 26 ? now.hwcap2 : 0; }
)";

/// Replaces a text that must exist, from `begin` to the end of `end`.
std::string replaced(std::string text, const std::string &begin, const std::string &end, const std::string &by) {
  const std::size_t from = text.find(begin), to = text.find(end, from);
  EXPECT_TRUE(from != std::string::npos && to != std::string::npos) << begin << " … " << end << " is not in:\n" << text;
  return from == std::string::npos || to == std::string::npos ? text : text.replace(from, to + end.size() - from, by);
}

std::string onRecord(const std::string &processor, std::string text) {
  text = replaced(text, "#if defined(", "\n", "#if 1\n");
  if (processor == "x86_64") {
    text = replaced(text, "__asm__ __volatile__(\"cpuid\"", ";", "recordedCpuid(ak_leaf, 0, ak_out);");
    text = replaced(text, "__asm__ __volatile__(\"cpuid\"", ";",
                    "{ recordedCpuid(7, 1, ak_out); ak_found.ak_leaf7_sub1_eax = ak_out[0]; }");
    return replaced(text, "__asm__ __volatile__(\"xgetbv\"", ";",
                    "ak_found.ak_xcr0 = recordedXgetbv(); (void)ak_high;");
  }
  text = replaced(text, "getauxval\"", "\"", "recordedAuxval\"");
  if (processor == "riscv64")
    text = replaced(text, "static long ak_hwprobe(ak_probed *ak_pair) {", "\n}\n",
                    "static long ak_hwprobe(ak_probed *ak_pair) {\n  require(ak_pair->ak_key == 4);\n"
                    "  if (!now.hasHwprobe) return -38;\n  ak_pair->ak_value = now.ima;\n  return 0;\n}\n");
  return text;
}

std::string programText() {
  std::string text = kRecord, main = "int main() {\n";
  for (const std::string processor : {"x86_64", "aarch64", "riscv64"}) {
    const std::vector<const Level *> levels = levelsOf(processor);
    const Result<std::string> probe = emitCpuProbe(levels);
    EXPECT_TRUE(probe) << probe.error().message;
    text += "namespace of_" + processor + " {\n" + onRecord(processor, probe.value_or("")) + "static void print() {\n";
    for (const Level *level : levels)
      text += fmt::format("  if ({}()) std::puts(\"  {}\");\n", cpuPredicate(*level), level->name);
    text += "}\n}\n";
  }
  for (const RecordedMachine &machine : recordedMachines())
    main +=
        fmt::format("  now = {{{}u, {}u, {}u, {}u, {}u, {}u, {}u, {}u, {}u, {}ul, {}ul, {}, {}ul}};\n"
                    "  std::puts(\"{}\");\n  of_{}::print();\n",
                    machine.highestLeaf, machine.leaf1Ecx, machine.leaf7Eax, machine.leaf7Ebx, machine.leaf7Ecx,
                    machine.leaf7Sub1Eax, machine.highestExtended, machine.extendedEcx, machine.xcr0, machine.hwcap,
                    machine.hwcap2, machine.ima.has_value(), machine.ima.value_or(0), machine.name, machine.processor);
  return text + main + "}\n";
}

TEST(RecordedCpuProbe, SaysOfEachMachineWhatTheToolSays) {
  const std::optional<std::string> compiler =
      findProgram("clang++-19") ? findProgram("clang++-19") : findProgram("g++");
  if (!compiler || sizeof(long) != 8)
    GTEST_SKIP() << "no compiler of a 64-bit machine here: install g++";
  const auto scratch = ScratchDirectory::create(testing::TempDir(), "emit-cpu-recorded-");
  ASSERT_TRUE(scratch);
  const std::string source = scratch->path() / "probe.cpp", program = scratch->path() / "probe";
  ASSERT_TRUE(writeFileAtomic(source, programText()));
  const auto compiled =
      runProcess({.argv = {*compiler, "-std=c++17", "-Wall", "-Werror", source, "-o", program}, .mergeOutput = true});
  ASSERT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->out : compiled.error().message);
  const auto ran = runProcess({.argv = {program}, .mergeOutput = true});
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_TRUE(ran->ok()) << ran->describe() << ": " << ran->out;
  std::string expected;
  for (const RecordedMachine &machine : recordedMachines()) {
    expected += machine.name + "\n";
    for (const Level &level : levels())
      if (hasLevel(readCpu(sourceOf(machine)), level))
        expected += "  " + std::string(level.name) + "\n";
  }
  EXPECT_EQ(ran->out, expected);
}

} // namespace
} // namespace agentic
