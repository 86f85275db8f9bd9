#include "tests/cmake-module/project_fixture.h"

#include <filesystem>
#include <functional>

namespace agentic::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using BuildTest = Project;

TEST_F(BuildTest, StaticLibraryUsesTheVariantAndThenHasNoWork) {
  generateDot();
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  build();
  EXPECT_EQ(traced(), kVariantRun);
  EXPECT_EQ(run({path("build/app")}, {{"AGENTIC_KERNEL_dot", "baseline"}}), kBaselineRun);
  EXPECT_THAT(build(), HasSubstr("ninja: no work to do"));
  configure();
  EXPECT_THAT(build(), HasSubstr("ninja: no work to do"));
  EXPECT_THAT(read("build/compile_commands.json"), HasSubstr("_agentic/units/dot/dot.cpp"));
  EXPECT_THAT(read("build/compile_commands.json"), Not(HasSubstr("-x c++"))); // the files' names say it
}

TEST_F(BuildTest, WithoutALockTheBaselineIsBuiltAndAnAppearingLockIsNoticed) {
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': baseline"));
  build();
  EXPECT_EQ(traced(), kBaselineRun);
  generateDot();
  build();
  EXPECT_EQ(traced(), kVariantRun);
  std::filesystem::remove_all(path("generated"));
  build();
  EXPECT_EQ(traced(), kBaselineRun);
  EXPECT_THAT(build(), HasSubstr("ninja: no work to do"));
}

// A variant that no machine has measured is compiled, tested, and chosen by those who ask for it.
TEST_F(BuildTest, AnUntunedVariantIsUsedOnRequestAlone) {
  lists(replaceAll(kDotLists, "add_agentic_kernel(dot ",
                   "enable_testing()\nadd_agentic_kernel(dot TESTS app RUNNER env RAN=under "));
  VariantSource variant = plusThousand(dotSpec(), "clang");
  variant.provenance.isTuned = false;
  generate(dotSpec(), {variant}, "generated/dot");
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': x86-64-v2 (untuned: only if forced)"));
  build();
  EXPECT_EQ(traced(), std::string(kBaselineRun) + "dot baseline\n");
  EXPECT_EQ(run({path("build/app")}, {{"AGENTIC_KERNEL_dot", "x86-64-v2"}}), "1014 line 15\n");
  EXPECT_THAT(run({"ctest", "--test-dir", "build", "-L", "agentic-kernel"}), HasSubstr("agentic-kernel.dot.x86-64-v2"));
  EXPECT_EQ(status_, 0);
  EXPECT_THAT(read("build/_agentic/forced/dot-Release.cmake"), HasSubstr("set(runner [==[env]==] [==[RAN=under]==])"));
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_UNTUNED=ON"}), HasSubstr("agentic kernel 'dot': x86-64-v2 (untuned)"));
  build();
  EXPECT_EQ(traced(), kVariantRun);
}

// A script knows nothing of GoogleTest's options, and starts the program itself.
TEST_F(BuildTest, ForcedTestsRunRegisteredTestsAsTheyStand) {
  write("run.sh",
        "test \"$1\" = 'a;b' && test $# = 2 && test \"$WORD\" = set && test -f dot.cpp && \"$2\" 2>/dev/null\n");
  lists(replaceAll(kDotLists, "add_agentic_kernel(dot ",
                   "enable_testing()\n"
                   "add_test(NAME \"by script\" COMMAND sh ${CMAKE_SOURCE_DIR}/run.sh \"a;b\" $<TARGET_FILE:app>)\n"
                   "set_tests_properties(\"by script\" PROPERTIES ENVIRONMENT WORD=set WORKING_DIRECTORY "
                   "${CMAKE_SOURCE_DIR}/src)\n"
                   "add_agentic_kernel(dot TESTS app \"by script\" TEST_FILTER A.* RUNNER env RAN=under "));
  generateDot();
  configure();
  build();
  const std::vector<std::string> ctest = {"ctest", "--test-dir", "build", "-L", "agentic-kernel", "-V"};
  const std::string passed = run(ctest);
  EXPECT_EQ(status_, 0) << passed;
  EXPECT_THAT(passed, Not(HasSubstr("Skipped")));
  const auto manifest = parseJson<Manifest>(read("build/_agentic/manifests/dot-Release.json"), "manifest");
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(manifest->tests.at(1).target, "by script");
  EXPECT_EQ(manifest->tests.at(1).file, "");
  write("run.sh", "exit 7\n");
  EXPECT_THAT(run(ctest), HasSubstr("by script failed (7)"));
}

// A cross build's emulator is used without being named again.
TEST_F(BuildTest, RunnerIsWhatTheProjectOrTheToolchainNames) {
  const auto runner = [&](const std::vector<std::string> &options) {
    configure(options);
    const auto manifest = parseJson<Manifest>(read("build/_agentic/manifests/dot-Release.json"), "manifest");
    return manifest ? manifest->runner : std::vector<std::string>{manifest.error().message};
  };
  EXPECT_EQ(runner({}), std::vector<std::string>{});
  EXPECT_EQ(runner({"-DCMAKE_CROSSCOMPILING_EMULATOR=emulator"}), std::vector<std::string>{});
  std::filesystem::remove_all(path("build")); // the system is settled by the first configure
  EXPECT_EQ(runner({"-DCMAKE_CROSSCOMPILING_EMULATOR=emulator;-cpu;max", "-DCMAKE_SYSTEM_NAME=Linux"}),
            (std::vector<std::string>{"emulator", "-cpu", "max"}));
  EXPECT_EQ(runner({"-DAGENTIC_KERNEL_RUNNER=mine"}), std::vector<std::string>{"mine"});
}

TEST_F(BuildTest, ExecutableAndSharedLibrary) {
  lists(R"(cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
@MODULE@
add_executable(app src/main.cpp src/dot.cpp)
add_library(shared SHARED src/dot.cpp)
add_executable(linked src/main.cpp)
target_link_libraries(linked PRIVATE shared)
add_agentic_kernel(dot TARGET app shared SOURCE src/dot.cpp)
)");
  generateDot();
  configure({"-DCMAKE_UNITY_BUILD=ON",
             "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror -Wshadow -Wold-style-cast -fvisibility=hidden "
             "-fvisibility-inlines-hidden -Wno-unused-variable"});
  edit("src/dot.h", "int dot(", "__attribute__((visibility(\"default\"))) int dot(");
  edit("src/dot.h", "int line(", "__attribute__((visibility(\"default\"))) int line(");
  generateDot();
  build();
  EXPECT_EQ(traced(), kVariantRun);
  EXPECT_EQ(traced("build/linked"), kVariantRun);
  EXPECT_THAT(run({"nm", "-D", "--defined-only", path("build/libshared.so")}), Not(HasSubstr("agentic_kernel")));
}

TEST_F(BuildTest, TwoKernelsInOneSource) {
  const std::string second = "AGENTIC_KERNEL int twice(int x) { return 2 * x; }";
  write("src/dot.h",
        "#pragma once\nnamespace demo { int dot(const int *a, const int *b, int n); int line(); int twice(int); }\n");
  write("src/dot.cpp", replaceAll(kDotSource, "@KERNEL@", std::string(kDotKernel) + "\n" + second));
  edit("src/main.cpp", "demo::line()", "demo::line() + demo::twice(4)");
  lists(std::string(kDotLists) + "add_agentic_kernel(twice TARGET mylib SOURCE src/dot.cpp DISPATCH STATIC)\n");
  generateDot();
  KernelSpec spec = makeSpec("twice", path("src/dot.cpp"), {"demo"}, "twice", second, {"x"});
  generate(spec, {makeVariant(spec, "x86-64-v2", "clang", "extern \"C\" int SYMBOL(int x) { return 100 + 2 * x; }\n")},
           "generated/twice");
  configure();
  build();
  EXPECT_EQ(traced(), "1014 line 24\ndot x86-64-v2\n"); // 16 + 8; STATIC without -march: the baseline, and no trace
  configure({"-DCMAKE_CXX_FLAGS=-march=x86-64-v2"});
  build();
  EXPECT_EQ(traced(), "1014 line 124\ndot x86-64-v2\n");
}

TEST_F(BuildTest, OtherFamilyGetsItsOwnVariantOrTheBaseline) {
  generateDot({"clang"});
  EXPECT_THAT(configure({"-DCMAKE_CXX_COMPILER=g++"}), HasSubstr("agentic kernel 'dot': baseline (no variant for GNU"));
  build();
  EXPECT_EQ(traced(), kBaselineRun);
  generateDot({"clang", "gcc"});
  build();
  EXPECT_EQ(traced(), kVariantRun);
  edit("generated/dot/dot.lock.json", "\"compiler_major\": 12", "\"compiler_major\": 11");
  EXPECT_THAT(configure({"-DCMAKE_CXX_COMPILER=g++"}), HasSubstr("was tuned with gcc 11, this is gcc 12"));
}

TEST_F(BuildTest, ProjectsOwnPropertiesOfTheSourceReachItsReplacements) {
  lists(std::string(kDotLists) + "set_source_files_properties(src/dot.cpp PROPERTIES COMPILE_DEFINITIONS EXTRA=7)\n");
  edit("src/dot.cpp", "return __LINE__;", "return __LINE__ + EXTRA;");
  generateDot();
  configure();
  build();
  EXPECT_EQ(traced(), "1014 line 22\ndot x86-64-v2\n");
}

TEST_F(BuildTest, AKernelMayBeTheFirstTokenOfItsFile) {
  const std::string kernel = "AGENTIC_KERNEL\nint dot(const int *a, const int *b, int n) { return a[0] * b[0] * n; }";
  write("src/dot.h", "#pragma once\nint dot(const int *a, const int *b, int n);\n");
  write("src/dot.cpp", kernel + "\n");
  write("src/main.cpp", "#include \"dot.h\"\nextern \"C\" int printf(const char *, ...);\n"
                        "int main() { int a[] = {2}; printf(\"%d\\n\", dot(a, a, 1)); }\n");
  lists(std::string(kDotLists) + "target_compile_definitions(mylib PRIVATE AGENTIC_KERNEL=)\n");
  const KernelSpec spec = makeSpec("dot", path("src/dot.cpp"), {}, "dot", kernel, {"a", "b", "n"});
  generate(spec, {plusThousand(spec, "clang")}, "generated/dot");
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  ASSERT_EQ(status_, 0);
  build();
  EXPECT_EQ(traced(), "1004\ndot x86-64-v2\n");
}

TEST_F(BuildTest, CrLfCheckoutStaysActive) {
  generateDot();
  for (const char *file :
       {"src/dot.cpp", "src/dot.h", "generated/dot/dot.dispatch.inc", "generated/dot/dot.x86-64-v2.clang.cpp"})
    write(file, replaceAll(read(file), "\n", "\r\n"));
  EXPECT_THAT(configure(), Not(HasSubstr("stale")));
  build();
  EXPECT_EQ(traced(), kVariantRun);
}

TEST_F(BuildTest, HookLoadsACandidateThroughADispatcherWithoutVariants) {
  generate(dotSpec(), {}, "elsewhere");
  lists(std::string(kDotLists) + "add_executable(t src/main.cpp)\ntarget_link_libraries(t PRIVATE mylib)\n"
                                 "add_agentic_kernel(dot2 TARGET mylib SOURCE src/dot.cpp TESTS t)\n");
  const std::string output =
      configure({"-DAGENTIC_KERNEL_SHADOW=ON", "-DAGENTIC_KERNEL_HOOK=dot", "-DAGENTIC_KERNEL_MODE=BASELINE",
                 "-DAGENTIC_KERNEL_VARIANT_DIR_dot=" + path("elsewhere")});
  EXPECT_EQ(status_, 0) << output;
  build();
  EXPECT_EQ(traced(), std::string(kBaselineRun) + "dot baseline\n");
  write("c.c", "int candidate(const int *a, const int *b, int n) { return a[0] + b[0] + n + 500; }\n");
  write("entry.c", emitEntryShim("dot", "candidate"));
  ASSERT_EQ(run({"clang-19", "-shared", "-fPIC", "c.c", "entry.c", "-o", "c.so"}), "");
  EXPECT_EQ(run({path("build/app")}, {{"AGENTIC_KERNEL_dot", path("c.so")}}), "505 line 15\n");
  EXPECT_THAT(read("build/_agentic/manifests/dot-Release.json"), HasSubstr("\"state\": \"active\""));
  EXPECT_THAT(configure({"-DAGENTIC_KERNEL_VARIANT_DIR_dot=" + path("nowhere")}),
              HasSubstr("no hook without a fresh dot.lock.json"));
}

TEST_F(BuildTest, ManifestSaysWhatTheToolMustKnow) {
  lists(R"(cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
@MODULE@
add_library(mylib STATIC src/dot.cpp)
add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp FUNCTION demo::dot TESTS app TEST_FILTER "A.*:\"B\"" TEST_ARGS --x "a b"
  TEST_DATA src BENCHMARKS app BENCHMARK_FILTER "^BM_[x]$" ARCHITECTURES x86-64-v3 FAMILIES clang gcc RUNNER nice -n 5
  LABELS hash quick)
add_executable(app src/main.cpp) # later than its use
target_link_libraries(app PRIVATE mylib)
)");
  configure({"-DAGENTIC_KERNEL_MAX_SECONDS=12", "-DAGENTIC_KERNEL_MAX_TOTAL_SECONDS=100",
             "-DAGENTIC_KERNEL_STRATEGY=beam=2/2/1", "-DAGENTIC_KERNEL_MEMORY=shared", "-DAGENTIC_KERNEL_SHORTEN=OFF",
             "-DAGENTIC_KERNEL_LICENCES=MIT;BSD-3-Clause"});
  auto manifest = parseJson<Manifest>(read("build/_agentic/manifests/dot-Release.json"), "manifest");
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(manifest->kernel, "dot");
  EXPECT_EQ(manifest->source, path("src/dot.cpp"));
  EXPECT_EQ(manifest->compiledSource, path("src/dot.cpp"));
  EXPECT_EQ(manifest->function, "demo::dot");
  EXPECT_EQ(manifest->targets, std::vector<std::string>{"mylib"});
  ASSERT_EQ(manifest->tests.size(), 1u);
  EXPECT_EQ(manifest->tests[0].file, path("build/app"));
  EXPECT_EQ(manifest->testFilter, "A.*:\"B\"");
  EXPECT_EQ(manifest->testArgs, (std::vector<std::string>{"--x", "a b"}));
  EXPECT_EQ(manifest->testData, std::vector<std::string>{path("src")});
  EXPECT_EQ(manifest->benchmarkFilter, "^BM_[x]$");
  EXPECT_EQ(manifest->architectures, std::vector<std::string>{"x86-64-v3"});
  EXPECT_EQ(manifest->families, (std::vector<std::string>{"clang", "gcc"}));
  EXPECT_EQ(manifest->variantDir, path("generated/dot"));
  EXPECT_EQ(manifest->runner, (std::vector<std::string>{"nice", "-n", "5"}));
  EXPECT_EQ(manifest->state, "baseline");
  EXPECT_EQ(manifest->config, "Release");
  EXPECT_EQ(manifest->buildDir, path("build"));
  EXPECT_EQ(manifest->generator, "Ninja");
  EXPECT_EQ(manifest->compilerId, "Clang");
  EXPECT_EQ(manifest->maxSeconds, 12);
  EXPECT_EQ(manifest->maxTotalSeconds, 100);
  EXPECT_EQ(manifest->maxIterations, 50);
  EXPECT_EQ(manifest->strategy, "beam=2/2/1");
  EXPECT_EQ(manifest->memory, "shared");
  EXPECT_FALSE(manifest->shorten);
  EXPECT_EQ(manifest->labels, (std::vector<std::string>{"hash", "quick"}));
  EXPECT_EQ(manifest->licences, (std::vector<std::string>{"MIT", "BSD-3-Clause"}));

  edit("CMakeLists.txt", "BENCHMARK_FILTER \"^BM_[x]$\"",
       R"(BENCHMARK_METRIC "rate: ([0-9.]+) \\(MB" MB/s END_TO_END app "a b" x=$<TARGET_FILE:app> METRIC /a/b s)");
  edit("CMakeLists.txt", "add_agentic_kernel(dot", "add_agentic_kernel(renamed");
  configure();
  manifest = parseJson<Manifest>(read("build/_agentic/manifests/renamed-Release.json"), "manifest");
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(manifest->endToEnd, (std::vector<std::string>{path("build/app"), "a b", "x=" + path("build/app")}));
  EXPECT_EQ(manifest->endToEndMetric, (std::vector<std::string>{"/a/b", "s"}));
  EXPECT_EQ(manifest->endToEndDirectory + "/", path(""));
  EXPECT_EQ(manifest->benchmarkMetric, (std::vector<std::string>{"rate: ([0-9.]+) \\(MB", "MB/s"}));
  EXPECT_TRUE(std::filesystem::exists(path("build/_agentic/manifests/renamed-Release.json")));
  EXPECT_FALSE(std::filesystem::exists(path("build/_agentic/manifests/dot-Release.json")));
}

// SOURCE with <agentic_kernel.h> and a contract; as many lines in front of the kernel as before.
void useContract(const std::function<void(const std::string &, const std::string &, const std::string &)> &edit,
                 const std::string &contract) {
  edit("src/dot.cpp", "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n", "#include <agentic_kernel.h>\n\n");
  edit("src/dot.cpp", "AGENTIC_KERNEL int dot", contract + "AGENTIC_KERNEL int dot");
}

TEST_F(BuildTest, TheHeaderIsFoundAndTheContractIsPartOfTheKernel) {
  const std::string contract = "AGENTIC_IN(a, n) AGENTIC_REQUIRES(n % 3 == 0) AGENTIC_SPECIAL_VALUES\n";
  useContract([this](const auto &name, const auto &from, const auto &to) { edit(name, from, to); }, contract);
  KernelSpec spec = makeSpec("dot", path("src/dot.cpp"), {"demo"}, "dot", contract + kDotKernel, {"a", "b", "n"});
  spec.closure = dotSpec().closure;
  spec.projectHeaders = dotSpec().projectHeaders;
  VariantSource variant = plusThousand(spec, "clang");
  variant.text = replaceAll(variant.text, "#include \"dot.h\"\n", "#include \"dot.h\"\n#include <agentic_kernel.h>\n");
  generate(spec, {variant}, "generated/dot");
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  build();
  EXPECT_EQ(traced(), kVariantRun);
  EXPECT_THAT(read("build/compile_commands.json"), HasSubstr(AGENTIC_MODULE_DIR "/include"));

  edit("src/dot.cpp", "n % 3", "n % 1");
  EXPECT_THAT(configure(), HasSubstr("its variants are stale"));
  build();
  EXPECT_EQ(traced(), kBaselineRun);
  configure({"-DAGENTIC_KERNEL_MODE=BASELINE"});
  build();
  EXPECT_EQ(traced(), kBaselineRun);
}

TEST_F(BuildTest, AVendoredCopyWithoutTheHeaderServesToo) {
  std::filesystem::copy(AGENTIC_MODULE_DIR, path("vendored"));
  EXPECT_FALSE(std::filesystem::exists(path("vendored/include/agentic_kernel.h")));
  lists(replaceAll(kDotLists, "@MODULE@", "include(vendored/AgenticKernel.cmake)"));
  generateDot();
  configure();
  build();
  EXPECT_EQ(traced(), kVariantRun);
}

TEST_F(BuildTest, PackageFromAPrefixAndAsSubdirectory) {
  generateDot();
  ASSERT_EQ(run({"cmake", "-S", AGENTIC_REPOSITORY, "-B", "package", "-G", "Ninja",
                 "-DAGENTIC_KERNEL_BUILD_TOOL=OFF"}) != "" &&
                status_ == 0,
            true);
  run({"cmake", "--install", "package", "--prefix", "prefix"});
  ASSERT_EQ(status_, 0);
  EXPECT_TRUE(std::filesystem::exists(path("prefix/include/agentic_kernel.h")));
  lists(replaceAll(kDotLists, "@MODULE@",
                   "find_package(AgenticKernel 0.1 CONFIG REQUIRED)\n"
                   "include_directories(${AgenticKernel_INCLUDE_DIR})"));
  edit("src/main.cpp", "#include \"dot.h\"\n", "#include \"dot.h\"\n#include <agentic_kernel.h>\n");
  EXPECT_THAT(configure({"-DCMAKE_PREFIX_PATH=" + path("prefix")}), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  build();
  EXPECT_EQ(traced(), kVariantRun);

  writeDot(); // without include_directories the kernel's own target finds the header
  std::filesystem::remove_all(path("build"));
  lists(replaceAll(kDotLists, "@MODULE@", "find_package(AgenticKernel 0.1 CONFIG REQUIRED)"));
  useContract([this](const auto &name, const auto &from, const auto &to) { edit(name, from, to); },
              "AGENTIC_OUT(a, n)\n");
  configure({"-DCMAKE_PREFIX_PATH=" + path("prefix")});
  build();
  EXPECT_EQ(traced(), kBaselineRun);
  EXPECT_THAT(read("build/compile_commands.json"), HasSubstr("prefix/lib/cmake/AgenticKernel/include"));

  writeDot();
  std::filesystem::remove_all(path("build"));
  lists(replaceAll(kDotLists, "@MODULE@", "add_subdirectory(" AGENTIC_REPOSITORY " agentic-kernel)"));
  EXPECT_THAT(configure(), HasSubstr("agentic kernel 'dot': x86-64-v2"));
  build();
  EXPECT_EQ(traced(), kVariantRun);
}

} // namespace
} // namespace agentic::test
