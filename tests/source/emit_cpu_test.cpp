// The probes of all levels in one program, compiled by each compiler that is installed, and what they say on CPUs that
// are known: this machine's, and qemu's of other names. qemu offers no AVX-512, so that the rows with it are asked on
// machines that have it alone; and that the operating system saves wide registers is asked, never contradicted, here.
#include "tool/source/emit/emit_cpu.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace agentic {
namespace {

using Words = std::vector<std::string>;

struct Toolchain {
  std::string name;
  Words compile;             ///< compiler and target
  std::string processor;     ///< CMAKE_SYSTEM_PROCESSOR
  Words emulator;            ///< "-cpu" and the name come after its first word
  std::string ofNoUse;       ///< a level that this compiler has no target for
  std::string package;       ///< package of the compiler or its libraries
  std::string neededLibrary; ///< a file of the target's C library; empty: the system's
};

const Toolchain kClangX86{"clang_x86", {"clang++-19"}, "x86_64", {"qemu-x86_64"}, "", "clang-19", ""};
const Toolchain kGccX86{"gcc_x86", {"g++"}, "x86_64", {"qemu-x86_64"}, "", "g++", ""};
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

class CpuProbe : public testing::TestWithParam<Toolchain> {
protected:
  void SetUp() override {
    const Toolchain &chain = GetParam();
    std::error_code error;
    if (!findProgram(chain.compile[0]) || (!chain.neededLibrary.empty() && !fs::exists(chain.neededLibrary, error)))
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
  Words onCpu(const std::string &cpu) const {
    Words launcher = GetParam().emulator;
    launcher.insert(launcher.begin() + 1, {"-cpu", cpu});
    return found(launcher);
  }

  std::optional<ScratchDirectory> scratch_;
};

TEST_P(CpuProbe, TellsKnownCpusApart) {
  buildProbe();
  if (!findProgram(GetParam().emulator[0]))
    GTEST_SKIP() << GetParam().emulator[0] << " is not installed: install qemu-user";
  const std::vector<std::pair<std::string, Words>> x86 = {
      {"core2duo", {}}, {"Nehalem", {"x86-64-v2"}}, {"Haswell", {"x86-64-v2", "x86-64-v3"}}};
  // The A64FX has SVE, but no dot products: its level is that of the first Armv8 CPUs.
  const std::vector<std::pair<std::string, Words>> arm = {{"cortex-a53", {"armv8-a"}},
                                                          {"a64fx", {"armv8-a"}},
                                                          {"cortex-a76", {"armv8-a", "armv8.2-a"}},
                                                          {"max,sve=off", {"armv8-a", "armv8.2-a"}},
                                                          {"max", {"armv8-a", "armv8.2-a", "sve", "sve2"}}};
  const std::vector<std::pair<std::string, Words>> riscv = {{"rv64", {}}, {"rv64,v=true,vext_spec=v1.0", {"rv64gcv"}}};
  const std::string &processor = GetParam().processor;
  for (const auto &[cpu, expected] : processor == "x86_64" ? x86 : processor == "aarch64" ? arm : riscv)
    EXPECT_EQ(onCpu(cpu), expected) << cpu;
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
