#include "tests/cmake-module/project_fixture.h"

#include <filesystem>

namespace agentic::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class StaleTest : public Project {
protected:
  void SetUp() override {
    Project::SetUp();
    generateDot();
    configure();
    ASSERT_EQ(status_, 0);
  }
  /// After an edit: one warning with the reason and the next command; the manifest says so; nothing is dispatched.
  /// Where fresh variants are required, one error that says the same.
  void expectStale(const std::string &reason) {
    SCOPED_TRACE(reason);
    const std::string output = configure({"-DAGENTIC_KERNEL_MODE=AUTO"});
    EXPECT_EQ(status_, 0) << output;
    expectOneMessage(output, "CMake Warning", reason);
    EXPECT_THAT(read("build/_agentic/manifests/dot-Release.json"), HasSubstr("\"state\": \"stale: " + reason));
    EXPECT_THAT(read("build/compile_commands.json"), Not(HasSubstr("_agentic/units")));
    const std::string refused = configure({"-DAGENTIC_KERNEL_MODE=REQUIRE"});
    EXPECT_NE(status_, 0) << refused;
    expectOneMessage(refused, "CMake Error", reason);
  }
  static void expectOneMessage(const std::string &output, const std::string &kind, const std::string &reason) {
    const std::string message = "agentic kernel 'dot': its variants are stale (" + reason;
    const bool isOfFiles = reason.starts_with("generated file") || reason.starts_with("dot.lock.json");
    const std::string next = std::string("--target optimize-dot' to tune it again, or ") +
                             (isOfFiles ? "restore the files in" : "'agentic-kernel relock");
    for (const std::string &once : {kind, message, next}) {
      EXPECT_THAT(output, HasSubstr(once));
      EXPECT_EQ(output.find(once), output.rfind(once)) << once << "\n" << output;
    }
    EXPECT_THAT(output, Not(HasSubstr(kind == "CMake Error" ? "CMake Warning" : "CMake Error")));
  }
};

TEST_F(StaleTest, EditsAndTheWayBack) {
  const std::string source = read("src/dot.cpp"), header = read("src/dot.h");
  edit("src/dot.cpp", "s += a[i] * b[i];", "s += b[i] * a[i];");
  expectStale("the kernel in src/dot.cpp was changed");
  write("src/dot.cpp", source);
  edit("src/dot.cpp", "scale = 3", "scale = 4");
  expectStale("'demo::scale' in src/dot.cpp, which the kernel uses, was changed");
  write("src/dot.cpp", replaceAll(source, "AGENTIC_KERNEL int", "static\nAGENTIC_KERNEL int"));
  expectStale("the kernel in src/dot.cpp was changed (something new");
  write("src/dot.cpp", source + "#if 0\n" + kDotKernel + "\n#endif\n");
  expectStale("the kernel's text stands twice in src/dot.cpp");
  // A word's meaning may change although every text that the kernel uses is unchanged.
  for (const std::string directive : {"#define scale 5", "#include <cmath>", "#if 1\n#endif", " # undef scale"}) {
    write("src/dot.cpp", directive + "\n" + source);
    expectStale("preprocessor directives before the kernel in src/dot.cpp were changed");
  }
  write("src/dot.cpp", source);
  edit("src/dot.h", "#pragma once", "#pragma once // new");
  expectStale("header src/dot.h was changed");
  std::filesystem::remove(path("src/dot.h"));
  expectStale("header src/dot.h is missing");
  write("src/dot.h", header);
  // An edit elsewhere in SOURCE is no reason; everything is as before, so the variant is used again.
  write("src/dot.cpp", "// a comment\n" + source);
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_MODE=AUTO"}), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  build();
  EXPECT_EQ(traced(), "1014 line 16\ndot x86-64-v2\n");
}

TEST_F(StaleTest, ABuildNoticesAnEditByItself) {
  build();
  edit("src/dot.cpp", "s += a[i] * b[i];", "s += 2 * a[i] * b[i];");
  EXPECT_THAT(build(), HasSubstr("its variants are stale"));
  EXPECT_EQ(traced(), "28 line 15\n");
}

TEST_F(StaleTest, GeneratedFilesAndLock) {
  const std::string variant = "generated/dot/dot.x86-64-v2.clang.cpp", lock = "generated/dot/dot.lock.json";
  const std::string variantText = read(variant), lockText = read(lock);
  edit(variant, "int s = 1000;", "int s = 2000;");
  expectStale("generated file generated/dot/dot.x86-64-v2.clang.cpp was changed");
  std::filesystem::remove(path(variant));
  expectStale("generated file generated/dot/dot.x86-64-v2.clang.cpp is missing");
  write(variant, variantText);
  edit("generated/dot/dot.dispatch.inc", "return ak_chosen;", "return 0;");
  expectStale("generated file generated/dot/dot.dispatch.inc was changed");
  generateDot();
  for (const std::string &text :
       {std::string("<<<<<<< HEAD\n") + lockText, std::string(), std::string("{}"), std::string("[]"),
        replaceAll(lockText, "\"file\": \"dot.dispatch.inc\"", "\"file\": \"../dot.dispatch.inc\"")}) {
    write(lock, text);
    expectStale("dot.lock.json cannot be read");
  }
  for (const char *other : {"0", "2"}) { // written by an older and a newer tool
    write(lock, replaceAll(lockText, "\"schema\": 1", std::string("\"schema\": ") + other));
    expectStale(std::string("dot.lock.json has schema ") + other);
  }
  write(lock, replaceAll(lockText, "\"kernel\": \"dot\"", "\"kernel\": \"tod\""));
  expectStale("dot.lock.json belongs to kernel 'tod'");
}

// Only the compiler can see it: one warning, and the function as written; an error where fresh variants are required.
TEST_F(StaleTest, AMacroOfTheCommandLineIsNoticedByTheCompiler) {
  KernelSpec spec = dotSpec();
  spec.guards = {{"macro SCALED", R"(ak_equal(AGENTIC_KERNEL_TEXT(SCALED), "SCALED"))", "undefined"}};
  generate(spec, {plusThousand(spec, "clang")}, "generated/dot");
  configure();
  EXPECT_THAT(build(), Not(HasSubstr("warning")));
  EXPECT_EQ(traced(), kVariantRun);
  configure({"-DCMAKE_CXX_FLAGS=-Werror -DSCALED=2"});
  const std::string output = build();
  EXPECT_THAT(output,
              HasSubstr("agentic kernel 'dot': its variants are stale (macro SCALED was undefined when they were "
                        "made), so the function as written is used"));
  EXPECT_EQ(output.find("warning:"), output.rfind("warning:")) << output;
  EXPECT_EQ(traced(), "14 line 15\ndot baseline\n");
  configure({"-DAGENTIC_KERNEL_MODE=REQUIRE"});
  EXPECT_THAT(flat(run({"ninja", "-C", "build"})), HasSubstr("macro SCALED was undefined"));
  EXPECT_NE(status_, 0);
}

TEST_F(StaleTest, AFormatterLeavesGeneratedFilesAlone) {
  std::string formatter;
  for (const char *name : {"clang-format", "clang-format-19", "clang-format-14"})
    if (findProgram(name))
      formatter = name;
  if (formatter.empty())
    GTEST_SKIP() << "clang-format is not installed";
  run({"sh", "-c", formatter + " -i --style=GNU generated/dot/*.cpp generated/dot/*.inc"});
  ASSERT_EQ(status_, 0);
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': x86-64-v2"));
}

TEST_F(StaleTest, RequireAndOnStaleFailAndBaselineDoesNotLook) {
  edit("src/dot.cpp", "s += a[i] * b[i];", "s += b[i] * a[i];");
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_MODE=REQUIRE"}), HasSubstr("CMake Error"));
  EXPECT_NE(status_, 0);
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_MODE=BASELINE"}), Not(HasSubstr("stale")));
  EXPECT_EQ(status_, 0);
  configure({"-DAGENTIC_KERNEL_MODE=BASELINE", "-DAGENTIC_KERNEL_MODE_dot=REQUIRE"});
  EXPECT_NE(status_, 0);
  edit("CMakeLists.txt", "SOURCE src/dot.cpp)", "SOURCE src/dot.cpp ON_STALE ERROR)");
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_MODE=AUTO", "-UAGENTIC_KERNEL_MODE_dot"}), HasSubstr("CMake Error"));
  std::filesystem::remove_all(path("generated")); // an absent variant is no failure
  configure({"-DAGENTIC_KERNEL_MODE=REQUIRE"});
  EXPECT_EQ(status_, 0);
}

} // namespace
} // namespace agentic::test
