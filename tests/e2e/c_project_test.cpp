// The whole job on a kernel in C: checked, candidates in C judged, tuned, written back as C, built by the C compiler
// without a warning and without this tool, verified; and the variants in a project without C++.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The C compiler beside that of the other tests: "clang++-19" → "clang-19".
std::string compilerOfC() {
  return replaceAll(replaceAll(compilerPath(), "clang++", "clang"), "g++", "gcc");
}

class CProject : public testing::Test {
protected:
  static void SetUpTestSuite() {
    project_ = new Project("tests/e2e/c_project");
    configured_ = project_->configure({"-DCMAKE_C_COMPILER=" + compilerOfC()});
    // It walks the rows first, which is many times as fast: the measurement decides it on any machine.
    if (configured_.status == 0)
      optimized_ = project_->tool({"optimize", "--kernel", "column_sums", "--max-iterations", "4"});
  }
  static void TearDownTestSuite() { delete project_; }

  Outcome evaluate(const std::string &text) {
    const std::string file = (project_->root() / "candidate.c").string();
    EXPECT_TRUE(writeFileAtomic(file, text));
    return project_->tool({"evaluate", "--kernel", "column_sums", file});
  }

  /// "column_sums.x86-64-v4.clang.c"; empty if there is none.
  static std::string variant() {
    for (const auto &entry : fs::directory_iterator(project_->source() / "generated"))
      if (entry.path().extension() == ".c")
        return entry.path().filename().string();
    return {};
  }

  static Project *project_;
  static Outcome configured_, optimized_;
};
Project *CProject::project_ = nullptr;
Outcome CProject::configured_, CProject::optimized_;

TEST_F(CProject, IsCheckedWhileConfiguring) {
  EXPECT_EQ(configured_.status, 0) << configured_.all();
  EXPECT_THAT(configured_.all(), Not(HasSubstr("Warning")));
  const Outcome checked = project_->tool({"check", "--kernel", "column_sums"});
  EXPECT_EQ(checked.status, 0) << checked.all();
}

TEST_F(CProject, OptimizeWritesAVariantInC) {
  ASSERT_EQ(optimized_.status, 0) << optimized_.all();
  // Calls are replayed: nothing of the kernel's type is beyond the glue.
  EXPECT_THAT(optimized_.all(), Not(HasSubstr("judged by its tests alone")));
  ASSERT_NE(variant(), "");
  EXPECT_THAT(project_->read("generated/" + variant()),
              Not(testing::ContainsRegex("static_cast|namespace|extern \"C")));
}

TEST_F(CProject, CandidatesInCAreJudged) {
  const std::string fast = project_->read("fast.c");
  const Outcome good = evaluate(fast);
  EXPECT_EQ(good.json["verdict"], "accepted") << good.all();
  const Outcome wrong = evaluate(replaceAll(fast, "r * columns + c + i", "r * columns + c"));
  EXPECT_EQ(wrong.status, 3) << wrong.all();
  const Outcome cxx = evaluate(replaceAll(fast, "<string.h>", "<cstring>"));
  EXPECT_EQ(cxx.status, 3);
  EXPECT_THAT(cxx.all(), HasSubstr("the kernel is C"));
  const Outcome clock = evaluate("#include <string.h>\nextern long time(long *);\n" + fast.substr(fast.find("void")));
  EXPECT_EQ(clock.status, 3) << clock.all();
}

TEST_F(CProject, ANormalBuildUsesItWithoutWarningsAndVerifyAgrees) {
  const fs::path build = project_->root() / "normal";
  const Outcome configured = project_->configureIn(
      build, {"-DCMAKE_C_COMPILER=" + compilerOfC(), "-DAGENTIC_KERNEL_TOOL=OFF", "-DAGENTIC_KERNEL_MODE=REQUIRE"});
  ASSERT_EQ(configured.status, 0) << configured.all();
  const Outcome built = runCommand({"cmake", "--build", build.string(), "--verbose"});
  ASSERT_EQ(built.status, 0) << built.all();
  EXPECT_THAT(built.all(), Not(HasSubstr("warning:")));
  EXPECT_THAT(built.all(), HasSubstr(compilerOfC() + " "));
  const Outcome tested = runCommand({"ctest", "--test-dir", build.string(), "-L", "agentic-kernel"});
  EXPECT_EQ(tested.status, 0) << tested.all();
  EXPECT_THAT(tested.all(), HasSubstr("100% tests passed, 0 tests failed out of 1"));

  // The tree of the search has the variant now, too.
  EXPECT_EQ(runCommand({"cmake", project_->build().string()}).status, 0);
  const Outcome verified = project_->tool({"verify", "--kernel", "column_sums"});
  EXPECT_EQ(verified.status, 0) << verified.all();
}

TEST_F(CProject, AProjectWithoutCxxUsesIt) {
  ASSERT_NE(variant(), "");
  for (const char *tool : {"-DAGENTIC_KERNEL_TOOL=OFF", "-DAGENTIC_KERNEL_CONFIGURE_CHECK=ON"}) {
    const fs::path build = project_->root() / (std::string("pure") + std::to_string(std::string(tool).size()));
    const Outcome configured =
        runCommand({"cmake", "-G", "Ninja", "-S", (project_->source() / "pure").string(), "-B", build.string(),
                    "-DCMAKE_C_COMPILER=" + compilerOfC(), "-DCMAKE_PREFIX_PATH=" + installPrefix(), tool});
    ASSERT_EQ(configured.status, 0) << configured.all();
    EXPECT_THAT(configured.all(), Not(HasSubstr("Warning")));
    const Outcome built = runCommand({"cmake", "--build", build.string()});
    ASSERT_EQ(built.status, 0) << built.all();
    const Outcome ran = runCommand({(build / "pure").string()}, kPatience, {{"AGENTIC_KERNEL_TRACE", "1"}});
    EXPECT_EQ(ran.out, "column_sums " + split(variant(), '.')[1] + "\n5 7 9\n");
  }
}

} // namespace
} // namespace agentic::e2e
