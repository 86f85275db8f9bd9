// One binary for several levels: each searched and written in one run, the right one chosen where the binary runs. Old
// CPUs are qemu's: it emulates CPUID and rejects unknown instructions, but not any timing. It knows no AVX-512, and
// executes AVX2 under every name: the choice shows that an old CPU would not meet it.
#include "tests/e2e/project.h"

#include "tool/base/text.h"
#include "tool/build/host.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

class Levels : public testing::Test {
protected:
  static void SetUpTestSuite() {
    for (const char *name : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
      if (const Level *level = findLevel(name); level && hasLevel(hostCpu(), *level))
        levels_.push_back(name);
    if (levels_.size() < 2)
      return;
    project_ = new Project("examples/quickstart");
    project_->replace("CMakeLists.txt", "add_compile_options(-march=native)", "");
    project_->replace("CMakeLists.txt", "VARIANT_DIR generated",
                      "ARCHITECTURES x86-64-v4 x86-64-v2 x86-64-v3\n  VARIANT_DIR generated");
    if (const Outcome configured = project_->configure(); configured.status != 0)
      throw std::runtime_error("configuring failed:\n" + configured.all());
    optimized_ = project_->tool({"optimize", "--kernel", "column_sums", "--max-iterations", "3"});
  }
  static void TearDownTestSuite() { delete project_; }

  void SetUp() override {
    if (levels_.size() < 2)
      GTEST_SKIP() << "this machine has one level only";
    ASSERT_EQ(optimized_.status, 0) << optimized_.all();
  }

  /// Builds like a colleague, without the tool; once.
  static fs::path consumer() {
    const fs::path build = project_->root() / "consumer";
    if (!fs::exists(build / "column_sums_test")) {
      const Outcome configured = project_->configureIn(build, {"-DAGENTIC_KERNEL_TOOL="});
      EXPECT_EQ(configured.status, 0) << configured.all();
      EXPECT_EQ(configured.all().find("Warning"), std::string::npos) << configured.all();
      const Outcome built = runCommand({"cmake", "--build", build.string()});
      EXPECT_EQ(built.status, 0) << built.all();
    }
    return build;
  }

  /// Returns the implementation that the test program chose, by the dispatcher's trace.
  static std::string chosen(std::vector<std::string> emulator, Environment environment = {}) {
    const fs::path program = consumer() / "column_sums_test", trace = project_->root() / "trace.txt";
    fs::remove(trace);
    environment.emplace_back("AGENTIC_KERNEL_TRACE", trace.string());
    emulator.push_back(program.string());
    const Outcome outcome = runCommand(emulator, kPatience, environment);
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return readFile(trace).value_or("(no trace)");
  }

  static Project *project_;
  static Outcome optimized_;
  static std::vector<std::string> levels_; ///< levels of this machine, lowest first
};
Project *Levels::project_ = nullptr;
Outcome Levels::optimized_;
std::vector<std::string> Levels::levels_;

TEST_F(Levels, EachIsSearchedLowestFirstAndWritten) {
  std::vector<std::string> reported;
  for (const std::string &line : split(optimized_.out, '\n'))
    if (const auto json = nlohmann::json::parse(line, nullptr, false); json.is_object() && json.contains("level")) {
      reported.push_back(json["level"].get<std::string>());
      EXPECT_TRUE(json["best"].is_object()) << line;
    }
  EXPECT_EQ(reported, levels_);
  for (const std::string &level : levels_)
    EXPECT_TRUE(fs::exists(project_->source() / "generated" / ("column_sums." + level + ".clang.cpp"))) << level;
}

TEST_F(Levels, AHigherOneStartsFromTheVariantOfALowerOne) {
  const std::string journal = readFile(optimized_.json["run_dir"].get<std::string>() + "/journal.jsonl").value_or("");
  EXPECT_NE(journal.find("variant " + levels_[levels_.size() - 2] + "/clang: "), std::string::npos) << journal;
}

TEST_F(Levels, TheHighestOfTheMachineRuns) {
  EXPECT_EQ(chosen({}), "column_sums " + levels_.back() + "\n");
  for (const std::string &level : levels_)
    EXPECT_EQ(chosen({}, {{"AGENTIC_KERNEL_column_sums", level}}), "column_sums " + level + "\n");
}

TEST_F(Levels, OldMachinesRunWhatTheyHave) {
  if (runCommand({"sh", "-c", "command -v qemu-x86_64"}).status != 0)
    GTEST_SKIP() << "qemu-x86_64 is not installed";
  EXPECT_EQ(chosen({"qemu-x86_64", "-cpu", "core2duo"}), "column_sums baseline\n");
  EXPECT_EQ(chosen({"qemu-x86_64", "-cpu", "Nehalem"}), "column_sums x86-64-v2\n");
  EXPECT_EQ(chosen({"qemu-x86_64", "-cpu", "Haswell"}), "column_sums x86-64-v3\n");
  const Outcome refused = runCommand({"qemu-x86_64", "-cpu", "Nehalem", (consumer() / "column_sums_test").string()}, 60,
                                     {{"AGENTIC_KERNEL_column_sums", "x86-64-v3"}});
  EXPECT_EQ(refused.status, 78) << refused.all();
  EXPECT_NE(refused.err.find("x86-64-v3"), std::string::npos) << refused.err;
}

// The variant of every level that the machine has, by its own forced test.
TEST_F(Levels, CtestForcesEach) {
  const Outcome tests = runCommand({"ctest", "--test-dir", consumer().string(), "-L", "agentic-kernel", "-V"});
  EXPECT_EQ(tests.status, 0) << tests.all();
  for (const std::string &level : levels_)
    EXPECT_NE(tests.out.find("agentic-kernel.column_sums." + level), std::string::npos) << tests.out;
}

TEST_F(Levels, VerifyJudgesEach) {
  runCommand({"cmake", project_->build().string()});
  const Outcome verified = project_->tool({"verify", "--no-benchmark"});
  EXPECT_EQ(verified.status, 0) << verified.all();
  ASSERT_TRUE(verified.json.is_object()) << verified.all();
  EXPECT_EQ(verified.json["kernels"].size(), levels_.size()) << verified.json;
  const Outcome limited = project_->tool({"verify", "--no-benchmark", "--max-levels", "1"});
  EXPECT_EQ(limited.status, 3) << limited.all();
}

// The project's own limits hold for what is checked in, and for a search before it begins.
TEST_F(Levels, TheProjectsLimitsHold) {
  project_->write(".agentic-kernel.json", R"({"limits": {"max_code_bytes": 16}})");
  const Outcome large = project_->tool({"verify", "--no-benchmark"});
  EXPECT_EQ(large.status, 3) << large.all();
  EXPECT_NE(large.out.find("limit (max_code_bytes) is 16"), std::string::npos) << large.out;
  project_->write(".agentic-kernel.json", R"({"limits": {"max_levels": 1}})");
  const Outcome many = project_->tool({"verify", "--no-benchmark"});
  EXPECT_EQ(many.status, 3) << many.all();
  EXPECT_NE(many.out.find("levels, and the limit is 1"), std::string::npos) << many.out;
  expectOneError(project_->tool({"optimize", "--kernel", "column_sums", "--level", levels_.back()}), 1,
                 {"column_sums", "limits.max_levels (1)", "drop"});
  fs::remove(project_->source() / ".agentic-kernel.json");
}

/// Returns whether a colleague's fresh configure finds the variants stale.
bool isStaleForOthers(const Project &project, const std::string &name) {
  const Outcome configured = project.configureIn(project.root() / name, {"-DAGENTIC_KERNEL_TOOL="});
  EXPECT_EQ(configured.status, 0) << configured.all();
  return configured.all().find("are stale") != std::string::npos;
}

// The next tests change the project.
TEST_F(Levels, RelockRenewsWhatAnEditedCommentMadeStale) {
  const std::string before = project_->read("column_sums.cpp");
  project_->replace("column_sums.cpp", "float sum = 0.0f;", "float sum = 0.0f; // of one column");
  EXPECT_TRUE(isStaleForOthers(*project_, "commented"));
  runCommand({"cmake", project_->build().string()});
  const Outcome relocked = project_->tool({"relock"});
  ASSERT_EQ(relocked.status, 0) << relocked.all();
  const nlohmann::json &kernel = relocked.json["kernels"][0];
  EXPECT_TRUE(kernel["relocked"].get<bool>()) << kernel;
  EXPECT_EQ(kernel["verified"].size(), levels_.size()) << kernel;
  EXPECT_FALSE(isStaleForOthers(*project_, "relocked"));
  const Outcome again = project_->tool({"relock"});
  EXPECT_EQ(again.status, 0) << again.all();
  EXPECT_FALSE(again.json["kernels"][0]["relocked"].get<bool>()) << again.json;

  const auto relockedFiles = snapshot(project_->source());
  project_->replace("column_sums.cpp", "sums[c] = sum;", "sums[c] = sum + 1.0f;");
  runCommand({"cmake", project_->build().string()});
  auto edited = snapshot(project_->source());
  expectOneError(project_->tool({"relock"}), 1, {"column_sums", "more than comments", "optimize-column_sums"});
  EXPECT_EQ(snapshot(project_->source()), edited);
  project_->replace("column_sums.cpp", "sums[c] = sum + 1.0f;", "sums[c] = sum;");
  EXPECT_EQ(snapshot(project_->source()), relockedFiles);
}

TEST_F(Levels, RelockVouchesForNoEditedVariant) {
  const std::string variant = "generated/column_sums." + levels_.back() + ".clang.cpp", text = project_->read(variant);
  project_->write(variant, text + "// mine\n");
  runCommand({"cmake", project_->build().string()});
  expectOneError(project_->tool({"relock"}), 1, {variant, "restore it"});
  project_->write(variant, text);
}

TEST_F(Levels, DropTakesOneLevelAndThenTheRest) {
  runCommand({"cmake", project_->build().string()});
  expectOneError(project_->tool({"drop", "--kernel", "column_sums", "--level", "armv8-a"}), 1,
                 {"no such variant", levels_.back() + " clang"});
  const Outcome one = project_->tool({"drop", "--kernel", "column_sums", "--level", levels_.back()});
  EXPECT_EQ(one.status, 0) << one.all();
  EXPECT_FALSE(fs::exists(project_->source() / "generated" / ("column_sums." + levels_.back() + ".clang.cpp")));
  EXPECT_FALSE(isStaleForOthers(*project_, "dropped"));
  const nlohmann::json status = project_->tool({"status"}).json["kernels"][0]["variants"];
  EXPECT_EQ(status.back()["level"], levels_.back()) << status;
  EXPECT_EQ(status.back()["state"], "missing") << status;
  const Outcome built = runCommand({"cmake", "--build", (project_->root() / "dropped").string()});
  EXPECT_EQ(built.status, 0) << built.all();
  const fs::path trace = project_->root() / "dropped.txt";
  runCommand({(project_->root() / "dropped" / "column_sums_test").string()}, 60,
             {{"AGENTIC_KERNEL_TRACE", trace.string()}});
  EXPECT_EQ(readFile(trace).value_or(""), "column_sums " + levels_[levels_.size() - 2] + "\n");

  const Outcome all = project_->tool({"drop", "--kernel", "column_sums"});
  EXPECT_EQ(all.status, 0) << all.all();
  EXPECT_TRUE(fs::is_empty(project_->source() / "generated"));
  EXPECT_FALSE(isStaleForOthers(*project_, "none"));
  expectOneError(project_->tool({"drop", "--kernel", "column_sums"}), 1, {"has no variants"});
}

} // namespace
} // namespace agentic::e2e
