// Tests faults of a project or a machine: each gives one clear error with its next step and its exit status, and leaves
// nothing half-written.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

const std::vector<std::string> kOptimize = {"optimize", "--kernel", "column_sums", "--max-iterations", "2"};

std::string quoted(const std::string &text) {
  return "'" + replaceAll(text, "'", "'\\''") + "'";
}

std::string shellCommand(const std::vector<std::string> &argv) {
  std::string line;
  for (const std::string &word : argv)
    line += quoted(word) + " ";
  return line;
}

class BadInput : public testing::Test {
protected:
  void configure(const std::vector<std::string> &options = {}) {
    const Outcome configured = project_.configure(options);
    ASSERT_EQ(configured.status, 0) << configured.all();
  }

  /// Runs optimize on the project as it is and expects this failure, with the source tree untouched.
  void expectRefused(const std::vector<std::string> &words, int status = 1) {
    const auto before = snapshot(project_.source());
    const Outcome outcome = project_.tool(kOptimize);
    expectOneError(outcome, status, words);
    EXPECT_EQ(snapshot(project_.source()), before) << "the source tree was changed";
    EXPECT_TRUE(outcome.json["best"].is_null());
  }

  /// Runs a shell script that may mount things only itself sees; skips where that is forbidden.
  Outcome inMountNamespace(const std::string &script) {
    for (const std::vector<std::string> &unshare :
         {std::vector<std::string>{"unshare", "-m"}, std::vector<std::string>{"unshare", "-rm"}}) {
      std::vector<std::string> probe = unshare, command = unshare;
      probe.insert(probe.end(), {"sh", "-c", "mount -t tmpfs none /mnt"});
      if (runCommand(probe).status != 0)
        continue;
      command.insert(command.end(), {"sh", "-ec", script});
      return runCommand(command);
    }
    return {};
  }

  Project project_{"examples/quickstart"};
};

TEST_F(BadInput, UnknownKernel) {
  configure();
  expectOneError(project_.tool({"optimize", "--kernel", "colum_sums"}), 1, {"colum_sums", "column_sums"});
}

TEST_F(BadInput, FolderThatIsNoBuildTree) {
  expectOneError(project_.tool(kOptimize), 1, {project_.build().string()});
}

TEST_F(BadInput, MissingCandidateFile) {
  configure();
  expectOneError(project_.tool({"evaluate", "--kernel", "column_sums", "/nowhere/fast.cpp"}), 1,
                 {"/nowhere/fast.cpp", "No such file"});
}

TEST_F(BadInput, ACandidateToApplyLeavesConstantsOpen) {
  configure();
  const fs::path file = project_.root() / "open.cpp";
  ASSERT_TRUE(
      writeFileAtomic(file, "AGENTIC_TUNE(kStep, 1, 2);\n" + replaceAll(kBareWalksRows, "c = 0;", "c = 0 * kStep;")));
  expectOneError(project_.tool({"apply", "--kernel", "column_sums", file.string()}), 1,
                 {"leaves constants open (kStep)", "agentic-kernel evaluate"});
  const Outcome checked = project_.tool({"check", "--kernel", "column_sums", file.string()});
  EXPECT_EQ(checked.status, 0) << checked.all();
}

TEST_F(BadInput, SourceDoesNotCompile) {
  configure();
  project_.replace("column_sums.cpp", "sums[c] = sum;", "sums[c] = sum");
  expectRefused({"column_sums.cpp", "';'"});
}

TEST_F(BadInput, TestFailsOnTheBaseline) {
  project_.replace("column_sums_test.cpp", "double expected = 0;", "double expected = 1;");
  configure();
  expectRefused({"column_sums_test", "EveryWidth"});
}

TEST_F(BadInput, TestIsTooWeak) {
  project_.replace("column_sums_test.cpp", "ASSERT_EQ(sums[c], expected)", "ASSERT_EQ(sums[c] * 0, sums[c] * 0)");
  project_.replace("column_sums_test.cpp", "std::numeric_limits<float>::quiet_NaN()", "0.0f");
  project_.replace("column_sums_test.cpp", "EXPECT_EQ(sums, std::vector<float>(35, 6 * value))",
                   "EXPECT_EQ(sums.size(), 35u)");
  configure();
  expectRefused({"column_sums_test", "too weak"});
}

TEST_F(BadInput, TestKillsItself) {
  project_.replace("column_sums_test.cpp", "expectColumnSums(512, 512, 1);", "raise(SIGKILL);");
  project_.replace("column_sums_test.cpp", "#include <cstddef>", "#include <csignal>\n#include <cstddef>");
  configure();
  expectRefused({"column_sums_test", "SIGKILL"});
}

TEST_F(BadInput, BenchmarkNameDoesNotExist) {
  project_.replace("CMakeLists.txt", "VARIANT_DIR", "BENCHMARK_FILTER BM_Nothing\n  VARIANT_DIR");
  configure();
  expectRefused({"BM_Nothing", "column_sums_bench"});
}

TEST_F(BadInput, BenchmarkReportsAnError) {
  project_.replace("column_sums_bench.cpp", "for (auto _ : state) {",
                   "state.SkipWithError(\"no input data\");\n  for (auto _ : state) {");
  configure();
  expectRefused({"BM_ColumnSums", "no input data"});
}

TEST_F(BadInput, BenchmarkHangs) {
  project_.replace("column_sums_bench.cpp", "for (auto _ : state) {",
                   "for (volatile bool forever = true; forever;) {\n  }\n  for (auto _ : state) {");
  configure();
  expectRefused({"column_sums_bench", " s"});
}

TEST_F(BadInput, DebugBuild) {
  configure({"-DCMAKE_BUILD_TYPE=Debug"});
  expectRefused({"Debug", "Release", "--allow-unoptimized"});
}

TEST_F(BadInput, EmptyBuildType) {
  project_.replace("CMakeLists.txt", "if(NOT CMAKE_BUILD_TYPE)", "if(FALSE)");
  configure();
  expectRefused({"build type", "Release", "--allow-unoptimized"});
}

TEST_F(BadInput, SanitizerBuild) {
  configure({"-DCMAKE_CXX_FLAGS=-fsanitize=address"});
  expectRefused({"-fsanitize=address", "--allow-unoptimized"});
}

TEST_F(BadInput, DebugBuildIsPermitted) {
  configure({"-DCMAKE_BUILD_TYPE=Debug"});
  project_.write("../faster.cpp", kBareWalksRows);
  const Outcome outcome = project_.tool(
      {"evaluate", "--kernel", "column_sums", "--allow-unoptimized", (project_.root() / "faster.cpp").string()});
  EXPECT_TRUE(outcome.errors().empty()) << outcome.all();
  EXPECT_EQ(outcome.json["stage"], "benchmark") << outcome.all();
}

TEST_F(BadInput, MissingNinja) {
  configure();
  const std::string ninja = fs::canonical(*findProgram("ninja")).string();
  const Outcome outcome = inMountNamespace("mount --bind /dev/null " + quoted(ninja) + "\nexec " +
                                           shellCommand(project_.toolCommand(kOptimize)));
  if (outcome.status < 0)
    GTEST_SKIP() << "this machine lets the test mount nothing, so it cannot hide Ninja";
  expectOneError(outcome, 1, {"inja"});
}

TEST_F(BadInput, MissingCompiler) {
  const fs::path compiler = project_.root() / "own-clang++";
  fs::create_symlink(fs::canonical(compilerPath()), compiler);
  configure({"-DCMAKE_CXX_COMPILER=" + compiler.string()});
  fs::remove(compiler);
  expectRefused({compiler.string()});
}

TEST_F(BadInput, ReadOnlySourceTree) {
  configure();
  const std::string source = quoted(project_.source().string());
  const auto before = snapshot(project_.source());
  const Outcome outcome = inMountNamespace("mount --bind " + source + " " + source + "\nmount -o remount,bind,ro " +
                                           source + "\nexec " + shellCommand(project_.toolCommand(kOptimize)));
  if (outcome.status < 0)
    GTEST_SKIP() << "this machine lets the test mount nothing, so it cannot make a folder read-only";
  expectOneError(outcome, 1, {"generated", "Read-only", "--patch"});
  EXPECT_EQ(snapshot(project_.source()), before);
}

TEST_F(BadInput, PatchFromAReadOnlySourceTree) {
  configure();
  project_.write("../faster.cpp", kBareWalksRows);
  const std::string source = quoted(project_.source().string());
  const fs::path patch = project_.root() / "out.patch";
  const Outcome outcome =
      inMountNamespace("mount --bind " + source + " " + source + "\nmount -o remount,bind,ro " + source + "\nexec " +
                       shellCommand(project_.toolCommand({"apply", "--kernel", "column_sums", "--patch", patch.string(),
                                                          (project_.root() / "faster.cpp").string()})));
  if (outcome.status < 0)
    GTEST_SKIP() << "this machine lets the test mount nothing, so it cannot make a folder read-only";
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const Outcome applied =
      runCommand({"git", "apply", "--unsafe-paths", "--directory=" + project_.source().string(), patch.string()}, 60,
                 {}, project_.root().string());
  EXPECT_EQ(applied.status, 0) << applied.all();
  EXPECT_TRUE(fs::exists(project_.source() / "generated" / "column_sums.lock.json"));
}

TEST_F(BadInput, FullDisk) {
  configure();
  const std::string build = quoted(project_.build().string()), keep = quoted((project_.root() / "keep").string());
  const auto before = snapshot(project_.source());
  const Outcome outcome =
      inMountNamespace("mkdir " + keep + "\ncp -a " + build + "/. " + keep + "\nmount -t tmpfs -o size=$(($(du -sk " +
                       keep + " | cut -f1) + 200))k none " + build + "\ncp -a " + keep + "/. " + build + "\nexec " +
                       shellCommand(project_.toolCommand(kOptimize)));
  if (outcome.status < 0)
    GTEST_SKIP() << "this machine lets the test mount nothing, so it cannot make a small disk";
  expectOneError(outcome, 1, {"disk", "full", "free some space"});
  EXPECT_EQ(snapshot(project_.source()), before);
}

} // namespace
} // namespace agentic::e2e
