#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

TEST(IoAndClocks, FindsInputOutputClocksAndExits) {
  Unit unit;
  unit.mocks = R"cpp(extern "C" { int printf(const char *, ...); long write(int, const void *, unsigned long);
void _exit(int); char *getenv(const char *); int clock_gettime(int, void *); void abort(); long syscall(long, ...);
int setjmp(int *); int *__errno_location(); struct _IO_FILE; extern _IO_FILE *stdout; }
#define errno (*__errno_location())
#define LOG(x) printf("%d", x)
namespace std { namespace chrono { inline namespace v2 { struct steady_clock { static long now(); }; } }
struct ostream; extern ostream cout; void exit(int); }
)cpp";
  expectFindings(R"cpp(namespace {
void a(int x) { printf("[  PASSED  ]"); }
void b(int x) { LOG(x); }
void c() { write(1, "x", 1); }
void d() { _exit(0); }
bool e() { return getenv("MODE"); }
int f() { return clock_gettime(1, nullptr); }
long g() { return std::chrono::steady_clock::now(); }
auto *h() { return &abort; }
void i() { syscall(1); }
int j() { return errno; }
void *k() { return stdout; }
void *l() { return &std::cout; }
unsigned long long m() { return __builtin_readcyclecounter(); }
void *n() { return __builtin_return_address(0); }
void o() { __builtin_trap(); }
bool p() { return __builtin_cpu_supports("avx2"); }
void q() { std::exit(0); }
const char *r() { return __builtin_FILE(); }
template <class T> void s(T x) { printf("%d", x); }
void t() { s(1); }
const char *u() { return "printf(exit)";
} // getenv("PATH")
}
)cpp",
                 {{"io-and-clocks", 2},
                  {"io-and-clocks", 3},
                  {"io-and-clocks", 4},
                  {"io-and-clocks", 5},
                  {"io-and-clocks", 6},
                  {"io-and-clocks", 7},
                  {"io-and-clocks", 8},
                  {"io-and-clocks", 9},
                  {"io-and-clocks", 10},
                  {"io-and-clocks", 11},
                  {"io-and-clocks", 12},
                  {"io-and-clocks", 13},
                  {"io-and-clocks", 14},
                  {"io-and-clocks", 15},
                  {"io-and-clocks", 16},
                  {"io-and-clocks", 17},
                  {"io-and-clocks", 18},
                  {"io-and-clocks", 19},
                  {"io-and-clocks", 20}},
                 unit);
}

} // namespace
} // namespace agentic::checks
