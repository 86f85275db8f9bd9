// Tests contracts from a user's project to the real tool: wrong ones stop the configure, right ones show in `status`.
#include "tests/cmake-module/project_fixture.h"

#include <nlohmann/json.hpp>

namespace agentic::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ContractTest : public Project {
protected:
  void kernel(const std::string &contract) {
    write("src/dot.cpp",
          "#include \"dot.h\"\n#include <agentic_kernel.h>\nnamespace demo {\nAGENTIC_KERNEL\n" + contract +
              "int dot(const int *a, const int *b, int n) {\n  int s = 0;\n"
              "  for (int i = 0; i < n; ++i) s += a[i] * b[i];\n  return s;\n}\nint line() { return __LINE__; }\n}\n");
  }
  std::string configureWithTool(const std::string &compiler = "clang++-19") {
    return configure({"-DAGENTIC_KERNEL_TOOL=" AGENTIC_KERNEL_BINARY, "-DCMAKE_CXX_COMPILER=" + compiler});
  }
  std::string status(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {AGENTIC_KERNEL_BINARY, "status", "--build-dir", path("build")});
    return run(options);
  }
};

TEST_F(ContractTest, AWrongOneIsAWarningWithItsPlace) {
  for (const char *compiler : {"clang++-19", "g++"}) {
    std::filesystem::remove_all(path("build"));
    kernel("AGENTIC_IN(a, n)\nAGENTIC_IN(c, n)\n");
    const std::string output = configureWithTool(compiler);
    EXPECT_EQ(status_, 0) << output;
    EXPECT_THAT(output, HasSubstr("CMake Warning"));
    EXPECT_THAT(output, HasSubstr("src/dot.cpp:6:1: kernel 'dot': AGENTIC_IN(c, n) names 'c', which is no parameter"));
    EXPECT_THAT(output, HasSubstr("its parameters are 'a', 'b', 'n'"));
  }
}

TEST_F(ContractTest, AnEditedOneIsCheckedAgain) {
  kernel("AGENTIC_IN(a, n)\n");
  configureWithTool();
  ASSERT_EQ(status_, 0);
  kernel("AGENTIC_IN(a, n) AGENTIC_FP(strict) AGENTIC_FP(reassociate)\n");
  const std::string output = run({"ninja", "-C", "build"});
  EXPECT_EQ(status_, 0) << output;
  EXPECT_THAT(output, HasSubstr("AGENTIC_FP(reassociate) contradicts AGENTIC_FP(strict)"));
  kernel("AGENTIC_IN(a, n) AGENTIC_FP(strict)\n");
  build();
}

TEST_F(ContractTest, StatusShowsIt) {
  kernel("AGENTIC_IN(a, n) AGENTIC_IN(b, n)\nAGENTIC_REQUIRES(n % 4 == 0)\nAGENTIC_TOLERANCE(ulp 2)\n");
  configureWithTool();
  ASSERT_EQ(status_, 0);
  const std::string text = status();
  EXPECT_THAT(text, HasSubstr("  contract   in a[n]; in b[n]; requires n % 4 == 0; tolerance ulp 2\n"));
  const nlohmann::json shown = nlohmann::json::parse(status({"--json"}), nullptr, false)["kernels"][0]["contract"];
  EXPECT_EQ(shown["extents"][1]["parameter"], "b");
  EXPECT_EQ(shown["extents"][1]["direction"], "in");
  EXPECT_THAT(shown["requirements"], ElementsAre("n % 4 == 0"));
  EXPECT_EQ(shown["tolerance"]["kind"], "ulp");
  EXPECT_EQ(shown["mayReassociate"], true);

  kernel("");
  EXPECT_THAT(status(), HasSubstr("  contract   none: strict floating point, disjoint pointer arguments\n"));
  kernel("AGENTIC_IN(q, n)\n"); // not yet configured again
  EXPECT_THAT(status(), HasSubstr("names 'q', which is no parameter"));
  EXPECT_EQ(status_, 0);
}

} // namespace
} // namespace agentic::test
