// Tests how a project is configured, built and tested, and where the tool runs: generators, presets, toolchains, tests
// that need ctest's properties, and a user without namespaces.
#include "tests/e2e/matrix_project.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace agentic::e2e {
namespace {

void include(MatrixProject &matrix, const std::string &lines) {
  matrix.files().replace("hash.cpp", "#include \"constants.h\"\n", "#include \"constants.h\"\n" + lines);
}

void useAHeaderFromAnIncludeFolder(MatrixProject &matrix) {
  matrix.files().write("deep/deep.h", "#pragma once\n");
  include(matrix, "#include <deep.h>\n");
}

constexpr const char *kPresets = R"({"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja",
 "binaryDir": "${sourceDir}/../build", "toolchainFile": "${sourceDir}/../build/conan/toolchain.cmake",
 "environment": {"CXXFLAGS": "-DFROM_PRESET=1", "HASH_FLAVOUR": "vanilla"},
 "cacheVariables": {"CMAKE_BUILD_TYPE": "Release", "hashdeps_DIR": "${sourceDir}/../build/conan"}}]})";

/// Makes the files that a package manager leaves in the build tree before the first configure, a preset that names
/// them, and a download that cannot be repeated.
void usePresetAndPackages(MatrixProject &matrix) {
  matrix.files().write("CMakePresets.json", kPresets);
  const std::string folder = (matrix.build() / "conan").string();
  const auto write = [&](const std::string &name, const std::string &text) {
    ASSERT_TRUE(writeFileAtomic(folder + "/" + name, text));
  };
  write("toolchain.cmake", "set(CMAKE_CXX_COMPILER \"" + compilerPath() +
                               "\")\nset(CMAKE_CXX_FLAGS_INIT -DFROM_TOOLCHAIN=1)\nlist(APPEND CMAKE_PREFIX_PATH \"" +
                               installPrefix() + "\")\n");
  write("hashdeps-config.cmake", "add_library(hashdeps INTERFACE IMPORTED)\ntarget_include_directories(hashdeps "
                                 "INTERFACE \"${CMAKE_CURRENT_LIST_DIR}/include\")\n");
  write("include/from_package.h", "#pragma once\n#define FROM_PACKAGE 1\n");
  matrix.files().write("fetched/CMakeLists.txt", "add_library(fetched INTERFACE)\ntarget_include_directories(fetched "
                                                 "INTERFACE \"${CMAKE_CURRENT_SOURCE_DIR}\")\n");
  matrix.files().write("fetched/fetched.h", "#pragma once\n#define FETCHED 1\n");
  const Outcome packed = runCommand(
      {"cmake", "-E", "tar", "czf", (matrix.source() / "fetched.tar.gz").string(), "CMakeLists.txt", "fetched.h"}, 60,
      {}, (matrix.source() / "fetched").string());
  ASSERT_EQ(packed.status, 0) << packed.all();
  fs::remove_all(matrix.source() / "fetched");
  include(matrix, "#include <fetched.h>\n#include <from_package.h>\n"
                  "static_assert(FETCHED + FROM_PACKAGE + FROM_PRESET + FROM_TOOLCHAIN == 4, \"\");\n"
                  "static_assert(FLAVOUR_IS_vanilla, \"\");\n");
  matrix.configureCommand = {"cmake", "--preset", "release"};
}

const Row kMakefiles = {.name = "Makefiles",
                        .lists = R"(
set(CMAKE_CXX_USE_RESPONSE_FILE_FOR_INCLUDES ON)
set(CMAKE_CXX_USE_RESPONSE_FILE_FOR_OBJECTS ON)
add_library(hash STATIC hash.cpp)
target_include_directories(hash PRIVATE deep)
target_precompile_headers(hash PRIVATE <cstdint> <vector>)
)",
                        .generator = "Unix Makefiles",
                        .prepare = useAHeaderFromAnIncludeFolder};

const Row kPresetAndPackages = {.name = "PresetAndPackages",
                                .lists = R"(
set(HASH_FLAVOUR "$ENV{HASH_FLAVOUR}" CACHE STRING "from the preset's environment")
find_package(hashdeps CONFIG REQUIRED)
include(FetchContent)
FetchContent_Declare(fetched URL "${CMAKE_CURRENT_SOURCE_DIR}/fetched.tar.gz" DOWNLOAD_EXTRACT_TIMESTAMP ON)
FetchContent_MakeAvailable(fetched)
add_library(hash STATIC hash.cpp)
target_compile_definitions(hash PRIVATE FLAVOUR_IS_${HASH_FLAVOUR}=1)
target_link_libraries(hash PRIVATE hashdeps fetched)
)",
                                .prepare = usePresetAndPackages};

// Half of what these programs need is in ctest's properties alone, and the data are outside the project.
const Row kNeedyPrograms = {.name = "NeedyPrograms", .lists = R"(
set(outside "${CMAKE_CURRENT_SOURCE_DIR}/../outside")
file(WRITE "${outside}/text.txt" "one row of the matrix of projects")
add_executable(hash_test needy_test.cpp)
add_executable(hash_bench needy_bench.cpp)
add_test(NAME hash_test COMMAND hash_test --file text.txt WORKING_DIRECTORY "${outside}")
set_tests_properties(hash_test PROPERTIES ENVIRONMENT "EXPECTED_HASH=1775655499")
add_test(NAME hash_bench COMMAND hash_bench --size 20000 --benchmark_min_time=0.01)
set_tests_properties(hash_bench PROPERTIES ENVIRONMENT HASH_BENCHMARK=1)
set(kernel TEST_DATA "${outside}")
)"};

const Row kMultiConfig = {
    .name = "MultiConfig", .lists = "", .generator = "Ninja Multi-Config", .configuration = "Release"};

class MatrixBuilds : public testing::TestWithParam<Row> {};

TEST_P(MatrixBuilds, ReachTheKernel) {
  MatrixProject project(GetParam());
  project.configure();
  ASSERT_FALSE(HasFatalFailure());
  fs::remove(project.source() / "fetched.tar.gz"); // it was there for the first configure only
  project.rejectsAWrongCandidate();
  project.acceptsAnHonestOne();
}

INSTANTIATE_TEST_SUITE_P(Rows, MatrixBuilds, testing::Values(kMakefiles, kPresetAndPackages),
                         [](const auto &info) { return info.param.name; });

class MatrixShips : public testing::TestWithParam<Row> {};

TEST_P(MatrixShips, TheVariant) {
  MatrixProject project(GetParam());
  project.configure();
  ASSERT_FALSE(HasFatalFailure());
  project.rejectsAWrongCandidate();
  ASSERT_FALSE(HasFatalFailure());
  project.writesBack({"apply", project.candidate("polynomialHash", false)});
  ASSERT_FALSE(HasFatalFailure());
  project.shipsTheVariant();
}

INSTANTIATE_TEST_SUITE_P(Rows, MatrixShips, testing::Values(kMultiConfig, kNeedyPrograms),
                         [](const auto &info) { return info.param.name; });

// Its kernel stays as it is, and the reason is reported once.
TEST(MatrixCompilers, ASourceThatGccAloneCanParseIsBuiltAsItIs) {
  MatrixProject project({.name = "GccAlone", .lists = "", .compiler = "g++"});
  project.files().replace("hash.cpp", "#if defined(__GNUC__) && !defined(__clang__)", "#if 1");
  const Outcome configured = runCommand(project.configureCommand);
  EXPECT_EQ(configured.status, 0) << configured.all();
  EXPECT_THAT(configured.all(), testing::HasSubstr("kernel 'hash' is not checked"));
  expectOneError(project.tool({"evaluate", "--kernel", "hash", project.candidate("polynomialHash", false)}), 1,
                 {"Clang cannot parse", "hash.cpp:29", "__builtin_speculation_safe_value", "a file of its own"});
  const Outcome built = runCommand({"cmake", "--build", project.build().string(), "--target", "hash"});
  EXPECT_EQ(built.status, 0) << built.all();
}

// In a chroot Linux refuses user namespaces to everyone, so bubblewrap is installed and does not work.
TEST(MatrixPlaces, AChrootOfAUserWithoutNamespaces) {
  MatrixProject project({.name = "Chroot", .lists = ""});
  project.configure();
  ASSERT_FALSE(HasFatalFailure());
  const std::string wrong = project.candidate("polynomialHash", true),
                    honest = project.candidate("polynomialHash", false),
                    root = (project.files().root() / "chroot").string();
  fs::create_directory(root);
  const auto inside = [&](const std::vector<std::string> &command) {
    std::vector<std::string> argv = {"unshare",
                                     "-m",
                                     "sh",
                                     "-ec",
                                     "mount --rbind / \"$0\"; root=$0; user='setpriv --reuid=65534 --regid=65534 "
                                     "--clear-groups'; exec chroot \"$root\" $user \"$@\"",
                                     root};
    argv.insert(argv.end(), command.begin(), command.end());
    return runCommand(argv);
  };
  if (::geteuid() != 0 || inside({"true"}).status != 0)
    GTEST_SKIP() << "needs root and the right to mount";
  ASSERT_NE(inside({"bwrap", "--dev-bind", "/", "/", "true"}).status, 0) << "bubblewrap works there";
  const Outcome owned = runCommand({"chown", "-R", "65534:65534", project.files().root().string()});
  ASSERT_EQ(owned.status, 0) << owned.all();
  const Outcome rejected = inside(project.toolCommand({"evaluate", "--kernel", "hash", wrong, "--require-sandbox"}));
  EXPECT_EQ(rejected.status, 3) << rejected.all();
  EXPECT_EQ(rejected.json["stage"], "test") << rejected.all();
  const Outcome accepted = inside(project.toolCommand({"evaluate", "--kernel", "hash", honest, "--require-sandbox"}));
  EXPECT_EQ(accepted.status, 0) << accepted.all();
}

} // namespace
} // namespace agentic::e2e
