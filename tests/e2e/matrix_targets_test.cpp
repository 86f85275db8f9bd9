// Tests what may compile a kernel, and how: the loop end to end, with a wrong candidate, write-back, the user's own
// build and the dispatcher's trace there.
#include "tests/e2e/matrix_project.h"

#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

constexpr const char *kOuterLists = R"(cmake_minimum_required(VERSION 3.22)
project(outer LANGUAGES C CXX)
enable_testing()
add_subdirectory("the project")
)";

/// Makes it `the project` of another one, which has a C compiler, too.
void moveIntoAnother(MatrixProject &matrix) {
  const fs::path source = matrix.source(), inner = source / "the project";
  fs::rename(source, matrix.files().root() / "moved");
  fs::create_directories(source);
  fs::rename(matrix.files().root() / "moved", inner);
  matrix.files().write("CMakeLists.txt", kOuterLists);
}

const std::vector<Row> kRows = {
    {.name = "SharedLibraryBesideItsSourcesSonameBsymbolicHiddenVisibilityTestsDiscoveredLate", .lists = R"lists(
add_library(hash SHARED hash.cpp)
set_target_properties(hash PROPERTIES VERSION 1.2.3 SOVERSION 1 CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
set_target_properties(hash PROPERTIES LIBRARY_OUTPUT_DIRECTORY "$<1:${CMAKE_CURRENT_SOURCE_DIR}/lib>")
target_link_options(hash PRIVATE -Wl,-Bsymbolic)
target_compile_definitions(hash PUBLIC "HASH_API=__attribute__((visibility(\"default\")))")
set(discovery PRE_TEST)
)lists"},
    {.name = "ObjectLibraryLtoGccWerrorLogicalOpLinkedWithoutKeyword",
     .lists = R"(
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
add_library(hash OBJECT hash.cpp)
target_compile_options(hash PRIVATE -Wall -Wextra -Werror -Wlogical-op -Wduplicated-cond)
target_link_libraries(hash pthread)
)",
     .compiler = "g++"},
    {.name = "InterfaceSourcesUnityPrecompiledHeaderV3",
     .lists = R"(
add_library(hash INTERFACE)
target_sources(hash INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/hash.cpp")
set(CMAKE_UNITY_BUILD ON)
add_executable(hash_test hash_test.cpp)
add_executable(hash_bench hash_bench.cpp)
target_precompile_headers(hash_test PRIVATE <cstdint> <vector>)
set(compiling hash_test hash_bench)
)",
     .options = {"-DCMAKE_CXX_FLAGS=-march=x86-64-v3"}},
    {.name = "ExecutablesBesideTheirSourcesResponseFilesNativeGcc",
     .lists = R"(
set(CMAKE_NINJA_FORCE_RESPONSE_FILE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/bin")
add_library(hash INTERFACE)
add_executable(hash_test hash_test.cpp hash.cpp)
add_executable(hash_bench hash_bench.cpp hash.cpp)
target_precompile_headers(hash_test PRIVATE <cstdint> <vector>)
set(compiling hash_test hash_bench)
)",
     .compiler = "g++",
     .options = {"-DCMAKE_CXX_FLAGS=-march=native"}},
    {.name = "SubdirectorySpacesExternCTwoTargetsOfOneFolderExported",
     .lists = R"(
add_library(other STATIC hash.cpp)
target_compile_options(other PRIVATE -O1 -fno-exceptions)
add_library(hash SHARED hash.cpp)
target_compile_definitions(hash PUBLIC [[HASH_LINKAGE=extern "C"]])
target_compile_definitions(other PUBLIC [[HASH_LINKAGE=extern "C"]])
install(TARGETS hash other EXPORT hashes)
install(EXPORT hashes NAMESPACE hashes:: DESTINATION lib/cmake/hashes)
export(EXPORT hashes FILE hashes.cmake)
set(compiling hash other)
)",
     .prepare = moveIntoAnother,
     .scratchName = "agentic e2e "},
};

class MatrixTargets : public testing::TestWithParam<Row> {};

TEST_P(MatrixTargets, RunTheLoopAndShipTheVariant) {
  MatrixProject project(GetParam());
  project.configure();
  if (!HasFatalFailure())
    project.rejectsAWrongCandidate();
  if (!HasFatalFailure())
    project.writesBack({"apply", project.candidate("polynomialHash", false)});
  if (!HasFatalFailure())
    project.shipsTheVariant();
}

INSTANTIATE_TEST_SUITE_P(Rows, MatrixTargets, testing::ValuesIn(kRows),
                         [](const auto &info) { return info.param.name; });

// The search itself, with a given start; and then a second kernel in the same file.
TEST(MatrixKernels, OfOneFileAreTunedOneAfterTheOther) {
  MatrixProject project({.name = "TwoKernels",
                         .lists = R"(
add_library(hash STATIC hash.cpp)
cmake_language(DEFER CALL add_agentic_kernel salted TARGET hash SOURCE hash.cpp FUNCTION saltedHash TESTS hash_test
               BENCHMARKS hash_bench BENCHMARK_FILTER BM_Salted)
)",
                         .prepare = [](MatrixProject &matrix) {
                           matrix.files().replace("hash.cpp", "/* a second kernel */", "AGENTIC_KERNEL");
                         }});
  project.configure();
  ASSERT_FALSE(HasFatalFailure());
  project.writesBack({"optimize", "--max-iterations", "2", "--seed-from", project.candidate("polynomialHash", false)});
  ASSERT_FALSE(HasFatalFailure());
  project.rejectsAWrongCandidate("salted", "saltedHash");
  project.writesBack({"apply", project.candidate("saltedHash", false)}, "salted");
  ASSERT_FALSE(HasFatalFailure());
  project.shipsTheVariant("hash");
  project.shipsTheVariant("salted");
}

} // namespace
} // namespace agentic::e2e
