#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

Unit threadsLibrary() {
  Unit unit;
  unit.mocks = R"cpp(namespace std { inline namespace v1 {
struct thread { template <class F> explicit thread(F) {} void join(); ~thread(); };
template <class T> struct atomic { T load() const; T value; };
struct mutex { void lock(); };
template <class F> void async(F);
} }
extern "C" int pthread_create(void *, void *, void *(*)(void *), void *);
extern "C" int fork();
#define PARALLEL _Pragma("omp parallel for")
)cpp";
  return unit;
}

TEST(Threads, FindsThreadsLocksAndAtomics) {
  expectFindings(R"cpp(namespace {
void a() { std::thread worker(1); }
int b(const std::atomic<int> &x) { return x.load(); }
void c() { std::async(1); }
int d(int *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
int e(int *p) { return __sync_fetch_and_add(p, 1); }
auto *f() { return &pthread_create; }
int g() { return fork(); }
template <class T> void h(T &m) { m.lock(); }
void i(std::mutex &m) { h(m); }
void j() { typedef std::thread Worker; }
_Atomic int *k() { return nullptr; }
}
)cpp",
                 {{"threads", 2},
                  {"threads", 3},
                  {"threads", 3},
                  {"threads", 4},
                  {"threads", 5},
                  {"threads", 6},
                  {"threads", 7},
                  {"threads", 8},
                  {"threads", 9},
                  {"threads", 10},
                  {"threads", 11},
                  {"threads", 12}},
                 threadsLibrary());
}

TEST(Threads, OpenMpRegionsButNotSimd) {
  expectFindings(R"cpp(namespace {
void a(float *p) {
#pragma omp parallel for
  for (int i = 0; i < 4; ++i) p[i] = 0;
  PARALLEL
  for (int i = 0; i < 4; ++i) p[i] = 0;
#pragma omp simd
  for (int i = 0; i < 4; ++i) p[i] = 0;
  _Pragma("omp task") p[0] = 1;
}
}
)cpp",
                 {{"threads", 3}, {"threads", 5}, {"threads", 9}}, threadsLibrary());
}

TEST(Threads, NamesOfOnesOwnAreLegal) {
  expectFindings(R"cpp(namespace {
struct Thread { int atomic = 0; };
int thread(Thread t) { return t.atomic; } // std::thread, pthread_create
const char *text() { return "std::thread"; }
int use() { return thread({}) + text()[0]; }
}
)cpp",
                 {}, threadsLibrary());
}

} // namespace
} // namespace agentic::checks
