#include "tests/build/scratch.h"
#include "tool/base/text.h"
#include "tool/build/glue.h"

#include <gmock/gmock.h>

#include <dlfcn.h>

namespace agentic {
namespace {

using testing::HasSubstr;

class GlueBuild : public ScratchTest {
protected:
  GlueRequest request(const std::string &text) const {
    GlueRequest out;
    out.kernel = "k";
    out.text = text;
    out.compile.command.directory = (fs::create_directories(path("build")), path("build"));
    out.compile.command.file = path("src/k.cpp");
    out.compile.command.arguments = split("/usr/bin/g++ -O1 -Wall -Werror -o k.o -c " + path("src/k.cpp"), ' ');
    out.compile.sandbox = &sandbox_;
    out.directory = (fs::create_directories(path("cache")), path("cache"));
    return out;
  }
  std::size_t filesInCache() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path("cache")), fs::directory_iterator()));
  }
  Sandbox sandbox_ = Sandbox::probe();
};

const char *const kGlue = "extern \"C\" int agentic_kernel_glue_k() { return 7; }\n"
                          "extern \"C\" int agentic_kernel_entry_k() { return 8; }\n"
                          "extern \"C\" int hidden() { return 9; }\n";

TEST_F(GlueBuild, LinksWhatTheRunnerAndTheHookLookForAndNothingElse) {
  const Result<BuiltGlue> built = buildGlue(request(kGlue));
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_FALSE(built->library.empty()) << built->problem;
  void *object = dlopen(built->library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(object) << dlerror();
  EXPECT_TRUE(dlsym(object, "agentic_kernel_glue_k"));
  EXPECT_TRUE(dlsym(object, "agentic_kernel_entry_k"));
  EXPECT_FALSE(dlsym(object, "hidden"));
  EXPECT_EQ(filesInCache(), 1u) << "the scratch folder is gone";
}

TEST_F(GlueBuild, TheSameIsBuiltOnce) {
  const Result<BuiltGlue> first = buildGlue(request(kGlue));
  ASSERT_TRUE(first && !first->library.empty());
  ASSERT_TRUE(writeFileAtomic(first->library, "left alone"));
  const Result<BuiltGlue> second = buildGlue(request(kGlue));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->library, first->library);
  EXPECT_EQ(readFile(second->library).value_or(""), "left alone");
  GlueRequest other = request(kGlue);
  other.cacheKey = "another header";
  EXPECT_NE(buildGlue(other).value_or(BuiltGlue{}).library, first->library);
  other = request(kGlue);
  other.compile.command.arguments.insert(other.compile.command.arguments.begin() + 1, "-DX");
  EXPECT_NE(buildGlue(other).value_or(BuiltGlue{}).library, first->library);
}

TEST_F(GlueBuild, WhatDoesNotCompileHasAReasonAndIsNotTriedAgain) {
  for (int i = 0; i < 2; ++i) {
    const Result<BuiltGlue> built = buildGlue(request("int x = undeclared_name;\n"));
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_TRUE(built->library.empty());
    EXPECT_THAT(built->problem, HasSubstr("undeclared_name"));
  }
  EXPECT_EQ(filesInCache(), 1u);
}

// Nothing of the header is used, so that it is no part of the key; in C++ such a header could not be at fault.
TEST_F(GlueBuild, InCAHeaderThatIsNoCxxIsLookedAtAgain) {
  GlueRequest c = request("#include \"k.h\"\n" + std::string(kGlue));
  c.needsCxxLibrary = true;
  c.compile.quoteDirectory = (fs::create_directories(path("src")), path("src"));
  ASSERT_TRUE(writeFileAtomic(path("src/k.h"), "int f(\n  int class);\n"));
  const Result<BuiltGlue> first = buildGlue(c);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->library.empty());
  EXPECT_THAT(first->problem, testing::StartsWith("k.h:2:"));
  ASSERT_TRUE(writeFileAtomic(path("src/k.h"), "int f(int other);\n"));
  const Result<BuiltGlue> second = buildGlue(c);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_FALSE(second->library.empty()) << second->problem;
}

TEST_F(GlueBuild, AnEntryIsAnObjectOrNothing) {
  const Result<std::string> entry =
      buildEntry(request("extern \"C\" void *agentic_kernel_entry_k(void *p) { return p; }\n"));
  ASSERT_TRUE(entry) << entry.error().message;
  EXPECT_TRUE(entry->ends_with(".o"));
  EXPECT_TRUE(fs::exists(*entry));
  const Result<std::string> none = buildEntry(request("#error no\n"));
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(*none, "");
}

} // namespace
} // namespace agentic
