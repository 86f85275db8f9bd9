// Tests the flags of a tree at another optimization level.
#include "tool/build/optimization_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(OptimizationTree, ReplacesEveryOption) {
  EXPECT_EQ(withOptimization("-O3 -DNDEBUG", "-O0"), "-O0 -DNDEBUG");
  EXPECT_EQ(withOptimization("-Ofast -march=native -O2", "-O1"), "-O1 -ffast-math -march=native -O1");
  EXPECT_EQ(withOptimization("-g", "-O0"), "-g");
  EXPECT_EQ(withOptimization("", "-O0"), "");
}

TEST(OptimizationTree, TheFlagsOfTheConfigurationEndWithIt) {
  const std::string cache = "CMAKE_BUILD_TYPE:STRING=Release\nCMAKE_CXX_FLAGS:STRING=-march=native -O3\n"
                            "CMAKE_CXX_FLAGS_RELEASE:STRING=-O3 -DNDEBUG\nCMAKE_C_FLAGS_RELEASE:STRING=-DNDEBUG\n"
                            "CMAKE_EXE_LINKER_FLAGS:STRING=-Wl,-O1\n";
  const std::string lines = optimizationLines(cache, "-O0", "");
  EXPECT_THAT(lines, HasSubstr("-march=native -O0"));
  EXPECT_THAT(lines, HasSubstr("-O0 -DNDEBUG"));
  EXPECT_THAT(lines, HasSubstr("-DNDEBUG -O0"));
  EXPECT_THAT(lines, Not(HasSubstr("-O3")));
  EXPECT_THAT(lines, Not(HasSubstr("LINKER")));
  EXPECT_THAT(optimizationLines("CMAKE_CXX_FLAGS:STRING=\n", "-O0", ""), HasSubstr("CMAKE_CXX_FLAGS"));
}

} // namespace
} // namespace agentic
