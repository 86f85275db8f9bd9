#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(Exceptions, FindsTryAndThrow) {
  Unit unit;
  unit.mocks = "#define FAIL_IF(x) if (x) throw 1";
  expectFindings(R"cpp(namespace {
int a(int x) { try { return x; } catch (...) { return 0; } }
int b(int x) { if (x) throw 3; return x; }
template <class T> T never(T x) { throw x; }
int c(int x) { FAIL_IF(x); return x; }
int d(int x) noexcept { const char *text = "try throw"; return text[x]; } // throw
}
)cpp",
                 {{"exceptions", 2}, {"exceptions", 3}, {"exceptions", 4}, {"exceptions", 5}}, unit);
}

} // namespace
} // namespace agentic::checks
