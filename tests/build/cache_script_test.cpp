#include "tests/build/scratch.h"
#include "tool/build/cmake_cache.h"
#include "tool/build/shadow.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

Manifest manifestOf(const std::string &buildDir, const std::string &config = "") {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.buildDir = buildDir;
  manifest.config = config;
  return manifest;
}

std::string script(const std::string &cache, const std::string &config = "") {
  return shadowCacheScript(cache, manifestOf("/home/me/proj/build", config));
}

TEST(CMakeCache, ReadsQuotedKeysAndValues) {
  const auto entries =
      parseCMakeCache("# comment\n//help\n//more\nA:STRING=x=y:z\n\n\"K:1\":BOOL=ON\nS:STRING=' padded '\r\n"
                      "not an entry\nEMPTY:PATH=\n");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].value, "x=y:z");
  EXPECT_EQ(entries[0].help, "helpmore");
  EXPECT_EQ(entries[1].key, "K:1");
  EXPECT_TRUE(entries[1].help.empty());
  EXPECT_EQ(entries[2].value, " padded ");
  EXPECT_EQ(cacheValue(entries, "EMPTY"), "");
}

TEST(CacheScript, KeepsUserSettingsAndDropsInternalOnes) {
  const std::string out =
      script("CMAKE_CXX_FLAGS:STRING=-O3 -march=native\nCMAKE_HOME_DIRECTORY:INTERNAL=/home/me/proj\n"
             "proj_BINARY_DIR:STATIC=/home/me/proj/build\nWITH_X:BOOL=ON\n");
  EXPECT_THAT(out, HasSubstr("set([=[CMAKE_CXX_FLAGS]=] [=[-O3 -march=native]=] CACHE STRING \"\" FORCE)"));
  EXPECT_THAT(out, HasSubstr("set([=[WITH_X]=] [=[ON]=] CACHE BOOL \"\" FORCE)"));
  EXPECT_THAT(out, Not(HasSubstr("CMAKE_HOME_DIRECTORY")));
  EXPECT_THAT(out, Not(HasSubstr("proj_BINARY_DIR")));
}

TEST(CacheScript, DropsResultsInsideTheBuildTreeButKeepsInputsThere) {
  const std::string out = script("//Where it was found\nFoo_DIR:PATH=/home/me/proj/build/_deps/foo-build\n"
                                 "//The CMake toolchain file\n"
                                 "CMAKE_TOOLCHAIN_FILE:FILEPATH=/home/me/proj/build/conan/conan_toolchain.cmake\n"
                                 "//No help, variable specified on the command line.\n"
                                 "GEN:PATH=/home/me/proj/build/generators\n"
                                 "//x\nOTHER:PATH=/home/me/proj/build-tools/bin\n");
  EXPECT_THAT(out, Not(HasSubstr("Foo_DIR")));
  EXPECT_THAT(out, HasSubstr("[=[/home/me/proj/build/conan/conan_toolchain.cmake]=]"));
  EXPECT_THAT(out, HasSubstr("[=[/home/me/proj/build/generators]=]"));
  EXPECT_THAT(out, HasSubstr("[=[/home/me/proj/build-tools/bin]=]"));
}

TEST(CacheScript, FindsTheBuildTreeInsideListsAndFlags) {
  EXPECT_THAT(script("L:STRING=/a;/home/me/proj/build/x;/b\n"), Not(HasSubstr("[=[L]=]")));
  EXPECT_THAT(script("F:STRING=-I/home/me/proj/build/include\n"), Not(HasSubstr("[=[F]=]")));
  EXPECT_THAT(script("F:STRING=-I/other/home/me/proj/build/include\n"), HasSubstr("[=[F]=]"));
}

TEST(CacheScript, QuotesEverythingThatCMakeWouldInterpret) {
  EXPECT_THAT(script("A:STRING=a;b ${c} \"d\" \\e\n"), HasSubstr("[=[a;b ${c} \"d\" \\e]=]"));
  EXPECT_THAT(script("A:STRING=x]=]y\n"), HasSubstr("[==[x]=]y]==]"));
  EXPECT_THAT(script("A:STRING=x]=\n"), HasSubstr("[==[x]=]==]"));
}

TEST(CacheScript, ChoosesTheConfigurationAndLeavesOutLints) {
  const std::string out = script("CMAKE_BUILD_TYPE:STRING=\nCMAKE_CONFIGURATION_TYPES:STRING=Debug;Release\n"
                                 "CMAKE_CXX_CLANG_TIDY:STRING=clang-tidy\n",
                                 "Release");
  EXPECT_THAT(out, HasSubstr("set([=[CMAKE_BUILD_TYPE]=] [=[Release]=] CACHE STRING"));
  EXPECT_THAT(out, Not(HasSubstr("CMAKE_CONFIGURATION_TYPES")));
  EXPECT_THAT(out, Not(HasSubstr("CLANG_TIDY")));
}

TEST(CacheScript, PointsFetchContentAtTheDownloadedSources) {
  const std::string out = script("FETCHCONTENT_SOURCE_DIR_FMT:PATH=\nFETCHCONTENT_SOURCE_DIR_MINE:PATH=/src/mine\n");
  EXPECT_THAT(out,
              HasSubstr("if(IS_DIRECTORY [=[/home/me/proj/build/_deps/fmt-src]=])\n"
                        "  set([=[FETCHCONTENT_SOURCE_DIR_FMT]=] [=[/home/me/proj/build/_deps/fmt-src]=] CACHE PATH"));
  EXPECT_THAT(out, HasSubstr("[=[FETCHCONTENT_SOURCE_DIR_MINE]=] [=[/src/mine]=]"));
  EXPECT_THAT(out, Not(HasSubstr("_deps/mine-src")));
}

TEST(CacheScript, DoesNotInheritTheSettingsOfAnotherShadow) {
  const std::string out = script("AGENTIC_KERNEL_MODE_k:STRING=REQUIRE\nAGENTIC_KERNEL_MODE:STRING=BASELINE\n"
                                 "AGENTIC_KERNEL_HOOK:STRING=k\n");
  EXPECT_THAT(out, HasSubstr("[=[AGENTIC_KERNEL_MODE]=]"));
  EXPECT_THAT(out, Not(HasSubstr("AGENTIC_KERNEL_MODE_k")));
  EXPECT_THAT(out, Not(HasSubstr("AGENTIC_KERNEL_HOOK")));
}

} // namespace
} // namespace agentic
