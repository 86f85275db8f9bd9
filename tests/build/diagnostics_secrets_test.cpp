// Tests real compilers that a candidate makes fail inside other files: no line of those is shown.
#include "tests/build/scratch.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

class Secrets : public ScratchTest, public testing::WithParamInterface<const char *> {
protected:
  /// Returns the feedback for a unit that does not compile.
  std::string feedback(const std::string &code) const {
    const std::string unit = write("work/unit.cpp", code);
    ProcessSpec spec;
    spec.argv = {GetParam(), "-std=c++20", "-I" + path("include"), "-c", unit, "-o", path("unit.o")};
    spec.mergeOutput = true;
    const auto result = runProcess(spec);
    EXPECT_TRUE(result && !result->ok()) << "it compiles";
    return result ? filterDiagnostics(result->out, unit, "fast.cpp") : std::string();
  }
};

TEST_P(Secrets, LinesOfHeadersAreNotShown) {
  const std::string text = feedback("#include <algorithm>\n#include <vector>\nstruct S {};\n"
                                    "void f(S *p) { std::sort(p, p + 3); }\n");
  EXPECT_THAT(text, HasSubstr("error"));
  const auto header = readFile("/usr/include/c++/12/bits/predefined_ops.h");
  if (!header)
    GTEST_SKIP() << "the library's headers are elsewhere";
  for (const std::string &line : split(*header, '\n'))
    if (trim(line).size() > 30) {
      EXPECT_THAT(text, Not(HasSubstr(std::string(trim(line)))));
    }
}

TEST_P(Secrets, LinesOfProjectFilesAreNotShown) {
  write("include/hidden.h", "template <class T> auto twice(T x) { return x.the_secret_member; }\n");
  const std::string text = feedback("#include \"hidden.h\"\nint f() { return twice(3); }\n");
  EXPECT_THAT(text, HasSubstr("error"));
  EXPECT_THAT(text, Not(HasSubstr("return x.")));
  EXPECT_THAT(text, Not(HasSubstr("auto twice")));
}

// A line marker names any file as the place of an error, and compilers then print that file's line.
TEST_P(Secrets, LinesThatAMarkerPointsToAreNotShown) {
  const std::string hidden = write("tests/unit.cpp", "int the_secret = 42;\n");
  for (const std::string &marker :
       std::vector<std::string>{"#line 1 \"" + hidden + "\"\n", "# 1 \"/etc/passwd\"\n", "#line 1 \"unit.cpp\"\n"}) {
    const std::string text = feedback(marker + "int f() { return undeclared; }\n");
    EXPECT_THAT(text, HasSubstr("error"));
    EXPECT_THAT(text, Not(HasSubstr("the_secret"))) << marker;
    EXPECT_THAT(text, Not(HasSubstr("root:"))) << marker;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Secrets, testing::Values("clang++-19", "g++"),
                         [](const auto &info) { return std::string(info.param) == "g++" ? "gcc" : "clang"; });

} // namespace
} // namespace agentic
