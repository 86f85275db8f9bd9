#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

Unit withType(std::string type, bool addKernel = false) {
  Unit unit;
  unit.canonicalType = std::move(type);
  unit.kernelFunction = "bmm::matmul";
  unit.addKernel = addKernel;
  return unit;
}

TEST(Signature, SameTypeUnderOtherNames) {
  expectFindings(R"cpp(typedef unsigned long Size;
extern "C" void agentic_kernel_test(const float *a, Size n, const bool b) {}
)cpp",
                 {}, withType("void (const float *, unsigned long, _Bool)"));
}

TEST(Signature, AnotherType) {
  expectFindings("\nextern \"C\" int agentic_kernel_test(float *) { return 0; }\n", {{"signature", 2}},
                 withType("void (const float *)"));
  EXPECT_THAT(messagesOf("extern \"C\" int agentic_kernel_test() { return 0; }", withType("void ()")),
              testing::ElementsAre("the kernel 'bmm::matmul' has type 'int ()'; it must be 'void ()'"));
}

TEST(Signature, MissingOrOnlyDeclared) {
  expectFindings("static int other() { return 0; }\n", {{"signature", 1}}, withType("void ()"));
  EXPECT_THAT(messagesOf("extern \"C\" void agentic_kernel_test();", withType("void ()")),
              testing::ElementsAre(testing::HasSubstr("is declared but not defined")));
}

TEST(Signature, FrameOfTheTool) {
  expectFindings("static int helper() { return 0; }\n", {}, withType("void ()", true));
}

TEST(Signature, MarkedBaseline) {
  Unit unit = withType("void (int)");
  unit.kernelSymbol = "";
  expectFindings(R"cpp(namespace bmm {
__attribute__((annotate("agentic_kernel"))) void matmul(int) {}
void matmul(float) {}
__attribute__((annotate("agentic_kernel"))) void other(int) {}
}
)cpp",
                 {}, unit);
}

} // namespace
} // namespace agentic::checks
