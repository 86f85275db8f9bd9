// Tests the CMake side of the baseline's check and the targets around the tool. A script replaces the tool: its output
// is the subject here; the tests of the tool cover how the real one finds it.
#include "tests/cmake-module/project_fixture.h"

#include <filesystem>

namespace agentic::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Writes down its arguments and the commands it got; `status` and `says` decide its answer.
constexpr const char *kTool = R"sh(#!/bin/sh
here=$(dirname "$0")
echo "$*" >> "$here/calls"
[ "$1" = check-baseline ] || exit $(cat "$here/status.$5" 2>/dev/null || cat "$here/status" 2>/dev/null || echo 0)
while [ $# -gt 0 ]; do
  case $1 in --source) source=$2 ;; --stamp) stamp=$2 ;; --compile-commands) cat "$2" > "$here/commands" ;; esac
  shift
done
cat "$here/says" >&2 2>/dev/null
status=$(cat "$here/status" 2>/dev/null || echo 0)
[ "$status" = 0 ] || [ "$status" = 3 ] || exit "$status"
printf '{"schema":1,"message":"","files":[{"path":"%s","sha256":"%s"}]}' "$source" \
  "$(sha256sum < "$source" | cut -c1-64)" > "$stamp"
exit "$status"
)sh";

class CheckTest : public Project {
protected:
  void SetUp() override {
    Project::SetUp();
    write("tool/agentic-kernel", kTool);
    std::filesystem::permissions(path("tool/agentic-kernel"), std::filesystem::perms::owner_all);
    write("tool/says", "");
    lists(std::string(kDotLists) + "target_compile_definitions(mylib PRIVATE LATER=1)\n");
  }
  std::string configureWithTool(std::vector<std::string> options = {}) {
    options.push_back("-DAGENTIC_KERNEL_TOOL=" + path("tool/agentic-kernel"));
    return configure(options);
  }
  std::vector<std::string> calls() {
    std::vector<std::string> lines = split(read("tool/calls"), '\n');
    if (!std::filesystem::exists(path("tool/calls")))
      return {};
    lines.pop_back();
    return lines;
  }
  void answer(const std::string &status, const std::string &says) {
    write("tool/status", status);
    write("tool/says", says);
  }
};

TEST_F(CheckTest, RunsWithExactFlagsAndOnlyWhenSomethingChanged) {
  edit("CMakeLists.txt", "SOURCE src/dot.cpp)", "SOURCE src/dot.cpp FUNCTION demo::dot)");
  configureWithTool();
  ASSERT_EQ(status_, 0);
  ASSERT_EQ(calls().size(), 1u);
  const std::string checks = path("build") + "/_agentic/checks/dot/";
  EXPECT_EQ(calls()[0], "check-baseline --kernel dot --source " + path("src/dot.cpp") +
                            " --function demo::dot --compile-commands " + checks + "compile_commands.json --compiler " +
                            "/usr/bin/clang++-19 --compiler-id Clang --project-root " + root_ + " --cache-dir " +
                            path("build") + "/_agentic/cache --stamp " + checks + "stamp.json");
  EXPECT_THAT(read("tool/commands"), HasSubstr("-DLATER=1"));
  EXPECT_THAT(read("tool/commands"), HasSubstr("\"file\": \"" + path("src/dot.cpp") + "\""));
  configureWithTool();
  EXPECT_EQ(calls().size(), 1u) << "an unchanged reconfigure";
  build();
  const std::size_t afterBuild = calls().size();
  EXPECT_LE(afterBuild, 2u);
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  configureWithTool();
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  EXPECT_EQ(calls().size(), afterBuild);

  edit("src/dot.cpp", "s += a[i] * b[i];", "s += b[i] * a[i];");
  build(); // no lock: only the build looks at SOURCE
  EXPECT_EQ(calls().size(), afterBuild + 1);
  configureWithTool();
  EXPECT_EQ(calls().size(), afterBuild + 1);
  edit("CMakeLists.txt", "LATER=1", "LATER=2");
  configureWithTool(); // still sees what was generated before; the next one sees the new flags
  configureWithTool();
  EXPECT_THAT(read("tool/commands"), HasSubstr("-DLATER=2"));
}

TEST_F(CheckTest, WithAnActiveVariantTheUnitsCommandIsUsed) {
  generateDot();
  configureWithTool();
  build();
  EXPECT_EQ(traced(), kVariantRun);
  EXPECT_THAT(read("tool/commands"), HasSubstr("\"file\": \"" + path("src/dot.cpp") + "\""));
  EXPECT_THAT(read("tool/commands"), HasSubstr("_agentic/units/dot/dot.cpp"));
  const std::size_t before = calls().size();
  configureWithTool();
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  EXPECT_EQ(calls().size(), before);
}

TEST_F(CheckTest, TargetsOfOtherDirectories) {
  write("lib/CMakeLists.txt", "add_library(mylib STATIC ../src/dot.cpp)\n");
  lists(R"(cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
add_subdirectory(lib)
add_subdirectory(app)
)");
  write("app/CMakeLists.txt",
        "include(" AGENTIC_MODULE_DIR "/AgenticKernel.cmake)\n"
        "add_executable(app ../src/main.cpp ../src/dot.cpp)\nadd_executable(linked ../src/main.cpp)\n"
        "target_link_libraries(linked PRIVATE mylib)\n"
        "add_agentic_kernel(dot TARGET app mylib SOURCE ../src/dot.cpp VARIANT_DIR ../generated/dot)\n");
  generateDot();
  configureWithTool();
  build();
  EXPECT_EQ(traced("build/app/app"), kVariantRun);
  EXPECT_EQ(traced("build/app/linked"), kVariantRun);
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  build("agentic-kernel-check");
  build("optimize-dot");
}

TEST_F(CheckTest, AnOldProjectSeesNoWarningOfPolicies) {
  lists(replaceAll(kDotLists, "VERSION 3.22", "VERSION 3.1"));
  EXPECT_THAT(configureWithTool(), Not(HasSubstr("Policy")));
  build();
  EXPECT_THAT(build(), HasSubstr("no work to do"));
}

TEST_F(CheckTest, AFindingIsOneWarningAndStopsNothing) {
  const std::string finding = "src/dot.cpp:9:3: error: static variable [state-outlives-call]";
  answer("3", finding + "\n");
  std::string output = configureWithTool();
  EXPECT_EQ(status_, 0) << output;
  EXPECT_THAT(output, HasSubstr("CMake Warning"));
  EXPECT_THAT(output, HasSubstr(finding));
  EXPECT_THAT(flat(output), HasSubstr("built as it is written"));
  EXPECT_THAT(build(), Not(HasSubstr(finding))) << "the configure has said it";
  const std::size_t checks = calls().size();
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  EXPECT_THAT(configureWithTool(), HasSubstr(finding)) << "as CMake repeats warnings";
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  EXPECT_EQ(calls().size(), checks);
  edit("src/dot.cpp", "return __LINE__;", "return __LINE__ + 0;");
  EXPECT_THAT(build(), HasSubstr(finding)) << "the file has changed";
  answer("0", "");
  edit("src/dot.cpp", "__LINE__ + 0", "__LINE__ + 1");
  EXPECT_THAT(build(), Not(HasSubstr("warning")));
  EXPECT_THAT(configureWithTool(), Not(HasSubstr("Warning")));
}

TEST_F(CheckTest, WhatCannotBeCheckedIsAWarningToo) {
  answer("1", "error: no function is marked AGENTIC_KERNEL\n");
  EXPECT_THAT(configureWithTool(), HasSubstr("no function is marked AGENTIC_KERNEL"));
  EXPECT_EQ(status_, 0);
  build();
  answer("0", "warning: clang cannot parse src/dot.cpp; kernel unchecked\n");
  EXPECT_THAT(configureWithTool(), HasSubstr("warning: clang cannot parse src/dot.cpp"));
  EXPECT_EQ(status_, 0);
}

TEST_F(CheckTest, WhatCannotBeCheckedIsOneWarningUntilSourceChanges) {
  const std::string reason = "error: src/dot.cpp:5:3: kernel 'dot' is a member function";
  answer("1", reason + "\n");
  const auto times = [&](const std::string &output) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = output.find(reason, at)) != std::string::npos; at += reason.size())
      ++found;
    return found;
  };
  EXPECT_EQ(times(configureWithTool()), 1u);
  EXPECT_EQ(times(build()), 0u) << "the configure has said it";
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  EXPECT_EQ(times(configureWithTool()), 1u) << "as CMake repeats warnings";
  edit("src/dot.cpp", "return __LINE__;", "return __LINE__ + 0;");
  EXPECT_EQ(times(build()), 1u) << "SOURCE has changed";
  answer("0", "");
  edit("src/dot.cpp", "__LINE__ + 0", "__LINE__ + 1");
  const std::size_t checks = calls().size();
  EXPECT_THAT(build(), Not(HasSubstr("arning")));
  EXPECT_EQ(calls().size(), checks + 1) << "SOURCE was mended";
}

TEST_F(CheckTest, WhereFindingsAreErrorsTheyStopTheConfigure) {
  const std::string finding = "src/dot.cpp:9:3: error: static variable [state-outlives-call]";
  for (const char *setting : {"-DAGENTIC_KERNEL_CHECKS=ERROR", "-DAGENTIC_KERNEL_MODE=REQUIRE"}) {
    std::filesystem::remove_all(path("build"));
    answer("1", "error: no function is marked AGENTIC_KERNEL\n");
    EXPECT_THAT(configureWithTool({setting}), HasSubstr("no function is marked AGENTIC_KERNEL"));
    EXPECT_NE(status_, 0) << setting;
    answer("3", finding + "\n");
    const std::string output = configureWithTool();
    EXPECT_NE(status_, 0) << setting;
    EXPECT_THAT(output, HasSubstr(finding));
    EXPECT_THAT(output, HasSubstr("AGENTIC_KERNEL_CHECKS=WARN"));
  }
}

TEST_F(CheckTest, WhereFindingsAreErrorsABuildFailsOnWhatAppearedSinceTheConfigure) {
  configureWithTool({"-DAGENTIC_KERNEL_CHECKS=ERROR"});
  answer("3", "src/dot.cpp:9:3: error: goto\n");
  edit("src/dot.cpp", "return __LINE__;", "return __LINE__ + 0;");
  const std::string output = run({"ninja", "-C", "build"});
  EXPECT_NE(status_, 0);
  EXPECT_THAT(output, HasSubstr("\nsrc/dot.cpp:9:3: error: goto\n"));
}

// It becomes a file of the build only when somebody writes it: the next build checks, and no build before it does.
TEST_F(CheckTest, APolicyThatAppearsChangesOrGoesIsCheckedByTheNextBuild) {
  configureWithTool({"-DAGENTIC_KERNEL_CHECKS=ERROR"});
  build();
  EXPECT_THAT(build(), HasSubstr("no work to do"));
  std::size_t checks = calls().size();
  const auto expectOneCheck = [&](const std::string &what) {
    build();
    EXPECT_EQ(calls().size(), ++checks) << what;
    EXPECT_THAT(build(), HasSubstr("no work to do")) << what;
  };
  write(".agentic-kernel.json", "{}");
  expectOneCheck("appears");
  write(".agentic-kernel.json", R"({"forbid": {"headers": ["<cmath>"]}})");
  expectOneCheck("changes");
  std::filesystem::remove(path(".agentic-kernel.json"));
  expectOneCheck("goes");
  write("note.txt", "another file beside it");
  build();
  EXPECT_EQ(calls().size(), checks);
  write(".agentic-kernel.json", "{}");
  answer("3", "src/dot.cpp:9:3: error: forbidden\n");
  EXPECT_THAT(run({"ninja", "-C", "build"}), HasSubstr("src/dot.cpp:9:3: error: forbidden"));
  EXPECT_NE(status_, 0);
  EXPECT_NE((configureWithTool(), status_), 0);
}

TEST_F(CheckTest, OffAndBaselineModeLeaveTheBuildAlone) {
  answer("3", "never asked");
  configureWithTool({"-DAGENTIC_KERNEL_CONFIGURE_CHECK=OFF"});
  EXPECT_EQ(status_, 0);
  build();
  EXPECT_TRUE(calls().empty());
}

TEST_F(CheckTest, AFailingProbeIsAWarning) {
  lists(std::string(kDotLists) + "if(AGENTIC_KERNEL_PROBE)\nmessage(FATAL_ERROR \"only once\")\nendif()\n");
  const std::string output = configureWithTool();
  EXPECT_EQ(status_, 0) << output;
  EXPECT_THAT(output, HasSubstr("could not be configured a second time"));
  EXPECT_THAT(read("build/_agentic/probe.log"), HasSubstr("only once"));
  build();
  EXPECT_EQ(calls().size(), 1u);
}

TEST_F(CheckTest, OptimizeTunesOneKernelAfterTheOther) {
  lists(std::string(kDotLists) + "add_agentic_kernel(second TARGET mylib SOURCE src/dot.cpp FUNCTION demo::dot)\n");
  configureWithTool({"-DAGENTIC_KERNEL_CONFIGURE_CHECK=OFF"});
  build("optimize");
  ASSERT_EQ(calls().size(), 2u);
  EXPECT_EQ(calls()[0], "optimize --build-dir " + path("build") + " --kernel dot");
  EXPECT_EQ(calls()[1], "optimize --build-dir " + path("build") + " --kernel second");
  write("tool/status.dot", "4"); // no improvement is a result
  build("optimize-dot");
  EXPECT_EQ(calls().size(), 3u);
  write("tool/status.dot", "1");
  const std::string output = flat(run({"ninja", "-C", "build", "optimize"}));
  EXPECT_NE(status_, 0);
  EXPECT_THAT(output, HasSubstr("not optimized: dot"));
  EXPECT_EQ(calls().size(), 5u) << "the second is tuned all the same";
}

TEST_F(CheckTest, AProjectsOwnOptimizeTargetIsKept) {
  lists(std::string(kDotLists) + "add_custom_target(optimize COMMAND ${CMAKE_COMMAND} -E echo ours)\n");
  configureWithTool({"-DAGENTIC_KERNEL_CONFIGURE_CHECK=OFF"});
  EXPECT_THAT(build("optimize"), HasSubstr("ours"));
  EXPECT_TRUE(calls().empty());
  build("agentic-kernel-optimize");
  EXPECT_EQ(calls().size(), 1u);
}

TEST_F(CheckTest, NoTargetsAndNoChecksInAShadowTree) {
  configureWithTool({"-DAGENTIC_KERNEL_SHADOW=ON"});
  EXPECT_EQ(status_, 0);
  EXPECT_THAT(run({"ninja", "-C", "build", "-t", "targets", "all"}), Not(HasSubstr("optimize")));
  EXPECT_TRUE(calls().empty());
  EXPECT_TRUE(std::filesystem::exists(path("build/_agentic/manifests/dot-Release.json")));
}

} // namespace
} // namespace agentic::test
