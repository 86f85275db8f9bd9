#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kAttributes = "attributes";

TEST(Attributes, FindsWhatIsNotListed) {
  Unit unit;
  unit.mocks = "#define WEAK __attribute__((used))\n#define BEGIN_ATTRIBUTE __attribute__((";
  expectFindings(R"cpp(namespace {
__attribute__((constructor)) void a() {}
[[gnu::used]] void b() {}
__attribute__((noinline, target("avx512f"))) void c() {}
__attribute__((__pure__)) int d() { return 1; }
__attribute__((const)) int e() { return 1; }
void f() { int x __attribute__((cleanup(f2))) = 0; }
[[clang::optnone]] void g() {}
__attribute__((section("x"))) const int kTable = 1;
int h() WEAK;
__attribute__((optimize("O3"))) void i() {}
[[vendor::unheard]] void j() {}
[[using gnu: hot, destructor]] void k() {}
template <class T> [[gnu::no_sanitize("address")]] void l(T) {}
__attribute__((annotate("other"))) void m() {}
BEGIN_ATTRIBUTE destructor)) void n() {}
int o(int x) { [[assume(x > 0)]]; return x; }
}
)cpp",
                 {{kAttributes, 2},
                  {kAttributes, 3},
                  {kAttributes, 4},
                  {kAttributes, 5},
                  {kAttributes, 6},
                  {kAttributes, 7},
                  {kAttributes, 8},
                  {kAttributes, 9},
                  {kAttributes, 10},
                  {kAttributes, 11},
                  {kAttributes, 12},
                  {kAttributes, 13},
                  {kAttributes, 14},
                  {kAttributes, 15},
                  {kAttributes, 16},
                  {kAttributes, 17}},
                 [&] {
                   Unit with = unit;
                   with.mocks += "\nstatic void f2(int *) {}";
                   return with;
                 }());
}

TEST(Attributes, TheListIsLegal) {
  expectFindings(R"cpp(namespace {
__attribute__((always_inline)) inline int a() { return 1; }
[[gnu::noinline]] [[gnu::hot]] int b() { return 1; }
[[nodiscard, maybe_unused]] int c(int x) { if (x) [[likely]] return 1; else [[unlikely]] return 2; }
typedef float Vector __attribute__((vector_size(32), aligned(4), may_alias));
typedef float Wide __attribute__((__ext_vector_type__(8)));
struct __attribute__((packed)) Block { unsigned short scale; unsigned char values[16]; };
__attribute__((target("prefer-vector-width=512"))) void d() {}
__attribute__((annotate("agentic_kernel"))) void e() {}
__attribute__((cold, flatten, unused)) void f() {}
int g(int x) { switch (x) { case 1: x = 2; [[fallthrough]]; default: return x; } }
alignas(64) constexpr int kTable[] = {1};
int h(const int (*p)[2], int i) { return p[p[0][i]][0]; } // __attribute__((weak))
const char *text() { return "__attribute__((constructor))";
}
}
)cpp",
                 {});
}

TEST(Attributes, MessageNamesAttributeAndAlternatives) {
  EXPECT_THAT(
      messagesOf("[[gnu::weak]] static void f() {}"),
      testing::Contains(testing::StartsWith("attribute 'gnu::weak' is not allowed; allowed are always_inline")));
}

} // namespace
} // namespace agentic::checks
