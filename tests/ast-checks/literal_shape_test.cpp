#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kLiteralShape = "literal-shape";

TEST(LiteralShape, NotesComparisonsWithOneSize) {
  expectNotes(
      R"cpp(#include <cstddef>
#include <span>
namespace {
int a(std::size_t n) { return n == 1024 ? 1 : 2; }
int b(std::size_t n) { if (1024 != n) return 1; return 2; }
int c(std::span<const float> values) { return values.size() == 4096; }
int d(int n) { switch (n) { case 2: return 1; case 256: return 2; } return 3; }
int e(int n) { const int rows = n; return rows == 300; }
struct Shape { int rows; };
int f(const Shape &s) { return s.rows == 777; }
template <class T> int g(T n) { return n == 512; }
int h(int n) {
#define SIZE 640
  return g(n) + (n == SIZE);
}
constexpr int kRows = 1 << 10;
int i(int n) { return n == kRows; }
}
)cpp",
      {{kLiteralShape, 4},
       {kLiteralShape, 5},
       {kLiteralShape, 6},
       {kLiteralShape, 7},
       {kLiteralShape, 8},
       {kLiteralShape, 10},
       {kLiteralShape, 11},
       {kLiteralShape, 14},
       {kLiteralShape, 17}});
}

TEST(LiteralShape, TailsAndBoundsAreLegal) {
  expectNotes(R"cpp(namespace {
int a(int n) { return n == 0 || n == 1 || n == 16; }
int b(int n) { return n % 64 == 0; }
int c(int n) { return n > 1024; }
int d(const int *p) { return p[0] == 1024; }
int e() { int x = 1024; return x == 1024; }
}
)cpp",
              {});
}

} // namespace
} // namespace agentic::checks
