// Builds, tests and runs each of examples/recipes like its reader, and checks that the tool accepts its kernel.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace agentic::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Recipe {
  const char *folder, *kernel, *benchmark;
  std::size_t tests;
  const char *compiler; ///< nullptr: that of the other end-to-end tests
};
std::ostream &operator<<(std::ostream &stream, const Recipe &recipe) {
  return stream << recipe.folder;
}

class RecipesTest : public testing::TestWithParam<Recipe> {};

TEST_P(RecipesTest, BuildsPassesItsTestsAndHasAKernelThatCanBeTuned) {
  const Recipe &recipe = GetParam();
  const Project project(std::string("examples/recipes/") + recipe.folder);
  std::vector<std::string> options = {
      "-DCMAKE_CXX_FLAGS_RELEASE=-O0"}; // nothing is measured: Catch2 alone would take long
  if (recipe.compiler)
    options.push_back(std::string("-DCMAKE_CXX_COMPILER=") + recipe.compiler);
  const Outcome configured = project.configure(options); // which checks the kernel: a finding would be an error
  ASSERT_EQ(configured.status, 0) << configured.all();
  EXPECT_THAT(configured.out, HasSubstr(std::string("agentic kernel '") + recipe.kernel + "': baseline"));
  if (recipe.compiler) {
    EXPECT_THAT(configured.out, HasSubstr("Found OpenMP")); // the threads are there
  }
  const Outcome built = runCommand({"cmake", "--build", project.build().string()});
  ASSERT_EQ(built.status, 0) << built.all();
  const Outcome tests = runCommand({"ctest", "--test-dir", project.build().string(), "--output-on-failure"});
  EXPECT_EQ(tests.status, 0) << tests.all();
  EXPECT_THAT(tests.out, HasSubstr("100% tests passed, 0 tests failed out of " + std::to_string(recipe.tests)));
  const Outcome benchmark = runCommand({(project.build() / recipe.benchmark).string(), "--benchmark_min_time=0.01"});
  EXPECT_EQ(benchmark.status, 0) << benchmark.all();
  EXPECT_THAT(benchmark.out, HasSubstr("BM_"));

  const Outcome checked = project.tool({"check", "--kernel", recipe.kernel});
  EXPECT_EQ(checked.status, 0) << checked.all();
  EXPECT_EQ(checked.json["files"].size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(All, RecipesTest,
                         testing::Values(Recipe{"template", "row_maxima_float", "row_maxima_bench", 1, nullptr},
                                         Recipe{"other-tests", "checksum", "checksum_bench", 3, nullptr},
                                         Recipe{"openmp", "blur_rows", "blur_bench", 1, "g++"},
                                         Recipe{"throwing", "normalise", "normalise_bench", 1, nullptr}),
                         [](const auto &info) {
                           std::string name = info.param.folder;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Each recipe exists because the direct way cannot be tuned: the tool itself gives the reason that the user reads.
TEST(RecipesTest, TheDirectWayCannotBeTunedForAReason) {
  const Project project("examples/recipes/throwing");
  const std::string contract = "AGENTIC_KERNEL\nAGENTIC_IN(values, count)\nAGENTIC_OUT(result, count)\n"
                               "AGENTIC_REQUIRES(count > 0)\nAGENTIC_REQUIRES(step > 0)\n";
  project.replace("normalise.cpp", contract, "");
  project.replace("normalise.cpp", "\nstd::vector<std::uint32_t> normalise(",
                  "\nAGENTIC_KERNEL\nstd::vector<std::uint32_t> normalise(");
  const Outcome refused = project.configure();
  EXPECT_EQ(refused.status, 0) << refused.all();
  EXPECT_THAT(refused.all(), AllOf(HasSubstr("'throw' is not allowed; compute every case without exceptions"),
                                   HasSubstr("allocates memory")));
}

} // namespace
} // namespace agentic::e2e
