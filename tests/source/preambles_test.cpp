// Tests that headers which were parsed before change nothing of what is parsed.
#include "tool/source/parse/preambles.h"

#include "tests/build/scratch.h"
#include "tests/source/transform_fixture.h"
#include "tool/source/nest/parse.h"

namespace agentic {
namespace {

class PreamblesTest : public ScratchTest {
protected:
  void SetUp() override {
    ScratchTest::SetUp();
    spec_.source = path("kernel.cpp");
    writeHeader("3");
  }
  void writeHeader(const std::string &size) {
    write("size.h", "#pragma once\nconstexpr unsigned kSize = " + size +
                        ";\nnamespace lib { inline float twice(float x) { return 2 * x; } }\n");
  }
  /// Returns what the nest says of the loop, or why there is none.
  std::string parsed(Preambles *preambles, const std::string &body = "y[i] = lib::twice(x[i]);") {
    const std::string text =
        "void f(const float *x, float *y) {\n  for (unsigned i = 0; i < kSize; ++i) {\n    " + body + "\n  }\n}\n";
    const auto nest = parseLoopNest(spec_, text, preambles);
    if (!nest)
      return nest.error().message;
    const moves::Loop &loop = *(*nest)->loops.at(0);
    return loop.name + " to " + std::to_string(loop.upperBound->asConstant().value_or(-1)) + ", " +
           std::to_string((*nest)->calls.size()) + " helpers, " + loop.problem + loop.body.at(0).problem;
  }

  KernelSpec spec_ = kernelSpec("", {"#include \"size.h\""});
};

TEST_F(PreamblesTest, ChangeNothingOfWhatIsParsed) {
  Preambles preambles;
  const std::string plain = parsed(nullptr);
  EXPECT_THAT(plain, testing::StartsWith("i to 3, ")) << plain;
  for (int time = 0; time < 4; ++time)
    EXPECT_EQ(parsed(&preambles), plain) << time;
  const std::string other = "y[i] = x[i] + 1;";
  EXPECT_EQ(parsed(&preambles, other), parsed(nullptr, other));
}

TEST_F(PreamblesTest, ReportTheErrorsOfTheUnitItself) {
  Preambles preambles;
  const std::string wrong = "y[i] = lib::thrice(x[i]);";
  const std::string plain = parsed(nullptr, wrong);
  EXPECT_THAT(plain, testing::HasSubstr("no member named 'thrice' in namespace 'lib'"));
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(parsed(&preambles, wrong), plain) << time;
  EXPECT_EQ(parsed(&preambles), parsed(nullptr)) << "the next one is not harmed";
}

TEST_F(PreamblesTest, NoticeThatAHeaderChanged) {
  Preambles preambles;
  for (int time = 0; time < 3; ++time)
    EXPECT_THAT(parsed(&preambles), testing::StartsWith("i to 3, "));
  writeHeader("12345");
  EXPECT_THAT(parsed(&preambles), testing::StartsWith("i to 12345, "));
  EXPECT_THAT(parsed(&preambles), testing::StartsWith("i to 12345, "));
}

TEST_F(PreamblesTest, DoWithoutOnesThatDoNotParse) {
  Preambles preambles;
  spec_.prelude.push_back("#include \"missing.h\"");
  const std::string plain = parsed(nullptr);
  EXPECT_THAT(plain, testing::HasSubstr("'missing.h' file not found"));
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(parsed(&preambles), plain) << time;
}

} // namespace
} // namespace agentic
