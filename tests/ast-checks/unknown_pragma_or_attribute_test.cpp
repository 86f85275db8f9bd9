#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(UnknownPragmaOrAttribute, FindsListedOnesThatClangIgnores) {
  expectFindings(
      R"cpp(namespace {
typedef int Number __attribute__((always_inline));
__attribute__((hot)) typedef int Other;
void a(float *p) {
#pragma unroll 4 4
  for (int i = 0; i < 4; ++i) p[i] = 0;
}
}
)cpp",
      {{"unknown-pragma-or-attribute", 2}, {"unknown-pragma-or-attribute", 3}, {"unknown-pragma-or-attribute", 5}});
}

TEST(UnknownPragmaOrAttribute, KeepsQuietWhereAnotherCheckSpoke) {
  expectFindings(R"cpp(namespace {
[[vendor::unheard]] void a() {}
#pragma unheard of
}
)cpp",
                 {{"attributes", 2}, {"pragmas", 3}});
}

TEST(UnknownPragmaOrAttribute, FlagsOfTheProjectDoNotSilenceIt) {
  Unit unit;
  unit.arguments = {"-std=c++20", "-w", "-Wno-ignored-attributes", "-Wno-everything"};
  expectFindings("typedef int Number __attribute__((always_inline));\n", {{"unknown-pragma-or-attribute", 1}}, unit);
}

TEST(UnknownPragmaOrAttribute, OtherWarningsAreNoFindings) {
  expectFindings("namespace { int a(unsigned x) { int unused; if (x = 1) return -1 < x; return 0; } }\n", {});
}

} // namespace
} // namespace agentic::checks
