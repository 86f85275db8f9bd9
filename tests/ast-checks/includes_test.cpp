#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(Includes, FindsUnlistedHeadersWithoutOpeningThem) {
  expectFindings(R"cpp(#include <cmath>
#include "gemm.h"
#include <iostream>
#include </proc/self/environ>
#if 0
#include "/dev/zero"
#endif
#include HEADER
#include <cmath
#  include <thread>
#inc\
lude <mutex>
// #include <atomic>
/*
#include <atomic>
*/
const char *const kText = "#include <atomic>";
)cpp",
                 {{"includes", 2},
                  {"includes", 3},
                  {"includes", 4},
                  {"includes", 6},
                  {"includes", 8},
                  {"includes", 9},
                  {"includes", 10},
                  {"includes", 11}});
}

TEST(Includes, ListedHeadersAreLegal) {
  expectFindings("#include <cstddef>\n#include <cstdint>\n%: include <cstring>\n", {});
}

TEST(Includes, HeadersOutsideOwnTextAreNotJudged) {
  Unit unit;
  unit.mocks = "#include <stdio.h>";
  expectFindings("", {}, unit);
}

} // namespace
} // namespace agentic::checks
