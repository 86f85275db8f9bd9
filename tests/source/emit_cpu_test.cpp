// The probes of all levels in one program, compiled by each compiler that is installed, and what they say on CPUs that
// are known: this machine's, and qemu's of other names. qemu offers no AVX-512, so that the rows with it are asked on
// machines that have it alone; and that the operating system saves wide registers is asked, never contradicted, here.
#include "tool/source/emit/emit_cpu.h"

#include "tests/source/emit_fixture.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace agentic {
namespace {

using Words = std::vector<std::string>;

struct Toolchain {
  std::string name;
  Words compile;             ///< compiler and target
  std::string processor;     ///< CMAKE_SYSTEM_PROCESSOR
  Words emulator;            ///< "-cpu" and the name come behind its first word
  std::string ofNoUse;       ///< a level that this compiler has no target for
  std::string package;       ///< that holds the compiler or its libraries
  std::string neededLibrary; ///< a file of the target's C library, where it is not this machine's own
};

const Toolchain kClangX86{"clang_x86",
                          {"clang++-19", "--target=x86_64-linux-gnu"},
                          "x86_64",
                          {"qemu-x86_64", "-L", "/usr/x86_64-linux-gnu"},
                          "",
                          "g++-x86-64-linux-gnu",
                          "/usr/x86_64-linux-gnu/lib/libc.so.6"};
const Toolchain kGccX86{"gcc_x86",
                        {"x86_64-linux-gnu-g++"},
                        "x86_64",
                        {"qemu-x86_64", "-L", "/usr/x86_64-linux-gnu"},
                        "",
                        "g++-x86-64-linux-gnu",
                        "/usr/x86_64-linux-gnu/lib/libc.so.6"};
const Toolchain kClangArm{"clang_arm",
                          {"clang++-19", "--target=aarch64-linux-gnu"},
                          "aarch64",
                          {"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"},
                          "",
                          "g++-aarch64-linux-gnu",
                          "/usr/aarch64-linux-gnu/lib/libc.so.6"};
const Toolchain kGccArm{"gcc_arm",
                        {"aarch64-linux-gnu-g++"},
                        "aarch64",
                        {"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"},
                        "",
                        "g++-aarch64-linux-gnu",
                        "/usr/aarch64-linux-gnu/lib/libc.so.6"};
const Toolchain kClangRiscv{"clang_riscv",
                            {"clang++-19", "--target=riscv64-linux-gnu"},
                            "riscv64",
                            {"qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"},
                            "",
                            "libstdc++-12-dev-riscv64-cross",
                            "/usr/riscv64-linux-gnu/lib/libc.so.6"};
const Toolchain kGccRiscv{"gcc_riscv",
                          {"riscv64-linux-gnu-g++"},
                          "riscv64",
                          {"qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"},
                          "rv64gcv",
                          "g++-riscv64-linux-gnu",
                          "/usr/riscv64-linux-gnu/lib/libc.so.6"};

/// A CPU by qemu's name and the levels that it has, lowest first.
using KnownCpu = std::pair<std::string, Words>;
std::vector<KnownCpu> knownCpus(const std::string &processor) {
  if (processor == "x86_64")
    return {{"core2duo", {}}, {"Nehalem", {"x86-64-v2"}}, {"Haswell", {"x86-64-v2", "x86-64-v3"}}};
  // The A64FX has SVE, but no dot products: its level is that of the first Armv8 CPUs.
  if (processor == "aarch64")
    return {{"cortex-a53", {"armv8-a"}},
            {"a64fx", {"armv8-a"}},
            {"cortex-a76", {"armv8-a", "armv8.2-a"}},
            {"neoverse-n1", {"armv8-a", "armv8.2-a"}},
            {"max,sve=off", {"armv8-a", "armv8.2-a"}},
            {"max", {"armv8-a", "armv8.2-a", "sve", "sve2"}}};
  return {{"rv64", {}}, {"rv64,v=true,vext_spec=v1.0", {"rv64gcv"}}};
}

class CpuProbe : public testing::TestWithParam<Toolchain> {
protected:
  void SetUp() override {
    const Toolchain &chain = GetParam();
    std::error_code error;
    const bool isOwn = chain.processor == hostCpu().processor;
    if (!findProgram(chain.compile[0]) || (!isOwn && !fs::exists(chain.neededLibrary, error)))
      GTEST_SKIP() << chain.compile[0] << " cannot compile for " << chain.processor << ": install " << chain.package;
    auto scratch = ScratchDirectory::create(testing::TempDir(), "emit-cpu-");
    ASSERT_TRUE(scratch.has_value());
    scratch_.emplace(std::move(*scratch));
  }

  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }

  static ProcessResult run(Words argv) {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    auto result = runProcess(spec);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result ? *result : ProcessResult();
  }

  std::string compile(const std::string &text, const std::string &output, Words options) const {
    EXPECT_TRUE(writeFileAtomic(path("probe.cpp"), text));
    Words argv = GetParam().compile;
    argv.insert(argv.end(), options.begin(), options.end());
    argv.insert(argv.end(), {path("probe.cpp"), "-o", output});
    const ProcessResult result = run(argv);
    return result.ok() ? result.err : result.describe() + ": " + result.err;
  }

  /// A program that prints the levels the CPU has.
  void buildProbe() const {
    std::vector<const Level *> all;
    for (const Level &level : levels())
      all.push_back(&level);
    const auto probe = emitCpuProbe(all);
    ASSERT_TRUE(probe) << probe.error().message;
    std::string text = "#include <cstdio>\n" + *probe + "int main() {\n";
    for (const Level *level : all)
      text += "#if " + std::string(level->guard) + "\n  if (" + cpuPredicate(*level) + "()) std::puts(\"" +
              std::string(level->name) + "\");\n#endif\n";
    EXPECT_EQ(compile(text + "}\n", path("probe"), {"-O1", "-Wall", "-Wextra", "-Werror"}), "");
  }
  Words found(Words launcher) const {
    launcher.push_back(path("probe"));
    const ProcessResult result = run(launcher);
    EXPECT_TRUE(result.ok()) << result.describe() << ": " << result.err;
    Words lines = split(result.out, '\n');
    std::erase(lines, "");
    return lines;
  }
  static Words emulated(const std::string &cpu) {
    Words launcher = GetParam().emulator;
    launcher.insert(launcher.begin() + 1, {"-cpu", cpu});
    return launcher;
  }

  /// A program that returns what the kernel "pick" does: 0 as written, a level's rank if its variant runs. It has those
  /// of every level that the compiler can compile.
  void buildDispatched() const {
    const bool isClang = GetParam().compile[0].starts_with("clang");
    const std::string family = isClang ? "clang" : "gcc";
    const KernelSpec spec = test::makeSpec("pick", path("pick.cpp"), {}, "pick", "int pick() { return 0; }", {});
    std::vector<VariantSource> variants;
    Words options = {"-O1", "-Wall", "-Wextra", "-Werror"};
    for (const Level *level : levelsOf(GetParam().processor))
      if (level->name != GetParam().ofNoUse) {
        variants.push_back(
            test::makeVariant(spec, std::string(level->name), family,
                              "extern \"C\" int SYMBOL() { return " + std::to_string(level->rank) + "; }\n"));
        options.push_back("-DAGENTIC_KERNEL_pick__" + std::string(level->identifier) + "__" + family);
      }
    const auto files = emitFiles(spec, variants, "0.1.0");
    ASSERT_TRUE(files) << files.error().message;
    std::string text = (*files)[variants.size()].text + "int main() { return pick(); }\n";
    for (const VariantSource &variant : variants)
      text += variant.text;
    EXPECT_EQ(compile(text, path("dispatched"), options), "");
  }
  /// What the program says that it took, and returns.
  std::pair<std::string, int> taken(const std::string &cpu, const std::string &forced = "") const {
    ProcessSpec spec;
    spec.argv = emulated(cpu);
    spec.argv.push_back(path("dispatched"));
    spec.addedEnvironment = {{"AGENTIC_KERNEL_TRACE", "1"}, {"AGENTIC_KERNEL_pick", forced}};
    spec.mergeOutput = true;
    const auto result = runProcess(spec);
    EXPECT_TRUE(result) << result.error().message;
    if (!result || result->end != ProcessResult::End::Exited)
      return {result ? result->describe() : "", -1};
    return {result->out, result->code};
  }

  std::optional<ScratchDirectory> scratch_;
};

TEST_P(CpuProbe, TellsKnownCpusApart) {
  buildProbe();
  if (!findProgram(GetParam().emulator[0]))
    GTEST_SKIP() << GetParam().emulator[0] << " is not installed: install qemu-user";
  for (const auto &[cpu, expected] : knownCpus(GetParam().processor))
    EXPECT_EQ(found(emulated(cpu)), expected) << cpu;
}

TEST_P(CpuProbe, TheDispatcherTakesTheBestThatTheCpuHas) {
  buildDispatched();
  if (!findProgram(GetParam().emulator[0]))
    GTEST_SKIP() << GetParam().emulator[0] << " is not installed: install qemu-user";
  for (auto [cpu, has] : knownCpus(GetParam().processor)) {
    std::erase(has, GetParam().ofNoUse);
    const std::string best = has.empty() ? "baseline" : has.back();
    EXPECT_EQ(taken(cpu), std::pair("pick " + best + "\n", has.empty() ? 0 : findLevel(best)->rank)) << cpu;
    EXPECT_EQ(taken(cpu, "baseline"), std::pair(std::string("pick baseline\n"), 0)) << cpu;
    std::string available; // as the dispatcher lists them: the best first
    for (const std::string &level : has)
      available = " " + level + available;
    for (const Level *level : levelsOf(GetParam().processor)) {
      const std::string name(level->name);
      if (name == GetParam().ofNoUse)
        continue;
      if (std::ranges::count(has, name) != 0)
        EXPECT_EQ(taken(cpu, name), std::pair("pick " + name + "\n", level->rank)) << cpu;
      else
        EXPECT_EQ(taken(cpu, name),
                  std::pair("agentic-kernel: AGENTIC_KERNEL_pick=" + name +
                                ": this CPU lacks that level; available here:" + available + " baseline\n",
                            78))
            << cpu;
    }
  }
}

TEST_P(CpuProbe, AgreesWithTheToolAboutThisMachine) {
  const Cpu &cpu = hostCpu();
  if (cpu.processor != GetParam().processor)
    GTEST_SKIP() << "not this machine's";
  buildProbe();
  Words expected;
  for (const Level &level : levels())
    if (hasLevel(cpu, level))
      expected.emplace_back(level.name);
  EXPECT_EQ(found({}), expected);
}

// A name that a compiler does not know is a warning, and code for the processor's minimum.
TEST_P(CpuProbe, TheCompilerKnowsEveryTargetOfItsProcessor) {
  const bool isClang = GetParam().compile[0].starts_with("clang");
  const std::map<std::string, std::string> taken = {
      {"x86-64-v2", "+sse4.2"},   {"x86-64-v3", "+avx2 +fma +bmi2"},
      {"x86-64-v4", "+avx512vl"}, {"x86-64-v4-vnni", "+avx512vnni +avx512bf16"},
      {"armv8-a", "+neon"},       {"armv8.2-a", "+dotprod +fullfp16"},
      {"sve", "+dotprod +sve"},   {"sve2", "+dotprod +sve2"},
      {"rv64gcv", "+v"}};
  for (const Level *level : levelsOf(GetParam().processor)) {
    const std::string target(level->target);
    const std::string text =
        (isClang ? "#pragma clang attribute push(__attribute__((target(\"" + target + "\"))), apply_to = function)\n"
                 : "#pragma GCC push_options\n#pragma GCC target(\"" + target + "\")\n") +
        "extern \"C\" void scale(float *__restrict to, const float *__restrict from, unsigned long n) {\n"
        "  for (unsigned long i = 0; i < n; ++i) to[i] += 3 * from[i];\n}\n" +
        (isClang ? "#pragma clang attribute pop\n" : "#pragma GCC pop_options\n");
    // g++ refuses what it does not know; clang passes over it, but its own text of the code names what it took.
    Words options = {"-O2", "-Wall", "-Wextra", "-Werror"};
    if (isClang)
      options.insert(options.end(), {"-S", "-emit-llvm"});
    else
      options.push_back("-c");
    const std::string said = compile(text, path("level.o"), options);
    if (isClang) {
      for (const std::string &feature : split(taken.at(std::string(level->name)), ' '))
        EXPECT_THAT(*readFile(path("level.o")),
                    testing::ContainsRegex("target-features\"=\"[^\"]*\\" + feature + "[,\"]"))
            << level->name;
    }
    if (level->name == GetParam().ofNoUse)
      EXPECT_NE(said, "") << level->name;
    else
      EXPECT_EQ(said, "") << level->name;
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, CpuProbe,
                         testing::Values(kClangX86, kGccX86, kClangArm, kGccArm, kClangRiscv, kGccRiscv),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace agentic
