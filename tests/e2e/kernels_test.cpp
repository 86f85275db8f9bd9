// The kernel suite in a normal build of a user without the tool: the checked-in variants are fresh, run, and are right.
#include "tests/e2e/project.h"

#include "tool/base/text.h"

#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

struct CheckedIn {
  std::string kernel, level, family;
};

std::vector<CheckedIn> checkedIn(const fs::path &source) {
  std::vector<CheckedIn> found;
  for (const auto &entry : fs::recursive_directory_iterator(source)) {
    if (!entry.path().filename().string().ends_with(".lock.json"))
      continue;
    auto text = readFile(entry.path());
    const nlohmann::json lock = nlohmann::json::parse(text ? *text : "");
    for (const auto &variant : lock["variants"])
      found.push_back({lock["kernel"], variant["level"], variant["family"]});
  }
  return found;
}

std::string compilerOf(const std::string &family) {
  return family == "clang" ? compilerPath() : findProgram("g++").value_or("");
}

class Kernels : public testing::TestWithParam<std::string> {
protected:
  Outcome runTest(const std::string &kernel, const std::string &forced) const {
    return runCommand({(project_.build() / kernel / (kernel + "_test")).string()}, 60,
                      {{"AGENTIC_KERNEL_" + kernel, forced}, {"AGENTIC_KERNEL_TRACE", trace().string()}});
  }
  fs::path trace() const { return project_.build() / "trace.txt"; }

  std::string takeTrace() const {
    auto text = readFile(trace());
    fs::remove(trace());
    return text ? *text : "(no trace)";
  }

  Project project_{"kernels", Project::Generated::Copy};
};

TEST_P(Kernels, CheckedInVariantsRunAndAreRight) {
  const std::string family = GetParam();
  if (compilerOf(family).empty())
    GTEST_SKIP() << "no compiler of the family '" << family << "' is installed";
  const Outcome configured = project_.configure(
      {"-DCMAKE_CXX_COMPILER=" + compilerOf(family), "-DAGENTIC_KERNEL_TOOL=", "-DAGENTIC_KERNEL_MODE=REQUIRE",
       "-DKERNELS_SET=quick"});
  ASSERT_EQ(configured.status, 0) << configured.all();
  // Clang builds the benchmarks wherever all tests run; with g++ nobody else does.
  const std::string target = family == "clang" ? "kernel_tests" : "all";
  const Outcome built = runCommand({"cmake", "--build", project_.build().string(), "--target", target});
  ASSERT_EQ(built.status, 0) << built.all();

  bool any = false;
  for (const CheckedIn &variant : checkedIn(project_.source())) {
    if (variant.family != family)
      continue;
    any = true;
    SCOPED_TRACE(variant.kernel + " " + variant.level);
    const Outcome forced = runTest(variant.kernel, variant.level);
    if (forced.status == 78) // this CPU lacks the level
      continue;
    EXPECT_EQ(forced.status, 0) << forced.all();
    EXPECT_EQ(takeTrace(), variant.kernel + " " + variant.level + "\n");
    EXPECT_EQ(runTest(variant.kernel, "baseline").status, 0);
    EXPECT_EQ(takeTrace(), variant.kernel + " baseline\n");
    EXPECT_EQ(runTest(variant.kernel, "").status, 0);
    EXPECT_EQ(takeTrace(), variant.kernel + " " + variant.level + "\n") << "a normal run does not take the variant";
  }
  EXPECT_TRUE(any) << "no variant of the family '" << family << "' is checked in";
  const Outcome tests = runCommand({"ctest", "--test-dir", project_.build().string(), "--output-on-failure"});
  EXPECT_EQ(tests.status, 0) << tests.all();
}

INSTANTIATE_TEST_SUITE_P(Families, Kernels, testing::Values("clang", "gcc"),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace agentic::e2e
