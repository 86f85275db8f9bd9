#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kAssumptions = "assumptions";

TEST(Assumptions, NotesWhatTheCompilerIsTold) {
  expectNotes(R"cpp(#include <utility>
namespace {
int a(int n) { __builtin_assume(n % 16 == 0); return n; }
int b(int n) { if (n < 0) __builtin_unreachable(); return n; }
float c(const float *p) { return *(const float *)__builtin_assume_aligned(p, 64); }
template <class T> T d(T n) { __builtin_assume(n > 0); return n; }
int e(int n) {
  return d(n);
}
}
)cpp",
              {{kAssumptions, 3}, {kAssumptions, 4}, {kAssumptions, 5}, {kAssumptions, 6}});
}

TEST(Assumptions, HintsAreLegal) {
  expectNotes(R"cpp(#include <cassert>
namespace {
int a(int n) { if (__builtin_expect(n > 0, 1)) return 1; return 2; }
int b(int n) { assert(n > 0); if (n > 3) [[likely]] return 1; return 2; }
}
)cpp",
              {});
}

} // namespace
} // namespace agentic::checks
