// Projects for aarch64 and riscv64, configured with a toolchain file as their owner would, their programs run by
// qemu-user: extracted and built for that processor, tested under the emulator, written untuned. The emulator's CPUs
// are its own (it says which instructions they lack, and faults on those): the tests prove that the right function is
// chosen and computes the right result, not that it is fast.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace agentic::e2e {
namespace {

struct Machine {
  std::string processor, cpu; ///< the CPU that the emulator presents
  std::string levels;         ///< for ARCHITECTURES
  std::string linker;         ///< linker of the cross toolchain
  std::string package;        ///< package that holds its C++ library

  std::string triple() const { return processor + "-linux-gnu"; }
  std::string root() const { return "/usr/" + triple(); } ///< root of its libraries
  std::string emulator() const { return "qemu-" + processor; }
};
const Machine kArm{"aarch64", "max", "sve armv8-a", "aarch64-linux-gnu-ld", "g++-aarch64-linux-gnu"};
const Machine kRiscv{"riscv64", "rv64,v=true,vext_spec=v1.0", "rv64gcv", "riscv64-linux-gnu-ld",
                     "libstdc++-12-dev-riscv64-cross and binutils-riscv64-linux-gnu"};

/// Returns the missing package for this test; empty if all are installed.
std::string missingPackage(const Machine &machine) {
  const std::pair<std::string, std::string> needed[] = {
      {machine.root() + "/lib/libc.so.6", machine.package},
      {"/usr/bin/" + machine.linker, machine.package},
      {"/usr/bin/" + machine.emulator(), "qemu-user"},
      {"/usr/src/googletest/googletest/src/gtest-all.cc", "googletest"}};
  for (const auto &[file, package] : needed)
    if (!fs::exists(file))
      return package;
  return compilerPath().find("clang") == std::string::npos ? "clang-19" : "";
}

void must(const Outcome &outcome, const std::string &what) {
  if (outcome.status != 0)
    throw std::runtime_error(what + " failed:\n" + outcome.all());
}

/// examples/quickstart for another machine, without benchmarks, configured and optimized.
class CrossProject {
public:
  explicit CrossProject(const Machine &machine) : project("examples/quickstart"), machine_(machine) {
    buildGoogleTest();
    project.write("toolchain.cmake", "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR " + machine.processor +
                                         ")\nset(CMAKE_CXX_COMPILER_TARGET " + machine.triple() +
                                         ")\nset(CMAKE_CROSSCOMPILING_EMULATOR " + machine.emulator() + " -cpu " +
                                         machine.cpu + " -L " + machine.root() + ")\n");
    project.replace("CMakeLists.txt", "add_compile_options(-march=native)\n", "");
    project.replace("CMakeLists.txt", "find_package(benchmark REQUIRED)\n", "");
    project.replace("CMakeLists.txt",
                    "add_executable(column_sums_bench column_sums_bench.cpp)\n"
                    "target_link_libraries(column_sums_bench PRIVATE column_sums benchmark::benchmark_main)\n",
                    "");
    project.replace("CMakeLists.txt", "  BENCHMARKS column_sums_bench\n", "  ARCHITECTURES " + machine.levels + "\n");
    project.replace("CMakeLists.txt", "find_package(GTest REQUIRED)",
                    "add_library(GTest::gtest_main STATIC IMPORTED)\n"
                    "set_target_properties(GTest::gtest_main PROPERTIES IMPORTED_LOCATION \"" +
                        archive() + "\"\n  INTERFACE_INCLUDE_DIRECTORIES /usr/src/googletest/googletest/include)");
    must(project.configure(toolchain()), "configuring");
    optimized = project.tool({"optimize", "--kernel", "column_sums"});
  }

  std::vector<std::string> toolchain() const {
    return {"-DCMAKE_TOOLCHAIN_FILE=" + (project.source() / "toolchain.cmake").string()};
  }

  /// Builds like a colleague, without the tool; once per name.
  fs::path consumer(const std::string &name, std::vector<std::string> options = {}) const {
    const fs::path build = project.root() / name;
    if (!fs::exists(build / "column_sums_test")) {
      for (const std::string &option : toolchain())
        options.push_back(option);
      options.push_back("-DAGENTIC_KERNEL_TOOL=");
      must(project.configureIn(build, options), "configuring " + name);
      must(runCommand({"cmake", "--build", build.string()}), "building " + name);
    }
    return build;
  }

  Project project;
  Outcome optimized;

private:
  std::string archive() const { return (project.root() / "libgtest_main.a").string(); }
  void buildGoogleTest() const {
    const std::string source = "/usr/src/googletest/googletest", folder = project.root().string();
    must(runCommand({compilerPath(), "--target=" + machine_.triple(), "-w", "-I" + source, "-I" + source + "/include",
                     "-c", source + "/src/gtest-all.cc", source + "/src/gtest_main.cc"},
                    kPatience, {}, folder),
         "compiling GoogleTest");
    must(runCommand({"ar", "rcs", archive(), folder + "/gtest-all.o", folder + "/gtest_main.o"}), "archiving");
  }

  const Machine machine_;
};

class CrossLevels : public testing::Test {
protected:
  static void SetUpTestSuite() {
    missing_ = missingPackage(kArm);
    if (!missing_.empty())
      return;
    cross_ = new CrossProject(kArm);
    project_ = &cross_->project;
    optimized_ = cross_->optimized;
  }
  static void TearDownTestSuite() { delete cross_; }

  void SetUp() override {
    if (!missing_.empty())
      GTEST_SKIP() << "install " << missing_;
    ASSERT_EQ(optimized_.status, 0) << optimized_.all();
  }
  static std::vector<std::string> toolchain() { return cross_->toolchain(); }
  static fs::path consumer(const std::string &name, std::vector<std::string> options = {}) {
    return cross_->consumer(name, std::move(options));
  }

  static Outcome runOn(const std::string &cpu, const fs::path &build, Environment environment = {}) {
    environment.emplace_back("AGENTIC_KERNEL_TRACE", "1");
    return runCommand({"qemu-aarch64", "-cpu", cpu, "-L", "/usr/aarch64-linux-gnu",
                       (build / "column_sums_test").string(), "--gtest_brief=1"},
                      kPatience, environment);
  }
  /// Returns the dispatcher's line in a run's output.
  static std::string chosen(const Outcome &outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    for (const std::string &line : split(outcome.out, '\n'))
      if (line.starts_with("column_sums "))
        return line.substr(12);
    return "(no choice in: " + outcome.all() + ")";
  }

  static CrossProject *cross_;
  static Project *project_;
  static Outcome optimized_;
  static std::string missing_;
};
CrossProject *CrossLevels::cross_ = nullptr;
Project *CrossLevels::project_ = nullptr;
Outcome CrossLevels::optimized_;
std::string CrossLevels::missing_;

TEST_F(CrossLevels, EachLevelIsTestedUnderTheEmulatorAndWrittenUntuned) {
  EXPECT_NE(optimized_.err.find("checking that the tests notice a wrong kernel"), std::string::npos) << optimized_.err;
  const auto lock = nlohmann::json::parse(project_->read("generated/column_sums.lock.json"));
  ASSERT_EQ(lock["variants"].size(), 2u) << lock;
  for (const nlohmann::json &variant : lock["variants"]) {
    EXPECT_EQ(variant["tuned"], false) << variant;
    EXPECT_EQ(variant["ratio"], 0) << variant;
    const std::string text = project_->read("generated/" + variant["file"].get<std::string>());
    EXPECT_NE(text.find("untuned: never measured"), std::string::npos) << text;
    EXPECT_NE(text.find("an emulated CPU (qemu-aarch64)"), std::string::npos) << text;
    EXPECT_EQ(text.find("over the baseline"), std::string::npos) << text;
    EXPECT_EQ(text.find("/usr/"), std::string::npos) << "a path of this machine";
  }
  for (const std::string &line : split(optimized_.out, '\n'))
    if (const auto json = nlohmann::json::parse(line, nullptr, false); json.is_object() && json.contains("level")) {
      EXPECT_EQ(json["tuned"], false) << line;
      EXPECT_TRUE(json["best"].contains("origin") && !json["best"].contains("ratio")) << line;
    }
}

TEST_F(CrossLevels, NoneIsChosenUnlessItIsForced) {
  const fs::path build = consumer("consumer");
  EXPECT_EQ(chosen(runOn("max", build)), "baseline");
  EXPECT_EQ(chosen(runOn("max", build, {{"AGENTIC_KERNEL_column_sums", "sve"}})), "sve");
  EXPECT_EQ(chosen(runOn("cortex-a53", build, {{"AGENTIC_KERNEL_column_sums", "armv8-a"}})), "armv8-a");
  const Outcome refused = runOn("cortex-a53", build, {{"AGENTIC_KERNEL_column_sums", "sve"}});
  EXPECT_EQ(refused.status, 78) << refused.all();
  EXPECT_NE(refused.err.find("this CPU lacks that level; available here: baseline armv8-a"), std::string::npos)
      << refused.err;
}

TEST_F(CrossLevels, TheBestOfTheCpuIsChosenWhereTheProjectOptsIn) {
  const fs::path build = consumer("opted-in", {"-DAGENTIC_KERNEL_UNTUNED=ON"});
  EXPECT_EQ(chosen(runOn("max", build)), "sve");
  EXPECT_EQ(chosen(runOn("max,sve=off", build)), "armv8-a");
  EXPECT_EQ(chosen(runOn("cortex-a53", build)), "armv8-a");
}

TEST_F(CrossLevels, CtestForcesEachUnderTheEmulator) {
  const Outcome tests = runCommand({"ctest", "--test-dir", consumer("consumer").string(), "-L", "agentic-kernel"});
  EXPECT_EQ(tests.status, 0) << tests.all();
  EXPECT_NE(tests.out.find("100% tests passed, 0 tests failed out of 2"), std::string::npos) << tests.out;
  EXPECT_EQ(tests.out.find("Skipped"), std::string::npos) << tests.out;
}

TEST_F(CrossLevels, VerifyJudgesAllButTheSpeed) {
  must(runCommand({"cmake", project_->build().string()}), "configuring again");
  const Outcome verified = project_->tool({"verify"});
  EXPECT_EQ(verified.status, 0) << verified.all();
  ASSERT_EQ(verified.json["kernels"].size(), 2u) << verified.all();
  for (const nlohmann::json &row : verified.json["kernels"]) {
    EXPECT_EQ(row["standing"], "holds") << row;
    EXPECT_EQ(row["tuned"], false) << row;
    EXPECT_TRUE(row["measured"].is_null() && row["recorded"].is_null()) << row;
  }
  const Outcome status = project_->tool({"status"});
  ASSERT_EQ(status.json["kernels"][0]["variants"].size(), 2u) << status.all();
  EXPECT_EQ(status.json["kernels"][0]["variants"][0]["tuned"], false) << status.json;
  EXPECT_EQ(status.json["kernels"][0]["variants"][0]["runs_here"], true) << status.json;
}

// The next tests change the project.
TEST_F(CrossLevels, AGivenCandidateGoesThroughTheSameGates) {
  const std::string start =
      "#include <cstddef>\n#include <arm_neon.h>\n"
      "void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {\n"
      "  std::size_t c = 0;\n"
      "  for (; c + 4 <= columns; c += 4) {\n"
      "    float32x4_t sum = vdupq_n_f32(0.0f);\n"
      "    for (std::size_t r = 0; r < rows; ++r)\n"
      "      sum = vaddq_f32(sum, vld1q_f32(matrix + r * columns + c));\n"
      "    vst1q_f32(sums + c, sum);\n"
      "  }\n";
  const std::string rest = "  for (; c < columns; ++c) {\n"
                           "    float sum = 0.0f;\n"
                           "    for (std::size_t r = 0; r < rows; ++r)\n"
                           "      sum += matrix[r * columns + c];\n"
                           "    sums[c] = sum;\n"
                           "  }\n";
  project_->write("neon.cpp", start + rest + "}\n");
  project_->write("wrong.cpp", start + "}\n"); // the last columns are left out
  const std::string neon = (project_->source() / "neon.cpp").string(),
                    wrong = (project_->source() / "wrong.cpp").string();
  const auto before = snapshot(project_->source());
  const Outcome refused = project_->tool({"apply", "--kernel", "column_sums", "--level", "armv8-a", wrong});
  EXPECT_EQ(refused.status, 3) << refused.all();
  EXPECT_EQ(refused.json["stage"], "test") << refused.all();
  EXPECT_EQ(snapshot(project_->source()), before);
  const Outcome applied = project_->tool({"apply", "--kernel", "column_sums", "--level", "armv8-a", neon});
  EXPECT_EQ(applied.status, 0) << applied.all();
  EXPECT_TRUE(applied.json["speedup"].is_null()) << applied.json;
  EXPECT_NE(project_->read("generated/column_sums.armv8-a.clang.cpp").find("vaddq_f32"), std::string::npos);
}

// A variant that a machine has measured is worth more than one that an emulator has run.
TEST_F(CrossLevels, WhatWasMeasuredIsNotWrittenOver) {
  project_->replace("generated/column_sums.lock.json", "      \"tuned\": false,\n", "");
  const Outcome refused = project_->tool(
      {"apply", "--kernel", "column_sums", "--level", "armv8-a", (project_->source() / "neon.cpp").string()});
  expectOneError(refused, 1, {"column_sums", "armv8-a", "measured", "drop"});
}

TEST_F(CrossLevels, WhatTheEmulatorLacksIsSaid) {
  project_->replace("toolchain.cmake", "-cpu max", "-cpu cortex-a53");
  const Outcome configured = project_->configureIn(project_->root() / "old", toolchain());
  ASSERT_EQ(configured.status, 0) << configured.all();
  const Outcome refused = runCommand(
      {toolPath(), "optimize", "--build-dir", (project_->root() / "old").string(), "--level", "sve", "--json"});
  expectOneError(refused, 1, {"qemu-aarch64", "lacks level sve", "-cpu max"});
  const Outcome none = runCommand(
      {toolPath(), "optimize", "--build-dir", (project_->root() / "old").string(), "--level", "x86-64-v3", "--json"});
  expectOneError(none, 1, {"x86-64-v3", "aarch64", "toolchain"});
}

// The whole way again, for vectors without a fixed length and another disassembler.
TEST(RiscvLevel, IsWrittenUntunedAndTestedByCtest) {
  if (const std::string missing = missingPackage(kRiscv); !missing.empty())
    GTEST_SKIP() << "install " << missing;
  const CrossProject cross(kRiscv);
  ASSERT_EQ(cross.optimized.status, 0) << cross.optimized.all();
  const std::string variant = cross.project.read("generated/column_sums.rv64gcv.clang.cpp");
  EXPECT_NE(variant.find("untuned: never measured"), std::string::npos) << variant;
  const Outcome tests =
      runCommand({"ctest", "--test-dir", cross.consumer("consumer").string(), "-L", "agentic-kernel"});
  EXPECT_EQ(tests.status, 0) << tests.all();
  EXPECT_NE(tests.out.find("100% tests passed, 0 tests failed out of 1"), std::string::npos) << tests.out;
}

} // namespace
} // namespace agentic::e2e
