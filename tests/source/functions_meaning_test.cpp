// Tests bit-count, shift-automaton, byte-lanes and inline-math with the real compilers: the same counts for every form
// and width, the same states and bytes, and the error that inline-math declares.
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
const std::string kCompareWithExact = R"(
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
    const double exact = std::EXACT(static_cast<double>(x[i]));
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

/// `function` of the library, with the error that inline_math_functions.cpp declares and the replacement's comment
/// names.
void testMath(const std::string &function, const std::string &errorInUlp, const std::string &compiler,
              std::vector<std::string> flags, int step) {
  const std::string kernel =
      "void f(const float *a, float *out, size_t n) {\nfor (size_t i = 0; i < n; ++i)\nout[i] = std::" + function +
      "(a[i]);\n}\n";
  KernelSpec spec = kernelSpec(kernel, {"namespace std { float " + function + "(float); }"});
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5};
  const auto transformer = Transformer::create(spec, {.hasTolerance = true});
  ASSERT_TRUE(transformer);
  const Recipe recipe = {{"inline-math", "i", {}}};
  const auto text = (*transformer)->apply(recipe);
  ASSERT_TRUE(text) << text.error().message;
  MeaningProgram program(kCompareWithExact);
  program.addKernel("of_" + function, kernel);
  program.addVariant(*text, recipe);
  flags.insert(flags.end(), {"-DEXACT=" + function, "-DERROR_IN_ULP=" + errorInUlp, "-DSTEP=" + std::to_string(step)});
  program.run(compiler, flags);
}

void testEach(const std::string &compiler, const std::vector<std::string> &flags, int step) {
  testMath("exp", "1.1", compiler, flags, step);
  testMath("log", "0.9", compiler, flags, step);
  testMath("tanh", "1.5", compiler, flags, step);
  testMath("erfc", "8.2", compiler, flags, step);
  testMath("sqrt", "0.9", compiler, flags, step);
}

TEST(FunctionsMeaning, ErrorWithUndefinedBehaviourSanitizer) {
  testEach("clang++-19", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"}, 7);
}
TEST(FunctionsMeaning, ErrorClang) {
  testEach("clang++-19", {"-O3", "-march=native", "-ffp-contract=fast"}, 1);
}
TEST(FunctionsMeaning, ErrorGcc) {
  testEach("g++", {"-O3"}, 1);
}
TEST(FunctionsMeaning, ErrorGccFused) {
  testEach("g++", {"-O3", "-march=native", "-ffp-contract=fast"}, 1);
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

/// Every entry is one that the bytes in front of it do not tell.
std::string valuesOf(const std::string &characters) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) {
    const auto at = byte == 0 ? std::string::npos : characters.find(static_cast<char>(byte));
    text += (at == std::string::npos ? "-1" : std::to_string(at)) + ", ";
  }
  return text;
}

const std::string kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const std::string kCodes = "static const signed char kValue[256] = {" + valuesOf(kCharacters) +
                           "};\nstatic const unsigned char kCharacter[65] = \"" + kCharacters +
                           "\";\nstatic const char kHex[17] = \"0123456789abcdef\";\n";

// Buffers end where the kernel may no longer read or write; what is not written stays as it is.
const std::string kCompareBytes = R"(
using Kernel = long(const unsigned char *, const signed char *, unsigned char *, size_t);
static void compare(Kernel *original, Kernel *variant, const char *what) {
  static const char kText[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned state = 5;
  for (int round = 0; round < 3000; ++round) {
    const size_t size = round < 600 ? round % 300 : round % 61 * 16;
    std::vector<unsigned char> s(size), expected(4 * size, 77);
    std::vector<signed char> t(size);
    for (size_t i = 0; i < size; ++i) {
      state = state * 1664525u + 1013904223u;
      const int kind = round % 4;
      s[i] = kind == 0 ? state >> 24 : kind == 1 ? "0123456789abcdefABCDEF"[(state >> 8) % 22] : kText[(state >> 8) % 64];
      if (kind == 3 && (state >> 16) % 200 == 0)
        s[i] = state >> 24;
      t[i] = static_cast<signed char>(s[i]);
    }
    std::vector<unsigned char> actual = expected;
    const long left = original(s.data(), t.data(), expected.data(), size);
    const long right = variant(s.data(), t.data(), actual.data(), size);
    if (left != right || expected != actual) {
      std::printf("%s differs in round %d for %zu: %ld instead of %ld\n", what, round, size, right, left);
      ++failures;
      return;
    }
  }
}
)";

struct BytesCase {
  std::string name, before, body;
};
const std::vector<BytesCase> kBytes = {
    {"four_to_three", "normalise(i); ",
     "size_t o = 0; for (size_t i = 0; i + 4 <= n; i += 4) { int a = kValue[s[i]], b = kValue[s[i + 1]], c = "
     "kValue[s[i + 2]], d = kValue[s[i + 3]]; if ((a | b | c | d) < 0) return -1; unsigned v = (unsigned)a << 18 | "
     "(unsigned)b << 12 | (unsigned)c << 6 | (unsigned)d; out[o++] = (unsigned char)(v >> 16); out[o++] = (unsigned "
     "char)(v >> 8); out[o++] = (unsigned char)v; } return (long)o;"},
    {"three_to_four", "",
     "for (size_t i = 0; i < n / 3; ++i) { const unsigned v = s[3 * i] << 16 | s[3 * i + 1] << 8 | s[3 * i + 2]; "
     "out[4 * i] = kCharacter[v >> 18]; out[4 * i + 1] = kCharacter[v >> 12 & 63]; out[4 * i + 2] = kCharacter[v >> 6 "
     "& "
     "63]; out[4 * i + 3] = kCharacter[v & 63]; } return 1;"},
    {"two_to_one", "",
     "for (size_t i = 0; i < n / 2; ++i) { int v = 0; const unsigned char c = s[2 * i], d = s[2 * i + 1]; const "
     "int high = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' "
     "+ "
     "10 : -1, low = d >= '0' && d <= '9' ? d - '0' : d >= 'a' && d <= 'f' ? d - 'a' + 10 : d >= 'A' && d <= 'F' ? d - "
     "'A' + 10 : -1; if (high < 0 || low < 0) return i; v = high * 16 + low; out[i] = v; } return -1;"},
    {"one_to_two", "",
     "for (size_t i = 0; i < n; ++i) { out[2 * i] = kHex[s[i] >> 4]; out[2 * i + 1] = kHex[s[i] & 15]; } return n;"},
    {"letters", "",
     "for (size_t i = 0; i < n; ++i) { const unsigned char c = s[i]; out[i] = kValue[c] < 0 ? '.' : c >= 'a' && c "
     "<= 'z' ? c - 32 : c; } return 0;"},
    {"classes_of_one", "",
     "for (int i = 0; i < (int)n; ++i) out[i] = kValue[(unsigned char)t[i]] >= 52 ? 2 : kValue[(unsigned "
     "char)t[i]] >= 0; return 0;"},
    {"in_place", "",
     "for (size_t i = 0; i < n; ++i) out[i] = s[i]; for (size_t j = 0; j < n; ++j) { if (out[j] == '+') break; "
     "out[j] = kValue[out[j]]; } return 3;"},
    {"until_a_byte", "", "for (size_t i = 0; i < n; ++i) { if (s[i] >= 128) return i; out[i] = s[i] + 9; } return n;"},
    {"valid", "",
     "for (size_t i = 0; i < n / 3; ++i) if (kValue[s[3 * i]] < 0 || (kValue[s[3 * i + 1]] | kValue[s[3 * i "
     "+ 2]]) < 0) return i; return n;"},
    {"wider", "",
     "for (size_t i = 0; i < n; ++i) { out[4 * i] = t[i]; out[4 * i + 1] = t[i] < 0 ? 255 : 0; out[4 * i + 2] = 3; "
     "out[4 * i + 3] = 0; } return 0;"},
    {"bits", "",
     "for (size_t i = 0; i < n / 4; ++i) out[i] = (s[4 * i] & 1) | (s[4 * i + 1] & 2) | (s[4 * i + 2] >> 5 & 4) | "
     "(s[4 * i + 3] & 0xf0); return 0;"},
    {"exchanged", "",
     "for (size_t i = 0; i < n / 3; ++i) { out[3 * i + 2] = s[3 * i]; out[3 * i] = s[3 * i + 2]; out[3 * i + 1] = "
     "s[3 * i + 1]; } return 0;"},
    {"mixed", "",
     "for (size_t i = 1; i < n / 4; ++i) { out[4 * i + 1] = 255; out[4 * i + 2] = s[4 * i] + 1; out[4 * i + 3] = s[4 "
     "* i + 2] >> 1; out[4 * i] = kValue[s[4 * i + 1]] + s[4 * i + 3] / 256 * 2; } return 5;"},
};

void testBytes(const std::string &compiler, const std::vector<std::string> &flags) {
  MeaningProgram program(kCompareBytes);
  for (const BytesCase &test : kBytes) {
    const std::string kernel =
        "long f(const unsigned char *s, const signed char *t, unsigned char *out, size_t n) {\n" + test.body + "\n}\n";
    program.addKernel(test.name, kCodes + kernel);
    KernelSpec spec = kernelSpec(kernel, {kCodes});
    spec.contract.extents = {{"s", Direction::In, "n"}, {"out", Direction::InOut, "n"}};
    for (const char *sizes : {"bytes=16, vectors=1", "bytes=32, vectors=2", "bytes=64, vectors=3"}) {
      const auto transformer = transformerFor(spec);
      const std::string loop = test.name == "in_place" ? "j" : "i";
      const auto recipe = parseRecipe(test.before + "byte-lanes(" + loop + ", " + sizes + ")");
      ASSERT_TRUE(recipe);
      const auto text = transformer->apply(*recipe);
      ASSERT_TRUE(text) << test.name << ": " << text.error().message;
      program.addVariant(kCodes + *text, *recipe);
    }
  }
  program.run(compiler, flags);
}

TEST(FunctionsMeaning, BytesWithSanitizer) {
  testBytes("clang++-19", {"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
}
TEST(FunctionsMeaning, BytesClang) {
  testBytes("clang++-19", {"-O3", "-march=native"});
}
TEST(FunctionsMeaning, BytesGcc) {
  testBytes("g++", {"-O3"});
}
TEST(FunctionsMeaning, BytesGccNative) {
  testBytes("g++", {"-O3", "-march=native"});
}

} // namespace
} // namespace agentic
