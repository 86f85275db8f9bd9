// Tests of add_test() in a shadow tree: neither ctest nor the manifest says which programs they run before these are
// built.
#include "tests/build/scratch.h"
#include "tests/known_compilers.h"
#include "tool/build/assertions.h"
#include "tool/build/manifests.h"
#include "tool/build/shadow.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class NamedTestsShadow : public ScratchTest {
protected:
  void SetUp() override {
    ScratchTest::SetUp();
    write("src/core.cpp", "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n"
                          "AGENTIC_KERNEL const char *core() { return \"kernel\"; }\n");
    write("src/test.cpp", "#include <cassert>\nconst char *core();\nint main() { assert(core()); }\n");
    write("src/broken.cpp", "#error this target is not needed\n");
    write("outside/run.sh", "exec \"$1\"\n");
    write("src/run.sh", "exec \"$1\"\n");
    write("src/sub/CMakeLists.txt", "add_executable(sub_test ../test.cpp)\ntarget_link_libraries(sub_test core)\n"
                                    "target_compile_options(sub_test PRIVATE -UNDEBUG)\n"
                                    "add_test(NAME \"in sub\" COMMAND sub_test \"a;b\" [[c\\d]])\n"
                                    "set_tests_properties(\"in sub\" PROPERTIES ENVIRONMENT \"A=1;B=2\" "
                                    "WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})\n");
    write("src/empty/CMakeLists.txt", "");
  }

  Result<ShadowTree> prepare(const std::string &enable = "enable_testing()\n") const {
    write("src/CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.22)\nproject(demo CXX)\ninclude(" AGENTIC_TEST_MODULE ")\n" + enable +
              "add_library(core STATIC core.cpp)\nadd_executable(core_test test.cpp)\n"
              "target_link_libraries(core_test core)\nadd_executable(unrelated broken.cpp)\n"
              "add_subdirectory(empty)\nadd_subdirectory(sub)\n"
              "add_test(NAME script COMMAND sh " +
              path("outside/run.sh") +
              " $<TARGET_FILE:core_test>)\n"
              "add_agentic_kernel(core TARGET core SOURCE core.cpp TESTS \"in sub\" script TEST_ARGS --extra\n"
              "  BENCHMARKS script BENCHMARK_METRIC /ns ns END_TO_END sh run.sh $<TARGET_FILE:sub_test> METRIC /x "
              "MB/s)\n");
    ProcessSpec spec;
    spec.argv = {"cmake",
                 "-S",
                 path("src"),
                 "-B",
                 path("build"),
                 "-G",
                 "Ninja",
                 "-DCMAKE_BUILD_TYPE=Release",
                 "-DAGENTIC_KERNEL_TOOL=OFF"};
    test::knownCompilers().seed(spec.argv, path("build"));
    const auto result = runProcess(spec);
    EXPECT_TRUE(result && result->ok()) << result->out << result->err;
    test::knownCompilers().learn(spec.argv, path("build"));
    const auto manifest = loadManifest(path("build"), "core");
    EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
    return prepareShadow({manifest.value_or(Manifest()), ShadowKind::Original, {}});
  }
};

TEST_F(NamedTestsShadow, TheirProgramsAreBuiltAndRunAsTheTestsDo) {
  const auto tree = prepare();
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  ASSERT_EQ(tree->tests.size(), 2u);
  const TestProgram &program = tree->tests[0], &script = tree->tests[1];
  EXPECT_EQ(program.file, tree->directory + "/sub/sub_test");
  EXPECT_THAT(program.arguments, ElementsAre("a;b", "c\\d", "--extra"));
  EXPECT_THAT(program.environment, ElementsAre("A=1", "B=2"));
  EXPECT_EQ(program.workingDirectory, path("src"));
  EXPECT_EQ(script.file, tree->directory + "/core_test");
  EXPECT_THAT(script.command, ElementsAre(testing::EndsWith("/sh"), path("outside/run.sh"), script.file));
  EXPECT_THAT(script.arguments, ElementsAre("--extra"));
  EXPECT_EQ(script.workingDirectory, tree->directory);
  EXPECT_THAT(script.scripts(), testing::Contains(path("outside/run.sh")));
  EXPECT_THAT(tree->visible, testing::Contains(path("outside/run.sh")));
  EXPECT_THAT(tree->visible, testing::Not(testing::Contains(path("outside"))));
  ASSERT_EQ(tree->benchmarks.size(), 1u);
  EXPECT_EQ(tree->benchmarks[0].command, script.command);
  EXPECT_EQ(tree->benchmarks[0].metric.pattern, "/ns");
  ASSERT_EQ(tree->applications.size(), 1u);
  const TestProgram &application = tree->applications[0];
  EXPECT_EQ(application.file, program.file);
  EXPECT_THAT(application.command, ElementsAre(testing::EndsWith("/sh"), "run.sh", program.file));
  EXPECT_EQ(application.workingDirectory, path("src"));
  EXPECT_THAT(application.scripts(), testing::Contains(path("src/run.sh")));
  EXPECT_EQ(application.metric.unit, "MB/s");
  EXPECT_TRUE(definesNdebug(tree->command));
  EXPECT_TRUE(holdsAssertions(program.file));
  EXPECT_FALSE(holdsAssertions(script.file));
  EXPECT_TRUE(holdsAssertions(path("outside/run.sh"))) << "nothing is known of it";
}

TEST_F(NamedTestsShadow, WithoutEnableTestingThereAreNone) {
  const auto tree = prepare("");
  ASSERT_FALSE(tree.has_value());
  EXPECT_THAT(tree.error().message, HasSubstr("names the test 'in sub', which ctest does not have"));
  EXPECT_THAT(tree.error().next, HasSubstr("enable_testing()"));
}

} // namespace
} // namespace agentic
