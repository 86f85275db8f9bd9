#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kState = "state-outlives-call";

TEST(StateOutlivesCall, FindsEveryFormOfState) {
  expectFindings(R"cpp(namespace {
int counter;
thread_local int perThread = 0;
__thread int older;
inline int shared = 1;
struct Holder { static inline int member = 2; };
template <class T> T memo = T();
int useMemo() { return memo<int>; }
int local() { static int calls = 0; return ++calls; }
int lambda() { return [] { static int calls = 0; return ++calls; }(); }
int generic() { return [](auto x) { static int calls = 0; return calls += x; }(1); }
template <class T> T twice(T x) { static T last; return last = x; }
int useTwice() { return twice(1); }
int localClass() { struct S { int next() { static int n = 0; return ++n; } } s; return s.next(); }
int defaulted(int x = [] { static int n = 0; return ++n; }()) { return x; }
static constinit int initialised = 3;
extern const int elsewhere;
static union { int word; };
using Closure = decltype([] { static int n = 0; return ++n; });
template <auto F = [] { static int n = 0; return ++n; }> int argument() { return F(); }
struct Member { int x = [] { static int n = 0; return ++n; }(); };
int bound() { static auto [x, y] = [] { struct P { int a, b; }; return P{1, 2}; }(); return x + y; }
const volatile int changing = 4;
}
)cpp",
                 {{kState, 2},  {kState, 3},  {kState, 4},  {kState, 5},  {kState, 6},  {kState, 7},  {kState, 9},
                  {kState, 10}, {kState, 11}, {kState, 12}, {kState, 14}, {kState, 15}, {kState, 16}, {kState, 17},
                  {kState, 18}, {kState, 19}, {kState, 20}, {kState, 21}, {kState, 22}, {kState, 23}});
}

TEST(StateOutlivesCall, ConstIsNotEnough) {
  expectFindings(
      R"cpp(namespace {
int compute() { return 1; }
struct Cell { mutable int value = 0; };
struct Nested { Cell cells[2]; };
struct Closer { constexpr Closer() {} ~Closer() { } };
const int atStart = compute();
const Cell hidden;
const Nested nested;
constexpr Cell constant;
static const Closer closer;
constexpr int &&temporary = 5;
int const &bound = compute();
int local() { static const int first = compute(); return first; }
}
)cpp",
      {{kState, 6}, {kState, 7}, {kState, 8}, {kState, 9}, {kState, 10}, {kState, 11}, {kState, 12}, {kState, 13}});
}

TEST(StateOutlivesCall, TablesAndLocalsAreLegal) {
  expectFindings(R"cpp(namespace {
constexpr int kTable[] = {1, 2, 3};
const float kWeights[2] = {0.5f, 0.25f};
static const char *const kName = "static int cache; thread_local";
template <class T> constexpr T kPi = T(3.14);
struct Sizes { static constexpr int kBlock = 16; int values[4] = {}; };
template <int N> struct Table { static constexpr int kSquares[2] = {N, N * N}; };
const int &kFirst = kTable[0];
int use(int i) {
  static constexpr int kLocal[2] = {1, 2};
  const int local = i;
  int scratch[8] = {};
  Sizes sizes;
  // a static cache that is only mentioned
  const char *text = "static int x; thread_local int y;";
  return kTable[i] + kLocal[local] + scratch[0] + int(kPi<float>) + Table<3>::kSquares[1] + sizes.values[0] +
         kFirst + text[0] + kName[0] + int(kWeights[0]) + Sizes::kBlock;
}
}
)cpp",
                 {});
}

TEST(StateOutlivesCall, MacrosHideNothing) {
  Unit unit;
  unit.mocks = "#define REMEMBER(type, name) static type name\n#define KEEP static";
  expectFindings(R"cpp(namespace {
int fromClosure() { REMEMBER(int, calls); return ++calls; }
int joined() {
#define WORD KEEP
  WORD int n = 0;
#undef WORD
  return ++n;
}
int spliced() { sta\
tic int n = 0; return ++n; }
}
)cpp",
                 {{kState, 2}, {kState, 5}, {kState, 10}}, unit);
}

TEST(StateOutlivesCall, VariablesOfOthers) {
  Unit unit;
  unit.mocks = "int counter; const int kLimit = 3; extern int errorNumber; static int table[2] = {1, 2};";
  expectFindings(R"cpp(namespace {
int touch() { return ++counter; }
int limit() { return kLimit; }
int external() { return errorNumber; }
int read() { return table[0]; }
}
)cpp",
                 {{kState, 2}, {kState, 4}, {kState, 5}}, unit);
}

TEST(StateOutlivesCall, MessageNamesVariableAndAlternative) {
  EXPECT_THAT(messagesOf("static int *f() { static int cache[4]; return cache; }"),
              testing::ElementsAre(
                  "static variable 'cache' keeps state between calls; use a local variable or a constexpr table"));
}

} // namespace
} // namespace agentic::checks
