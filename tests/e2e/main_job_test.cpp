// The main job on the quickstart example: mark a function, optimize, get a checked-in variant that a normal build uses
// without this tool; and the state after an interruption in the middle.
#include "tests/e2e/background.h"
#include "tests/e2e/project.h"

#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <csignal>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

const std::vector<std::string> kOptimize = {"optimize", "--kernel", "column_sums"};

std::vector<std::string> optimize(std::vector<std::string> more) {
  more.insert(more.begin(), kOptimize.begin(), kOptimize.end());
  return more;
}

std::string generatedVariant(const Project &project) {
  for (const auto &entry : fs::directory_iterator(project.source() / "generated"))
    if (entry.path().extension() == ".cpp")
      return entry.path().filename().string();
  return {};
}

/// "column_sums.x86-64-v4.clang.cpp" → "x86-64-v4"
std::string levelOf(const std::string &variant) {
  const std::vector<std::string> parts = split(variant, '.');
  return parts.size() == 4 ? parts[1] : std::string();
}

/// Returns the implementation that a program of `buildDir` ran, by the dispatcher's own trace.
std::string traceOf(const fs::path &buildDir, const std::string &program, Environment environment) {
  const fs::path trace = buildDir / "trace.txt";
  fs::remove(trace);
  environment.emplace_back("AGENTIC_KERNEL_TRACE", trace.string());
  const Outcome outcome = runCommand({(buildDir / program).string()}, kPatience, environment);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  auto text = readFile(trace);
  return text ? *text : "(no trace)";
}

class MainJob : public testing::Test {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("examples/quickstart");
    project_->shortens = true;
    const Outcome configured = project_->configure();
    if (configured.status != 0)
      throw std::runtime_error("configuring the quickstart failed:\n" + configured.all());
    before_ = snapshot(project_->source());
    // A user types it like this, with a relative build folder.
    optimized_ = runCommand({toolPath(), "optimize", "--kernel", "column_sums", "--max-iterations", "4",
                             "--max-seconds", "0", "--build-dir", "build", "--json"},
                            kPatience, {}, project_->root().string());
  }
  static void TearDownTestSuite() { delete project_; }

  static Project *project_;
  static std::map<std::string, std::string> before_;
  static Outcome optimized_;
};
Project *MainJob::project_ = nullptr;
std::map<std::string, std::string> MainJob::before_;
Outcome MainJob::optimized_;

// The built-in search tries walking the rows first, which is at least 20 times as fast: the measurement decides it on
// any machine.
TEST_F(MainJob, OptimizeWritesAFasterVariant) {
  SCOPED_TRACE(optimized_.all());
  ASSERT_EQ(optimized_.status, 0);
  const nlohmann::json &result = optimized_.json;
  ASSERT_TRUE(result.is_object());
  EXPECT_EQ(result["kernel"], "column_sums");
  EXPECT_GT(result["baseline_ns"].get<double>(), 0);
  EXPECT_TRUE(result["best"]["origin"].get<std::string>().starts_with("builtin: ")) << result["best"];
  for (const char *key : {"low", "ratio", "high"})
    EXPECT_TRUE(result["best"][key].is_number()) << key;
  EXPECT_EQ(result["iterations"], 4);
  EXPECT_EQ(result["reason"], "the iteration budget is spent");
  EXPECT_TRUE(fs::exists(result["run_dir"].get<std::string>() + "/journal.jsonl"));
}

TEST_F(MainJob, OnlyTheGeneratedFilesAreNew) {
  ASSERT_EQ(optimized_.status, 0);
  auto after = snapshot(project_->source());
  std::vector<std::string> added;
  for (const auto &[file, hash] : after) {
    const auto old = before_.find(file);
    if (old == before_.end()) {
      added.push_back(file);
      continue;
    }
    EXPECT_EQ(old->second, hash) << file << " was changed";
  }
  const std::string variant = generatedVariant(*project_);
  EXPECT_EQ(added, (std::vector<std::string>{"generated/", "generated/column_sums.dispatch.inc",
                                             "generated/column_sums.lock.json", "generated/" + variant}));
  const std::string text = project_->read("generated/" + variant);
  for (const char *word : {"do not edit", "clang-format off", "agentic-kernel", "builtin"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
  for (const std::string &file : added) {
    if (!file.ends_with('/')) {
      EXPECT_EQ(project_->read(file).find(project_->root().string()), std::string::npos)
          << file << " holds an absolute path";
    }
  }
}

// A colleague's machine has the checked-in files, CMake's module, no tool, and needs no Clang.
TEST_F(MainJob, NormalBuildNeedsNoTool) {
  ASSERT_EQ(optimized_.status, 0);
  const fs::path build = project_->root() / "plain";
  const Outcome configured = project_->configureIn(build, {"-DAGENTIC_KERNEL_TOOL="});
  ASSERT_EQ(configured.status, 0) << configured.all();
  EXPECT_EQ(configured.all().find("Warning"), std::string::npos) << configured.all();
  const Outcome built = runCommand({"cmake", "--build", build.string()});
  ASSERT_EQ(built.status, 0) << built.all();

  const std::string level = levelOf(generatedVariant(*project_));
  EXPECT_EQ(traceOf(build, "column_sums_test", {}), "column_sums " + level + "\n");
  EXPECT_EQ(traceOf(build, "column_sums_test", {{"AGENTIC_KERNEL_column_sums", level}}), "column_sums " + level + "\n");
  EXPECT_EQ(traceOf(build, "column_sums_test", {{"AGENTIC_KERNEL_column_sums", "baseline"}}), "column_sums baseline\n");

  const Outcome unknown =
      runCommand({(build / "column_sums_test").string()}, kPatience, {{"AGENTIC_KERNEL_column_sums", "armv8-a"}});
  EXPECT_EQ(unknown.status, 78);
  EXPECT_NE(unknown.err.find("armv8-a"), std::string::npos);
  EXPECT_FALSE(fs::exists(build / "_agentic" / "shadow")) << "a normal build made a shadow tree";

  const Outcome again = runCommand({"cmake", "--build", build.string()});
  EXPECT_NE(again.out.find("no work to do"), std::string::npos) << again.out;
}

// A project's CI runs this; the tests find a variant that is wrong although its lock vouches for it.
TEST_F(MainJob, VerifyHoldsUntilAVariantIsTamperedWith) {
  ASSERT_EQ(optimized_.status, 0);
  runCommand({"cmake", project_->build().string()});
  const std::string junit = (project_->root() / "verify.xml").string();
  const Outcome verified = project_->tool({"verify", "--junit", junit});
  ASSERT_TRUE(verified.json.is_object()) << verified.all();
  const nlohmann::json &row = verified.json["kernels"][0];
  EXPECT_TRUE(row["measured"].is_object()) << row;
  EXPECT_EQ(verified.status, 0) << verified.all();
  EXPECT_GT(row["code_bytes"].get<int>(), 0);
  EXPECT_NE(readFile(junit).value_or("").find("<testcase classname=\"column_sums\""), std::string::npos);
  const Outcome limited = project_->tool({"verify", "--no-benchmark", "--max-code-bytes", "1"});
  EXPECT_EQ(limited.status, 3) << limited.all();
  EXPECT_EQ(limited.json["kernels"][0]["what"], "limit") << limited.json;

  const std::string variant = "generated/" + generatedVariant(*project_), lock = "generated/column_sums.lock.json";
  const std::string text = project_->read(variant), lockText = project_->read(lock);
  const auto verifyWith = [&](const std::string &tampered, bool isVouchedFor) {
    project_->write(variant, tampered);
    if (isVouchedFor)
      project_->write(lock, replaceAll(lockText, sha256(text), sha256(tampered)));
    const Outcome outcome = project_->tool({"verify", "--no-benchmark"});
    EXPECT_EQ(outcome.status, 3) << outcome.all();
    project_->write(variant, text);
    project_->write(lock, lockText);
    return outcome.json["kernels"][0]["what"].get<std::string>();
  };
  std::string wrong = text;
  const std::size_t sum = wrong.rfind("+=", wrong.rfind("matrix["));
  ASSERT_NE(sum, std::string::npos) << text;
  wrong[sum] = '-';
  EXPECT_EQ(verifyWith(wrong, false), "fresh");
  EXPECT_EQ(verifyWith(wrong, true), "tests");
  EXPECT_EQ(verifyWith(text + "int behindTheCandidate();\n", true), "check");
}

// There is one test per variant, without this tool; if nothing is forced, the test would not show what ran.
TEST_F(MainJob, CtestHasATestPerVariant) {
  ASSERT_EQ(optimized_.status, 0);
  const fs::path build = project_->root() / "forced";
  ASSERT_EQ(project_->configureIn(build, {"-DAGENTIC_KERNEL_TOOL="}).status, 0);
  ASSERT_EQ(runCommand({"cmake", "--build", build.string()}).status, 0);
  const std::vector<std::string> ctest = {"ctest", "--test-dir", build.string(), "-L", "agentic-kernel", "-V"};
  const Outcome passed = runCommand(ctest);
  EXPECT_EQ(passed.status, 0) << passed.all();
  EXPECT_NE(passed.out.find("agentic-kernel.column_sums." + levelOf(generatedVariant(*project_))), std::string::npos)
      << passed.out;
  const Outcome other = runCommand(
      {"cmake", "-DARGUMENTS=" + (build / "_agentic/forced/column_sums-Release.cmake").string(), "-DCHOICE=armv8-a",
       "-P", (fs::path(sourceRoot()) / "cmake-module" / "AgenticKernelForced.cmake").string()});
  EXPECT_NE(other.status, 0) << other.all();
}

TEST_F(MainJob, EditedKernelFallsBackToTheBaseline) {
  ASSERT_EQ(optimized_.status, 0);
  const std::string before = project_->read("column_sums.cpp");
  project_->replace("column_sums.cpp", "sums[c] = sum;", "sums[c] = sum + 0.0f;");
  const fs::path build = project_->root() / "stale";
  const Outcome configured = project_->configureIn(build, {"-DAGENTIC_KERNEL_TOOL="});
  EXPECT_EQ(configured.status, 0) << configured.all();
  EXPECT_NE(configured.err.find("column_sums"), std::string::npos) << "no warning\n" << configured.all();
  const Outcome built = runCommand({"cmake", "--build", build.string()});
  EXPECT_EQ(built.status, 0) << built.all();
  const Outcome test = runCommand({(build / "column_sums_test").string()});
  EXPECT_EQ(test.status, 0) << test.all();
  project_->write("column_sums.cpp", before);
}

TEST_F(MainJob, StatusNamesTheVariant) {
  ASSERT_EQ(optimized_.status, 0);
  runCommand({"cmake", project_->build().string()});
  const Outcome status = project_->tool({"status"});
  EXPECT_EQ(status.status, 0) << status.all();
  const nlohmann::json &kernel = status.json["kernels"][0];
  EXPECT_EQ(kernel["kernel"], "column_sums");
  ASSERT_EQ(kernel["variants"].size(), 1u) << kernel;
  EXPECT_EQ(kernel["variants"][0]["level"], levelOf(generatedVariant(*project_)));
  EXPECT_EQ(kernel["variants"][0]["state"], "fresh");

  const std::string before = project_->read("column_sums.cpp");
  project_->replace("column_sums.cpp", "sums[c] = sum;", "sums[c] = sum + 0.0f;");
  const nlohmann::json stale = project_->tool({"status"}).json["kernels"][0];
  EXPECT_EQ(stale["variants"][0]["state"], "stale") << stale;
  EXPECT_NE(stale["stale_reason"], "");
  project_->write("column_sums.cpp", before);
}

// The incumbent is the checked-in variant: only a faster measurement replaces it.
TEST_F(MainJob, SecondRunStartsFromTheVariant) {
  ASSERT_EQ(optimized_.status, 0);
  runCommand({"cmake", project_->build().string()});
  const auto before = snapshot(project_->source());
  const Outcome again = project_->tool(optimize({"--max-iterations", "1", "--no-write"}));
  EXPECT_TRUE(again.status == 0 || again.status == 4) << again.all();
  EXPECT_EQ(snapshot(project_->source()), before) << "--no-write wrote";
}

class Interruption : public testing::Test {
protected:
  void SetUp() override {
    const Outcome configured = project_.configure();
    ASSERT_EQ(configured.status, 0) << configured.all();
    before_ = snapshot(project_.source());
  }

  /// True once the running job has judged a candidate.
  bool hasJudged() const {
    const fs::path runs = project_.build() / "_agentic" / "runs";
    if (!fs::exists(runs))
      return false;
    for (const auto &entry : fs::directory_iterator(runs)) {
      auto journal = readFile(entry.path() / "journal.jsonl");
      if (journal && journal->find("\"evaluated\"") != std::string::npos)
        return true;
    }
    return false;
  }

  Outcome interruptedBy(const std::vector<int> &signals) {
    Background job(project_.toolCommand(optimize({})), project_.root() / "pid");
    EXPECT_TRUE(job.waitUntil([this] { return hasJudged(); })) << "it ended before a candidate was judged";
    for (const int number : signals)
      job.signal(number);
    return job.finish();
  }

  /// Compilers, tests, benchmarks and the tool itself. Not bubblewrap's launcher: one that loses its parent between its
  /// clone and its first handshake waits for ever, idle (bubblewrap 0.8); it has not started anything then.
  std::vector<std::string> programsLeft() const {
    std::vector<std::string> left;
    for (const std::string &process : processesThatMention((project_.build() / "_agentic").string()))
      if (process.find(": bwrap ") == std::string::npos)
        left.push_back(process);
    return left;
  }

  /// A killed process needs a little time until it is gone.
  void expectNothingRuns() const {
    eventually([this] { return programsLeft().empty(); });
    EXPECT_EQ(programsLeft(), std::vector<std::string>{});
  }

  void expectResumes() {
    const Outcome resumed = project_.tool(optimize({"--resume", "--max-iterations", "3"}));
    EXPECT_EQ(resumed.status, 0) << resumed.all();
    ASSERT_TRUE(resumed.json.is_object());
    EXPECT_GE(resumed.json["iterations"].get<int>(), 1) << resumed.json;
    const fs::path runs = project_.build() / "_agentic" / "runs";
    EXPECT_EQ(std::distance(fs::directory_iterator(runs), fs::directory_iterator()), 1) << "--resume began a new run";
    EXPECT_FALSE(generatedVariant(project_).empty());
  }

  Project project_{"examples/quickstart"};
  std::map<std::string, std::string> before_;
};

TEST_F(Interruption, CtrlCLeavesTheSourceTreeAlone) {
  const Outcome outcome = interruptedBy({SIGINT});
  EXPECT_EQ(outcome.status, 130) << outcome.all();
  EXPECT_TRUE(outcome.json.is_object()) << "no JSON on the last line\n" << outcome.out;
  EXPECT_EQ(snapshot(project_.source()), before_);
  expectNothingRuns();
}

// Both exist before the run can react to the first: an orderly end would print the result.
TEST_F(Interruption, ASecondInterruptEndsAtOnce) {
  const Outcome outcome = interruptedBy({SIGSTOP, SIGINT, SIGTERM, SIGCONT});
  EXPECT_EQ(outcome.status, 130) << outcome.all();
  EXPECT_TRUE(outcome.json.is_null()) << outcome.out;
  EXPECT_EQ(snapshot(project_.source()), before_);
  expectNothingRuns();
}

TEST_F(Interruption, KilledRunResumes) {
  const Outcome outcome = interruptedBy({SIGKILL});
  EXPECT_EQ(outcome.status, 128 + SIGKILL);
  EXPECT_EQ(snapshot(project_.source()), before_);
  expectNothingRuns();
  expectResumes();
}

} // namespace
} // namespace agentic::e2e
