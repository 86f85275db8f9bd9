#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kOutside = "declarations-outside";

TEST(DeclarationsOutside, FindsWhatReachesBeyond) {
  Unit unit;
  unit.mocks = "namespace std { template <class T> struct hash; inline namespace v1 { struct string_view {}; } }\n"
               "#include <stddef.h>\n";
  expectFindings(R"cpp(namespace std {
template <> struct hash<int> {};
int helper() { return 1; }
}
namespace bmm {
int exported() { return 1; }
extern const int kValue = 3;
extern "C" int clock_gettime(int, void *) { return 0; }
int elsewhere();
}
extern "C" { void RunSpecifiedBenchmarks() {} }
void *operator new(size_t) { return nullptr; }
namespace benchmark { struct State {}; }
namespace { extern "C" int hidden() { return 1; } }
extern "C" { struct S { friend int getpid() { return 0; } }; }
struct Out { int f(); static int g(); int h() { return 1; } };
int Out::f() { return 1; }
template <> struct std::hash<char> {};
)cpp",
                 {{kOutside, 2},
                  {kOutside, 3},
                  {kOutside, 6},
                  {kOutside, 7},
                  {kOutside, 8},
                  {kOutside, 9},
                  {kOutside, 11},
                  {kOutside, 12},
                  {kOutside, 13},
                  {kOutside, 14},
                  {kOutside, 15},
                  {kOutside, 17},
                  {kOutside, 18}},
                 unit);
}

TEST(DeclarationsOutside, UsingDirectives) {
  Unit unit;
  unit.arguments.push_back("-isystem/usr/include");
  unit.mocks = "#include <cstddef>";
  expectFindings(R"cpp(using namespace std;
namespace mine {}
using namespace mine;
namespace { int a() { using namespace std; return 1; } }
)cpp",
                 {{kOutside, 1}}, unit);
}

TEST(DeclarationsOutside, HelpersAreLegal) {
  expectFindings(R"cpp(static int a() { return 1; }
namespace { int b(); int b() { return a(); } struct S { int m() { return b(); } }; enum { kOne }; }
namespace bmm { namespace { template <class T> T c(T x) { return x; } int d() { return c(1); } }
static inline int e() { return 1; }
using Number = int;
constexpr int kTable[] = {1}; }
extern "C" void agentic_kernel_test() {}
)cpp",
                 {}, [] {
                   Unit unit;
                   unit.addKernel = false;
                   return unit;
                 }());
}

} // namespace
} // namespace agentic::checks
