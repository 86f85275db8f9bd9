#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kUninstantiatedCode = "uninstantiated-code";

TEST(UninstantiatedCode, FindsTemplatesThatNothingInstantiates) {
  expectFindings(R"cpp(namespace {
template <class T> auto a(T x) { return x.size(); }
template <class T> T *b(T x) { return (float *)x; }
template <class T> struct V { T v; T sum() const { return v.sum(); } };
float c(V<float> v) { return v.v; }
void d() { auto f = [](auto x) { return x.foo(); }; (void)f; }
template <class T> int e(T x) { return T::hidden(x); }
template <class T> int f(T x) { return found_later(x); }
}
)cpp",
                 {{kUninstantiatedCode, 2},
                  {kUninstantiatedCode, 3},
                  {kUninstantiatedCode, 4},
                  {kUninstantiatedCode, 6},
                  {kUninstantiatedCode, 7},
                  {kUninstantiatedCode, 8}});
}

TEST(UninstantiatedCode, FindsProbesOfWhatExists) {
  expectFindings(R"cpp(namespace {
template <class T> concept Probe = requires(T t) { t.hidden(); };
template <class T, class = decltype(T().secret())> int a(T) { return 1; }
template <class T> auto b(T x) -> decltype(x.other()) { return x.other(); }
int c() { return requires { 1 + 1; }; }
}
)cpp",
                 {{kUninstantiatedCode, 2},
                  {kUninstantiatedCode, 3},
                  {kUninstantiatedCode, 4},
                  {kUninstantiatedCode, 4},
                  {kUninstantiatedCode, 5}});
}

TEST(UninstantiatedCode, WhatIsInstantiatedIsLegal) {
  for (const char *standard : {"-std=c++17", "-std=c++20"})
    expectFindings(R"cpp(#include <algorithm>
#include <numeric>
namespace {
template <class T> T unused(T x) { return x + x * T(2); }
struct Own { int size() const { return 3; } };
template <class T> auto size(T x) { return x.size(); }
int a(Own o) { return size(o); }
template <class T> struct V {
  T v;
  V operator-(V o) const { return {v - o.v}; }
  V operator+(V o) const { return {v + o.v}; }
};
float b(V<float> x) { return (x + x).v; }
template <class F> auto call(F f) -> decltype(f(2)) { return f(2); }
int c() { return call([](auto x) { return x + 1; }); }
void d(Own *p, float *q) {
  std::for_each(p, p + 4, [](auto &x) { x.size(); });
  std::transform(q, q + 4, q, [](auto x) { return static_cast<decltype(x)>(x * 2); });
  std::sort(p, p + 4, [](const auto &x, const auto &y) { return x.size() < y.size(); });
}
float e(const float *q) { return std::accumulate(q, q + 4, 0.0f, [](auto s, auto x) { return s + float(x); }); }
template <int N> int count(const int *p) { int n = 0; for (int i = 0; i < N; ++i) n += p[i]; return n; }
}
)cpp",
                   {}, {.arguments = {standard}});
}

// Only an instantiation shows what such a cast is.
TEST(UninstantiatedCode, WhatAnAlgorithmInstantiatesIsJudged) {
  for (const char *standard : {"-std=c++17", "-std=c++20"})
    expectFindings("#include <algorithm>\nnamespace {\nvoid a(unsigned long *p) {\n"
                   "  std::for_each(p, p + 4, [](auto x) { *(float *)x = 0; });\n}\n}\n",
                   {{"forged-pointers", 4}}, {.arguments = {standard}});
}

TEST(UninstantiatedCode, ABaselineMayDoAsItLikes) {
  expectFindings("template <class T> int unused(T x) { return x.size() + requires { x.other(); }; }\n"
                 "__attribute__((annotate(\"agentic_kernel\"))) int f() { return 1; }\n",
                 {}, {.arguments = {"-std=c++20"}, .kernelSymbol = ""});
}

} // namespace
} // namespace agentic::checks
