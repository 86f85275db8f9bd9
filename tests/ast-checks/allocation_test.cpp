#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

Unit allocationLibrary() {
  Unit unit;
  unit.mocks = R"cpp(typedef decltype(sizeof(0)) size_t;
namespace std { inline namespace v1 {
template <class T> struct vector {
  vector(); explicit vector(size_t); vector(const vector &); ~vector();
  size_t size() const; T *data(); T &operator[](size_t); void push_back(const T &); T *begin(); T *end();
};
template <class T> struct basic_string { basic_string(const char *); ~basic_string(); };
using string = basic_string<char>;
string operator+(const string &, const string &);
template <class> struct function;
template <class R> struct function<R()> { template <class F> function(F); R operator()() const; ~function(); };
} }
extern "C" { void *malloc(size_t); void free(void *); void *calloc(size_t, size_t); void *mmap(void *); }
void *operator new(size_t, void *) noexcept;
#define SCRATCH(n) malloc(n)
)cpp";
  return unit;
}

TEST(Allocation, FindsHeapInEveryForm) {
  expectFindings(R"cpp(namespace { int l();
float *a() { return new float[4]; }
void b(float *p) { delete[] p; }
void *c() { return malloc(4); }
void *d() { return SCRATCH(4); }
auto *e() { return &calloc; }
void f() { std::vector<float> v(4); }
struct Holder { std::vector<int> member; };
void g(std::vector<int> byValue) { (void)byValue.size(); }
void h(std::vector<int> &v) { v.push_back(1); }
void i() { std::string s = "x"; }
int j() { std::function<int()> f = &l; return f(); }
template <class T> T k(T n) { T *p = new T(n); return *p; }
int l() { return k(1); }
void *m() { return __builtin_alloca(4); }
void n(const std::string &s) { (void)(s + s); }
template <class T> void neverCalled(T) { std::vector<T> v; }
}
)cpp",
                 {{"allocation", 2},
                  {"allocation", 3},
                  {"allocation", 4},
                  {"allocation", 5},
                  {"allocation", 6},
                  {"allocation", 7},
                  {"allocation", 8},
                  {"allocation", 9},
                  {"allocation", 10},
                  {"allocation", 11},
                  {"allocation", 11},
                  {"allocation", 12},
                  {"allocation", 12},
                  {"allocation", 12},
                  {"allocation", 13},
                  {"allocation", 15},
                  {"allocation", 16},
                  {"allocation", 17}},
                 allocationLibrary());
}

TEST(Allocation, BuffersOfTheCallerAreLegal) {
  expectFindings(R"cpp(namespace {
float sum(std::vector<float> &v) {
  float scratch[16] = {}; // new float[16], malloc
  for (size_t i = 0; i < v.size(); ++i) scratch[i % 16] += v[i];
  for (float x : v) scratch[0] += x;
  return scratch[0] + *v.data();
}
struct Deleted { Deleted() = default; Deleted(const Deleted &) = delete; };
const char *text() { return "operator new"; }
}
)cpp",
                 {}, allocationLibrary());
}

} // namespace
} // namespace agentic::checks
