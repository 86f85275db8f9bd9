// Tests the same project under build settings that have broken dispatch mechanisms before.
#include "tests/cmake-module/project_fixture.h"

namespace agentic::test {
namespace {

using FlagsTest = Project;

TEST_F(FlagsTest, LtoSanitizersStaticUnityAndPrecompiledHeaders) {
  // SOURCE gets std::size_t from the precompiled header alone, so its dispatch unit must, too.
  lists(std::string(kDotLists) + "target_precompile_headers(mylib PRIVATE <cstddef> <vector>)\n");
  edit("src/dot.cpp", "return __LINE__;", "return __LINE__ + static_cast<int>(std::vector<int>().size());");
  generateDot({"clang", "gcc"});
  const std::vector<std::vector<std::string>> settings = {
      {"-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_CXX_FLAGS=-flto", "-DCMAKE_UNITY_BUILD=ON"},
      {"-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined"},
      {"-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_EXE_LINKER_FLAGS=-static", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=OFF"},
      {"-DCMAKE_CXX_FLAGS=-fsanitize=thread", "-DCMAKE_UNITY_BUILD=ON"},
      {"-DCMAKE_CXX_FLAGS=-march=native -fno-exceptions -fno-rtti", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON"}};
  for (const std::vector<std::string> &options : settings) {
    std::filesystem::remove_all(path("build"));
    const std::string output = configure(options);
    ASSERT_EQ(status_, 0) << output;
    build();
    EXPECT_EQ(traced(), kVariantRun) << options[0] << " " << options[1];
  }
}

TEST_F(FlagsTest, NinjaMultiConfigAndMakefiles) {
  generateDot();
  for (const char *generator : {"Ninja Multi-Config", "Unix Makefiles"}) {
    std::filesystem::remove_all(path("build"));
    run({"cmake", "-G", generator, "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_CXX_COMPILER=clang++-19", "-DAGENTIC_KERNEL_TOOL=OFF"});
    ASSERT_EQ(status_, 0) << generator;
    const std::string output = run({"cmake", "--build", "build", "--config", "Release"});
    ASSERT_EQ(status_, 0) << output;
    EXPECT_EQ(traced(std::filesystem::exists(path("build/app")) ? "build/app" : "build/Release/app"), kVariantRun)
        << generator;
    EXPECT_TRUE(std::filesystem::exists(path("build/_agentic/manifests/dot-Release.json")));
  }
}

} // namespace
} // namespace agentic::test
