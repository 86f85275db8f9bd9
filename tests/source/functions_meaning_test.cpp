// Tests bit-count, shift-automaton and inline-math with the real compilers: the same counts for every form and width,
// the same states, and the error that inline-math declares.
#include "tests/source/meaning_program.h"

#include <algorithm>

namespace agentic {
namespace {

const std::string kCompareCounts = R"(
using Kernel = void(const std::uint64_t *, long long *, size_t);
static void compare(Kernel *original, Kernel *variant, const char *what) {
  std::vector<std::uint64_t> data = {0, 1, 2, 3, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
                                     0x8000000000000000, 0xffffffffffffffff, 0x7fffffffffffffff, 0x100000000};
  std::uint64_t state = 1;
  while (data.size() < 300)
    data.push_back((state = state * 6364136223846793005u + 1442695040888963407u) >> data.size() % 64);
  for (size_t size = 0; size < data.size(); size += size < 70 ? 1 : 23) {
    std::vector<long long> expected(302, -1), actual(302, -1);
    original(data.data(), expected.data() + 1, size);
    variant(data.data(), actual.data() + 1, size);
    if (expected != actual) {
      std::printf("%s differs for %zu\n", what, size);
      ++failures;
      return;
    }
  }
}
)";

struct Case {
  std::string name, body;
};
const std::vector<Case> kCounts = {
    {"words", "std::uint64_t c = 0; for (size_t i = 0; i < n; ++i) { std::uint64_t x = a[i]; while (x != 0) { x &= x - "
              "1; ++c; } } out[0] = c;"},
    {"used_afterwards",
     "int c = 0; for (size_t i = 0; i < n; ++i) { unsigned x = a[i]; while (x) { x ^= x & -x; c++; } "
     "out[i] = x + c; }"},
    {"narrow",
     "int c = 0; for (size_t i = 0; i < n; ++i) { unsigned short x = a[i]; for (; x; x >>= 1) if (x & 1) ++c; "
     "unsigned char y = a[i]; while (y) { c += y & 1; y >>= 1; } } out[0] = c;"},
    {"counts_that_wrap",
     "signed char c = 0; std::uint8_t d = 0; for (size_t i = 0; i < n; ++i) { std::uint64_t x = a[i]; "
     "while (x) { x &= x - 1; ++c; } x = ~a[i]; for (; x; x = x & (x - 1)) --d; } out[0] = c * 1000 "
     "+ d;"},
    {"declared_in_the_loop", "int c = 0; for (size_t i = 0; i < n; ++i) { for (std::uint16_t x = a[i]; x; x &= x - 1) "
                             "++c; } out[0] = c;"},
    {"unbraced",
     "int c = 0; std::uint32_t x = 7; for (size_t i = 0; i < n; ++i) { x |= a[i]; if (i % 3 == 1) while (x) "
     "{ x -= x & -x; c += 1; } } out[0] = c; out[1] = x;"},
};

void testCounts(const std::string &compiler, const std::vector<std::string> &flags) {
  MeaningProgram program(kCompareCounts);
  for (const Case &test : kCounts) {
    const std::string kernel = "void f(const std::uint64_t *a, long long *out, size_t n) {\n" + test.body + "\n}\n";
    program.addKernel(test.name, kernel);
    const auto transformer = transformerFor(kernelSpec(
        kernel, {"namespace std { using uint64_t = unsigned long; using uint32_t = unsigned; using uint16_t = unsigned "
                 "short; using uint8_t = unsigned char; }"}));
    const auto offers = transformer->offers({});
    ASSERT_TRUE(offers);
    Recipe recipe;
    for (const MoveOffer &offer : *offers)
      if (offer.move == "bit-count")
        recipe.push_back({offer.move, offer.target, {}});
    ASSERT_FALSE(recipe.empty()) << test.name;
    const auto text = transformer->apply(recipe);
    ASSERT_TRUE(text) << test.name << ": " << text.error().message;
    EXPECT_NE(text->find("__builtin_popcount"), std::string::npos) << *text;
    EXPECT_EQ(text->find("while ("), std::string::npos) << *text;
    program.addVariant(*text, recipe);
  }
  program.run(compiler, flags);
}

TEST(FunctionsMeaning, CountsWithUndefinedBehaviourSanitizer) {
  testCounts("clang++-19", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"});
}
TEST(FunctionsMeaning, CountsGcc) {
  testCounts("g++", {"-O3"});
}

// Every 251st float, and all near the ends of the finite and the non-zero range: against double precision, in units of
// the result's last place. `original` decides where NaN, infinities and zeros are.
const std::string kCompareExponentials = R"(
#include <algorithm>
using Kernel = void(const float *, float *, size_t);
static double unitOf(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}
static void compare(Kernel *original, Kernel *variant, const char *what) {
  std::vector<float> x, expected, actual;
  const auto add = [&](std::uint64_t first, std::uint64_t last, std::uint64_t step) {
    for (std::uint64_t bits = first; bits <= last; bits += step) {
      const std::uint32_t word = static_cast<std::uint32_t>(bits);
      float value;
      std::memcpy(&value, &word, sizeof value);
      x.push_back(value);
    }
  };
  add(0, 0xffffffff, 251 * (STEP));
  for (const std::uint64_t sign : {0x00000000u, 0x80000000u})
    for (const std::uint64_t middle : {0x00000000u, 0x00800000u, 0x3f800000u, 0x42b17218u, 0x42aeac50u, 0x42cff1b5u, 0x42d00000u,
                                       0x7f800000u})
      add(sign + (middle < 3000 ? 0 : middle - 3000), sign + middle + 3000, 1);
  expected.resize(x.size());
  actual.resize(x.size());
  original(x.data(), expected.data(), x.size());
  variant(x.data(), actual.data(), x.size());
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(static_cast<double>(x[i]));
    const double error = std::fabs(actual[i] - exact) / unitOf(exact);
    const bool isSpecial = std::isnan(expected[i]) || std::isinf(expected[i]) || std::isinf(actual[i]);
    const bool isSame = std::isnan(expected[i]) ? std::isnan(actual[i]) : expected[i] == actual[i];
    if (isSpecial ? !isSame : !(error <= ERROR_IN_ULP)) {
      std::printf("%s: %a becomes %a instead of %a\n", what, x[i], actual[i], expected[i]);
      ++failures;
      return;
    }
    worst = isSpecial ? worst : std::max(worst, error);
  }
  if (worst < 0.5 || x.size() < 90000)
    ++failures; // nothing was compared
}
)";

void testExponentials(const std::string &compiler, std::vector<std::string> flags, int step) {
  const std::string kernel =
      "void f(const float *a, float *out, size_t n) {\nfor (size_t i = 0; i < n; ++i)\nout[i] = std::exp(a[i]);\n}\n";
  KernelSpec spec = kernelSpec(kernel, {"namespace std { float exp(float); }"});
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5};
  const auto transformer = Transformer::create(spec, {.hasTolerance = true});
  ASSERT_TRUE(transformer);
  const Recipe recipe = {{"inline-math", "i", {}}};
  const auto text = (*transformer)->apply(recipe);
  ASSERT_TRUE(text) << text.error().message;
  MeaningProgram program(kCompareExponentials);
  program.addKernel("exponentials", kernel);
  program.addVariant(*text, recipe);
  // The error that inline_math_functions.cpp declares, and that the function's comment names.
  flags.insert(flags.end(), {"-DERROR_IN_ULP=1.1", "-DSTEP=" + std::to_string(step)});
  program.run(compiler, flags);
}

TEST(FunctionsMeaning, ErrorWithUndefinedBehaviourSanitizer) {
  testExponentials("clang++-19", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"}, 7);
}
TEST(FunctionsMeaning, ErrorClang) {
  testExponentials("clang++-19", {"-O3", "-march=native", "-ffp-contract=fast"}, 1);
}
TEST(FunctionsMeaning, ErrorGcc) {
  testExponentials("g++", {"-O3"}, 1);
}
TEST(FunctionsMeaning, ErrorGccFused) {
  testExponentials("g++", {"-O3", "-march=native", "-ffp-contract=fast"}, 1);
}

const std::string kTables = R"(
constexpr unsigned char kClass[256] = {0, 1, 2, 1, 1, 0, 2};
constexpr unsigned char kNext[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
constexpr int kFlat[27] = {0, 12, 24, 3, 3, 3, 3, 3, 3, 3, 3, 3, 12, 24, 12, 3, 3, 3, 3, 3, 3, 3, 3, 3, 24, 0, 12};
constexpr short kWide[3] = {256, 257, 514};
)";

const std::string kCompareStates = R"(
using Kernel = int(const unsigned char *, const signed char *, size_t, int *);
static void compare(Kernel *original, Kernel *variant, const char *what) {
  unsigned state = 5;
  for (int round = 0; round < 400; ++round) {
    std::vector<unsigned char> s(round % 97);
    for (unsigned char &byte : s)
      byte = (state = state * 1664525u + 1013904223u) >> (round % 2 ? 24 : 29);
    std::vector<int> expected(100, -1), actual(100, -1);
    const auto *t = reinterpret_cast<const signed char *>(s.data());
    const int left = original(s.data(), t, s.size(), expected.data()), right = variant(s.data(), t, s.size(), actual.data());
    if (left != right || expected != actual) {
      std::printf("%s differs in round %d: %d instead of %d\n", what, round, right, left);
      ++failures;
      return;
    }
  }
}
)";

const std::vector<Case> kStates = {
    {"plain", "int state = 1; for (size_t i = 0; i < n; ++i) state = kNext[state][kClass[s[i]]]; return state;"},
    {"returns",
     "unsigned state = 0; for (size_t i = 0; i < n; ++i) { state = kNext[state][kClass[s[i]]]; if (state == 2 "
     "&& s[i] == 6) return i; out[i] = state; } return -state;"},
    {"premultiplied",
     "int state = 12; for (size_t i = 0; i < n; ++i) { const unsigned char byte = s[i]; const unsigned "
     "type = kClass[byte]; state = kFlat[state + type]; } return state;"},
    {"narrow_state", "unsigned char state = 0; for (size_t i = 0; i < n; ++i) { out[i] = state; state = "
                     "kWide[kNext[state][kClass[s[i]]]]; } return state;"},
    {"signed_bytes", "int state = 0; for (size_t i = 0; i < n; ++i) state = t[i] < 0 ? 0 : kNext[state][kClass[t[i] & "
                     "127]]; return state;"},
    {"in_the_condition",
     "int state = 0; for (size_t i = 0; i < n && state != 2; ++i) state = kNext[state][kClass[s[i]]]; "
     "return state;"},
    {"goes_on", "int state = 0, sum = 0; for (int k = 0; k < 3; ++k) { for (size_t i = 0; i < n; ++i) state = "
                "kNext[state][kClass[s[i] ^ 1]]; sum = sum * 3 + state; } return sum;"},
    {"bool_state",
     "bool state = false; for (size_t i = 0; i < n; ++i) state = kNext[state][kClass[s[i]]]; return state;"},
};

void testStates(const std::string &compiler, const std::vector<std::string> &flags) {
  MeaningProgram program(kCompareStates);
  for (const Case &test : kStates) {
    const std::string kernel =
        "int f(const unsigned char *s, const signed char *t, size_t n, int *out) {\n" + test.body + "\n}\n";
    program.addKernel(test.name, kTables + kernel);
    const auto transformer = transformerFor(kernelSpec(kernel, {kTables}));
    const Recipe recipe = {{"shift-automaton", "i", {}}};
    const auto text = transformer->apply(recipe);
    ASSERT_TRUE(text) << test.name << ": " << text.error().message;
    program.addVariant(kTables + *text, recipe);
  }
  program.run(compiler, flags);
}

TEST(FunctionsMeaning, StatesWithUndefinedBehaviourSanitizer) {
  testStates("clang++-19", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"});
}
TEST(FunctionsMeaning, StatesGcc) {
  testStates("g++", {"-O3"});
}

} // namespace
} // namespace agentic
