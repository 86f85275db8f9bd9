// A small project without AgenticKernel.cmake: it writes its manifest itself, so that only the cloning is tested here.
#include "tests/build/scratch.h"
#include "tests/known_compilers.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/build/shadow.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char *const kProject = R"(
cmake_minimum_required(VERSION 3.22)
project(demo CXX)
set(FLAVOUR "plain;list" CACHE STRING "from the user")
add_library(core SHARED core.cpp)
configure_file(flavour.h.in flavour.h)
target_include_directories(core PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
add_executable(core_test test.cpp)
target_link_libraries(core_test core)
add_executable(core_bench test.cpp)
target_link_libraries(core_bench core)
add_executable(unrelated broken.cpp)
enable_testing()
add_test(NAME core_test COMMAND core_test --gtest_filter=A.* --fast WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(core_test PROPERTIES ENVIRONMENT "DATA=${CMAKE_SOURCE_DIR}/data")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/_agentic/manifests/core-$<CONFIG>.json CONTENT [[{"schema":1,"kernel":"core",
 "source":"${CMAKE_SOURCE_DIR}/core.cpp","targets":["core"],"tests":[{"target":"core_test","file":"$<TARGET_FILE:core_test>"}],
 "benchmarks":[{"target":"core_bench","file":"$<TARGET_FILE:core_bench>"}],"testArgs":["--extra"],"config":"$<CONFIG>",
 "variantDir":"${AGENTIC_KERNEL_VARIANT_DIR_core}","mode":"${AGENTIC_KERNEL_MODE_core}","state":"${AGENTIC_KERNEL_HOOK}",
 "sourceDir":"${CMAKE_SOURCE_DIR}","buildDir":"${CMAKE_BINARY_DIR}","generator":"${CMAKE_GENERATOR}",
 "makeProgram":"${CMAKE_MAKE_PROGRAM}","cmakeCommand":"${CMAKE_COMMAND}","compiler":"${CMAKE_CXX_COMPILER}"}]])
)";

class Shadow : public ScratchTest {
protected:
  void SetUp() override {
    ScratchTest::SetUp();
    std::string project = kProject; // a bracket argument would not expand variables
    project.replace(project.find("[[{"), 2, "\"");
    project.replace(project.find("}]]"), 3, "}\"");
    const std::size_t begin = project.find("\"{\"schema") + 1, end = project.rfind("}\")");
    project =
        project.substr(0, begin) + replaceAll(project.substr(begin, end - begin), "\"", "\\\"") + project.substr(end);
    write("src/CMakeLists.txt", project);
    write("src/core.cpp", "#include \"flavour.h\"\nconst char *core() { return FLAVOUR; }\n");
    write("src/flavour.h.in", "#define FLAVOUR \"${FLAVOUR}\"\n");
    write("src/test.cpp", "#include <cstdio>\nconst char *core();\nint main() { std::puts(core()); }\n");
    write("src/broken.cpp", "#error this target is not needed\n");
  }

  Manifest configure(const std::vector<std::string> &options = {"-DCMAKE_BUILD_TYPE=Release"},
                     const std::string &config = "") const {
    ProcessSpec spec;
    spec.argv = {"cmake", "-S", path("src"), "-B", path("build"), "-G", "Ninja"};
    spec.argv.insert(spec.argv.end(), options.begin(), options.end());
    test::knownCompilers().seed(spec.argv, path("build"));
    const auto result = runProcess(spec);
    EXPECT_TRUE(result && result->ok()) << result->out << result->err;
    test::knownCompilers().learn(spec.argv, path("build"));
    const auto manifest = loadManifest(path("build"), "core", config);
    EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
    return manifest ? *manifest : Manifest{};
  }

  std::string output(const std::string &program) const {
    ProcessSpec spec;
    spec.argv = {program};
    const auto result = runProcess(spec);
    return result ? result->out : result.error().message;
  }

  /// Every file of the user's build tree outside _agentic, with its time stamp.
  std::string userTree() const {
    std::vector<std::string> lines;
    for (auto it = fs::recursive_directory_iterator(path("build")); it != fs::recursive_directory_iterator(); ++it) {
      if (it->path().filename() == "_agentic")
        it.disable_recursion_pending();
      else
        lines.push_back(it->path().string() + " " + std::to_string(it->last_write_time().time_since_epoch().count()));
    }
    std::sort(lines.begin(), lines.end());
    return join(lines, "\n");
  }
};

/// Whether CMake looked for the tree's compiler itself: then the program that it asked is still there.
bool detectedItsCompiler(const std::string &tree) {
  for (const auto &entry : fs::directory_iterator(tree + "/CMakeFiles"))
    if (fs::exists(entry.path() / "CompilerIdCXX"))
      return true;
  return false;
}

TEST_F(Shadow, IsBuiltWithTheUsersSettingsAndLeavesTheirTreeAlone) {
  const Manifest manifest =
      configure({"-DCMAKE_BUILD_TYPE=Release", "-DFLAVOUR=two;items", "-DCMAKE_CXX_FLAGS=-fno-math-errno"});
  const std::string before = userTree();
  const auto tree = prepareShadow({manifest, ShadowKind::Hook, {{"core.dispatch.inc", "// block\n"}}});
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  EXPECT_EQ(userTree(), before);
  EXPECT_EQ(tree->directory, path("build/_agentic/shadow/core/hook"));
  EXPECT_FALSE(detectedItsCompiler(tree->directory));
  EXPECT_EQ(tree->manifest.mode, "AUTO");
  EXPECT_EQ(tree->manifest.state, "core");
  EXPECT_EQ(readFile(tree->manifest.variantDir + "/core.dispatch.inc").value_or(""), "// block\n");
  ASSERT_EQ(tree->tests.size(), 1u);
  EXPECT_THAT(tree->tests[0].file, testing::StartsWith(tree->directory));
  EXPECT_EQ(tree->tests[0].workingDirectory, path("src"));
  EXPECT_THAT(tree->tests[0].arguments, ElementsAre("--fast", "--extra"));
  EXPECT_THAT(tree->tests[0].environment, ElementsAre("DATA=" + path("src/data")));
  EXPECT_EQ(tree->benchmarks[0].workingDirectory, tree->directory);
  EXPECT_THAT(tree->command.arguments, testing::IsSupersetOf({std::string("-O3"), std::string("-fno-math-errno")}));
  EXPECT_THAT(tree->visible, testing::IsSupersetOf({path("src"), path("build")}));
  EXPECT_EQ(output(tree->tests[0].file), "two;items\n");
}

// Warnings that only instrumented code gets, and the cost of optimising instrumented code, are no reason to omit it;
// libraries that the project links but does not run there are not built.
TEST_F(Shadow, WithSanitizersItIsTheSameButForTheFlags) {
  write("src/test.cpp", "#include <cstdio>\nconst char *core();\nint main(int argc, char **) {\n"
                        "  int four[4] = {};\n  std::puts(core());\n  return (four + argc)[3];\n}\n");
  const Manifest manifest =
      configure({"-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-Werror -Wall -fno-math-errno"});
  const auto tree = prepareShadow({manifest, ShadowKind::Sanitized, {}});
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  EXPECT_THAT(tree->command.arguments,
              testing::AllOf(testing::IsSupersetOf({std::string("-O1"), std::string("-DNDEBUG"), std::string("-w"),
                                                    std::string("-fno-math-errno")}),
                             testing::Contains(testing::StartsWith("-fsanitize=address,undefined")),
                             testing::Not(testing::Contains("-O3"))));
  const auto ran =
      runProcess({.argv = {tree->tests.at(0).file}, .addedEnvironment = {{"ASAN_OPTIONS", "detect_leaks=0"}}});
  ASSERT_TRUE(ran.has_value());
  EXPECT_THAT(ran->err, HasSubstr("stack-buffer-overflow"));
  EXPECT_TRUE(tree->benchmarks.empty());
  EXPECT_FALSE(fs::exists(tree->directory + "/core_bench"));
}

/// Returns when the object that `target` compiles from `source` was made.
fs::file_time_type objectTime(const ShadowTree &tree, const std::string &target, const std::string &source) {
  return fs::last_write_time(tree.directory + "/CMakeFiles/" + target + ".dir/" + source + ".o");
}

TEST_F(Shadow, TakesFromAnotherTreeWhatTheSameCommandMadeOfTheSameInputs) {
  const Manifest manifest = configure();
  const auto hook = prepareShadow({manifest, ShadowKind::Hook, {}});
  ASSERT_TRUE(hook.has_value()) << hook.error().message;
  write("src/CMakeLists.txt", readFile(path("src/CMakeLists.txt")).value() +
                                  "target_compile_definitions(core_bench PRIVATE AGENTIC_MODE=\"${AGENTIC_KERNEL_"
                                  "MODE_core}\")\n");
  const auto original = prepareShadow({manifest, ShadowKind::Original, {}});
  ASSERT_TRUE(original.has_value()) << original.error().message;
  EXPECT_EQ(objectTime(*original, "core_test", "test.cpp"), objectTime(*hook, "core_test", "test.cpp"));
  EXPECT_GT(objectTime(*original, "core_bench", "test.cpp"), objectTime(*hook, "core_bench", "test.cpp"))
      << "another command";
  EXPECT_GT(objectTime(*original, "core", "core.cpp"), objectTime(*hook, "core", "core.cpp"))
      << "its command names the tree";
  EXPECT_EQ(output(original->tests[0].file), "plain;list\n");

  write("src/test.cpp", "#include <cstdio>\nint main() { std::puts(\"edited\"); }\n");
  const auto final = prepareShadow({manifest, ShadowKind::Final, {}});
  ASSERT_TRUE(final.has_value()) << final.error().message;
  EXPECT_EQ(output(final->tests[0].file), "edited\n") << "an input is newer";
}

TEST_F(Shadow, FollowsEditsAndItsKeyWithThem) {
  const Manifest manifest = configure();
  ShadowRequest request{manifest, ShadowKind::Original, {}};
  const auto first = prepareShadow(request);
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ(first->manifest.mode, "BASELINE");
  EXPECT_EQ(prepareShadow(request)->key, first->key);
  write("src/core.cpp", "const char *core() { return \"edited\"; }\n"); // in a shared library, not in the programs
  const auto edited = prepareShadow(request);
  ASSERT_TRUE(edited.has_value()) << edited.error().message;
  EXPECT_EQ(output(edited->tests[0].file), "edited\n");
  EXPECT_NE(edited->key, first->key);
}

TEST_F(Shadow, IsConfiguredAgainOnlyWhenSettingsOrGeneratedFilesChange) {
  ShadowRequest request{configure(), ShadowKind::Hook, {{"a", "1"}, {"b", "2"}}};
  ASSERT_TRUE(prepareShadow(request).has_value());
  const std::string build = path("build/_agentic/shadow/core/hook/build.ninja");
  const auto stamp = [&] { return fs::last_write_time(build).time_since_epoch().count(); };
  const auto first = stamp();
  ASSERT_TRUE(prepareShadow(request).has_value());
  EXPECT_EQ(stamp(), first);
  request.files = {{"a", "changed"}};
  ASSERT_TRUE(prepareShadow(request).has_value());
  const auto second = stamp();
  EXPECT_NE(second, first);
  EXPECT_FALSE(fs::exists(path("build/_agentic/shadow/core/hook-variants/b")));
  configure({"-DFLAVOUR=new"});
  const auto third = prepareShadow(request);
  ASSERT_TRUE(third.has_value()) << third.error().message;
  EXPECT_NE(stamp(), second);
  EXPECT_EQ(output(third->tests[0].file), "new\n");
  ASSERT_TRUE(removeShadow(request.manifest).has_value());
  EXPECT_FALSE(fs::exists(path("build/_agentic/shadow/core")));
}

TEST_F(Shadow, FollowsAChangeOfCompiler) {
  ASSERT_TRUE(
      prepareShadow({configure({"-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER=g++"}), ShadowKind::Original, {}}));
  fs::remove(path("build/CMakeCache.txt")); // and what a user would do to start afresh, but with our folder kept
  fs::remove_all(path("build/CMakeFiles"));
  const auto tree = prepareShadow(
      {configure({"-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER=clang++-19"}), ShadowKind::Original, {}});
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  EXPECT_THAT(tree->command.arguments[0], HasSubstr("clang++-19"));
  EXPECT_EQ(output(tree->tests[0].file), "plain;list\n");
}

TEST_F(Shadow, UnoptimisedBuildsAreRefusedUnlessAllowed) {
  ShadowRequest request{configure({"-DCMAKE_BUILD_TYPE=Debug"}), ShadowKind::Hook, {}};
  const auto refused = prepareShadow(request);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("without optimisation (build type 'Debug'"));
  EXPECT_THAT(refused.error().next, HasSubstr("-DCMAKE_BUILD_TYPE=Release"));
  request.allowUnoptimized = true;
  EXPECT_TRUE(prepareShadow(request).has_value());
}

TEST_F(Shadow, ABrokenBuildShowsTheErrorAndTheCommandToTry) {
  write("src/test.cpp", "int main() { return undeclared_name; }\n");
  const auto broken = prepareShadow({configure(), ShadowKind::Hook, {}});
  ASSERT_FALSE(broken.has_value());
  EXPECT_THAT(broken.error().message, HasSubstr("undeclared_name"));
  EXPECT_THAT(broken.error().next, HasSubstr("cmake --build " + path("build") + " --target core_test core_bench"));
  write("src/test.cpp", "int main() {}\n");
  EXPECT_TRUE(prepareShadow({configure(), ShadowKind::Hook, {}}).has_value());
}

TEST_F(Shadow, ABrokenConfigureShowsCMakesError) {
  const Manifest manifest = configure();
  write("src/CMakeLists.txt", std::string("cmake_minimum_required(VERSION 3.22)\nproject(demo CXX)\n") +
                                  "message(FATAL_ERROR \"package X is missing\")\n");
  const auto broken = prepareShadow({manifest, ShadowKind::Hook, {}});
  ASSERT_FALSE(broken.has_value());
  EXPECT_THAT(broken.error().message, HasSubstr("package X is missing"));
  EXPECT_THAT(broken.error().next, HasSubstr("cmake " + path("build")));
}

TEST_F(Shadow, KilledConfigureIsDoneAgain) {
  const Manifest manifest = configure();
  std::atomic<bool> cancelled = true;
  ShadowRequest request{manifest, ShadowKind::Hook, {}};
  request.cancelled = &cancelled;
  const auto interrupted = prepareShadow(request);
  ASSERT_FALSE(interrupted.has_value());
  EXPECT_EQ(interrupted.error().kind, ErrorKind::Interrupted);
  cancelled = false;
  EXPECT_TRUE(prepareShadow(request).has_value());
}

/// A ninja that runs `command` when it is asked for the tests, and works normally else.
class ShadowWithNinja : public Shadow {
protected:
  Result<ShadowTree> prepare(const std::string &command) {
    Manifest manifest = configure();
    manifest.makeProgram = write("ninja", "#!/bin/sh\ncase \"$*\" in *core_test*) " + command + ";; esac\nexec '" +
                                              manifest.makeProgram + "' \"$@\"\n");
    fs::permissions(manifest.makeProgram, fs::perms::owner_all);
    return prepareShadow({manifest, ShadowKind::Original, {}});
  }
};

TEST_F(ShadowWithNinja, AFullDiskIsNamed) {
  const auto full = prepare("echo 'ld: final link failed: No space left on device'; exit 1");
  ASSERT_FALSE(full.has_value());
  EXPECT_THAT(full.error().message,
              HasSubstr("the disk that holds '" + path("build/_agentic/shadow/core") + "' is full"));
}

TEST_F(ShadowWithNinja, AKilledChildIsNamed) {
  const auto killed = prepare("kill -9 $$");
  ASSERT_FALSE(killed.has_value());
  EXPECT_THAT(killed.error().message, HasSubstr("SIGKILL"));
  EXPECT_TRUE(prepare("true").has_value()); // nothing is left that stands in the way
}

TEST_F(Shadow, AMissingNinjaIsNamed) {
  Manifest manifest = configure();
  manifest.generator = "Unix Makefiles";
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/missing", 1);
  const auto missing = prepareShadow({manifest, ShadowKind::Original, {}});
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().next, HasSubstr("ninja-build"));
}

// What CMake finds out about a compiler is not all in files: without the format of executables it refuses this project.
TEST_F(Shadow, InstallsThatChangeAnRpathAreConfigured) {
  std::string project = readFile(path("src/CMakeLists.txt")).value_or("");
  project += "install(TARGETS core core_test)\nset_target_properties(core_test PROPERTIES INSTALL_RPATH /elsewhere)\n";
  write("src/CMakeLists.txt", project);
  const auto tree = prepareShadow({configure(), ShadowKind::Original, {}});
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  EXPECT_FALSE(detectedItsCompiler(tree->directory));
}

// A version of CMake whose facts do not suffice detects the compiler again.
TEST_F(Shadow, FactsThatDoNotServeAreForgotten) {
  const Manifest manifest = configure();
  for (const auto &entry : fs::directory_iterator(path("build/CMakeFiles")))
    if (fs::exists(entry.path() / "CMakeCXXCompiler.cmake")) {
      ASSERT_TRUE(writeFileAtomic(entry.path() / "CMakeCXXCompiler.cmake", "message(FATAL_ERROR \"no use\")\n"));
    }
  const auto tree = prepareShadow({manifest, ShadowKind::Original, {}});
  ASSERT_TRUE(tree.has_value()) << tree.error().message;
  EXPECT_TRUE(detectedItsCompiler(tree->directory));
}

TEST_F(Shadow, OtherGeneratorsAreClonedToNinja) {
  for (const std::string generator : {"Ninja Multi-Config", "Unix Makefiles"}) {
    fs::remove_all(path("build"));
    const Manifest manifest = configure(
        {"-G", generator, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CONFIGURATION_TYPES=Debug;Release"}, "Release");
    const auto tree = prepareShadow({manifest, ShadowKind::Original, {}});
    ASSERT_TRUE(tree.has_value()) << generator << ": " << tree.error().message;
    EXPECT_EQ(output(tree->tests[0].file), "plain;list\n");
    EXPECT_EQ(detectedItsCompiler(tree->directory), generator == "Unix Makefiles");
  }
}

bool exportsMain(const std::string &program) {
  const auto symbols = runProcess({.argv = {"nm", "-D", "--defined-only", program}});
  return symbols && symbols->out.find(" main\n") != std::string::npos;
}

TEST_F(Shadow, WorksWithAgenticKernelsModule) {
  const std::string definition = "AGENTIC_KERNEL const char *core() { return \"kernel\"; }";
  write("src/core.cpp", "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n" + definition + "\n");
  write("src/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.22)\nproject(demo CXX)\ninclude(" AGENTIC_TEST_MODULE ")\n"
        "add_library(core STATIC core.cpp)\nadd_executable(core_test test.cpp)\n"
        "target_link_libraries(core_test core)\n"
        "add_agentic_kernel(core TARGET core SOURCE core.cpp TESTS core_test BENCHMARKS core_test)\n");
  const std::string block = "// agentic-kernel: baseline\nstatic const char *old() { return \"kernel\"; }\n"
                            "// agentic-kernel: generated\nconst char *core() { return old() ? \"hook\" : old(); }\n";
  const nlohmann::json lock = {{"schema", 1},
                               {"kernel", "core"},
                               {"function", "core"},
                               {"tool", "test"},
                               {"kernel_text", definition},
                               {"fragments", nlohmann::json::array()},
                               {"headers", nlohmann::json::array()},
                               {"dispatch", {{"file", "core.dispatch.inc"}, {"sha256", sha256(block)}}},
                               {"variants", nlohmann::json::array()},
                               {"fingerprint", "x"}};
  const Manifest manifest = configure({"-DCMAKE_BUILD_TYPE=Release", "-DAGENTIC_KERNEL_TOOL=OFF"});
  EXPECT_EQ(manifest.variantDir, path("src/generated/core"));
  std::set<fs::file_time_type> testCompiled;
  for (const ShadowKind kind : {ShadowKind::Hook, ShadowKind::Original}) {
    const bool hook = kind == ShadowKind::Hook;
    const auto tree =
        prepareShadow({manifest, kind, {{"core.dispatch.inc", block}, {"core.lock.json", lock.dump(1) + "\n"}}});
    ASSERT_TRUE(tree.has_value()) << tree.error().message;
    EXPECT_EQ(tree->manifest.variantDir, tree->directory + "-variants");
    EXPECT_EQ(tree->manifest.mode, hook ? "AUTO" : "BASELINE");
    EXPECT_EQ(tree->command.file, hook ? tree->manifest.compiledSource : path("src/core.cpp"));
    EXPECT_EQ(output(tree->tests[0].file), hook ? "hook\n" : "kernel\n");
    testCompiled.insert(objectTime(*tree, "core_test", "test.cpp"));
    // A candidate may call functions of the program that it is loaded into.
    EXPECT_EQ(exportsMain(tree->tests[0].file), hook);
  }
  EXPECT_EQ(testCompiled.size(), 1u) << "the hook changes what programs are linked with, not how they are compiled";
  EXPECT_FALSE(fs::exists(path("src/generated")));
}

TEST_F(Shadow, AFolderThatCannotBeWrittenIsNamed) {
  const Manifest manifest = configure();
  write("build/_agentic/shadow", "a file where the folder should be");
  const auto result = prepareShadow({manifest, ShadowKind::Hook, {}});
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr(path("build/_agentic/shadow")));
  EXPECT_FALSE(result.error().next.empty());
}

} // namespace
} // namespace agentic
