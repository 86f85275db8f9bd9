// Tests split-reduction, split-scan and privatize with the real compilers: they must give the original's results. With
// these numbers sums and products are exact in any order; a NaN and zeros of both signs are among them.
#include "tests/source/meaning_program.h"
#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

const std::string kCompare = R"(
using Kernel = float(const float *, const int *, size_t, int, float *);
static bool isSame(float left, float right) { return left == right || (left != left && right != right); }
static void compare(Kernel *original, Kernel *variant, const char *what) {
  for (int data = 0; data < 3; ++data)
    for (const size_t n : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 97})
      for (const int m : {-40, -1, 0, 1, 5, 90}) {
        std::vector<float> a(400), expected(400), actual(400);
        std::vector<int> d(400);
        unsigned state = 7u + data;
        for (size_t i = 0; i < a.size(); ++i) {
          state = state * 1664525u + 1013904223u;
          const int number = static_cast<int>(state >> 20) % 61 - 30;
          a[i] = data == 1 ? (number & 1 ? -0.0f : 0.0f) : static_cast<float>(number);
          if (data == 2 && number % 9 == 4)
            a[i] = NAN;
          d[i] = data == 1 ? (i % 2 ? -2147483647 : 2147483647) : number;
          expected[i] = actual[i] = -1;
        }
        const float left = original(a.data() + 100, d.data() + 100, n, m, expected.data() + 100);
        const float right = variant(a.data() + 100, d.data() + 100, n, m, actual.data() + 100);
        bool same = isSame(left, right);
        for (size_t i = 0; i < expected.size(); ++i)
          same &= isSame(expected[i], actual[i]);
        if (!same) {
          std::printf("%s differs for n=%zu m=%d data %d: %g instead of %g\n", what, n, m, data, right, left);
          ++failures;
          return;
        }
      }
}
)";

struct Case {
  std::string name, recipe, body;
  bool mayReassociate = true;
};

std::string kernelOf(const Case &test) {
  return "float f(const float *a, const int *d, size_t n, int m, float *out) {\n" + test.body + "\n}\n";
}

const std::string kLanes = "split-reduction(i, lanes=4)|split-reduction(i, lanes=7)|split-reduction(i, lanes=32)|"
                           "split-reduction(i, lanes=64)|split-reduction(i, form=1, lanes=8)|split-reduction(i, "
                           "form=2, lanes=8)";

const std::string kCopies =
    "privatize(i, copies=2)|privatize(i, copies=8)|privatize(i, copies=5)|privatize(i, bits=16, copies=4)";
const std::string kBlocks = "split-scan(i, block=2)|split-scan(i, block=8)|split-scan(i, block=32)";

const std::vector<Case> kCases = {
    {"sum", kLanes, "float s = 3; for (size_t i = 0; i < n; ++i) s += a[i] * a[i]; return s;"},
    {"two_sums", kLanes,
     "float s = 3, t = 0; for (size_t i = 0; i < n; ++i) { const float x = a[i]; s = x + s; t -= x; s += 1; } "
     "return s * 1000 + t;"},
    {"nested", "split-reduction(i, lanes=4)|split-reduction(j, lanes=8)",
     "float s = 0; for (size_t i = 0; i < n; ++i) { for (size_t j = 0; j < 33; ++j) s += a[j]; s += a[i]; } return s;"},
    {"conditional", kLanes,
     "float s = 0; int k = 0; for (size_t i = 0; i < n; ++i) { if (a[i] > 3) { s += a[i]; ++k; } else if (a[i] < 0) "
     "--k; } return s * 100 + k;"},
    {"product", kLanes, "float s = 1; for (size_t i = 0; i < n; ++i) s *= d[i] & 1 ? -2.0f : 0.5f; return s;"},
    {"negative_start", kLanes, "float s = 1; for (int i = -39; i < m; ++i) s += a[i + 40]; return s;"},
    {"start_in_a_variable", kLanes, "float s = 1; for (int i = m; i < m + (int)n; ++i) s += a[i]; return s;"},
    {"at_the_ends_of_int", kLanes,
     "unsigned s = 1; const int from = -2147483647 - 1; for (int i = from; i < from + (int)n; ++i) s += i; "
     "for (int k = 2147483647 - (int)n; k < 2147483647; ++k) s ^= k; return s % 1000;"},
    {"from_a_variable", kLanes,
     "float s = 1; const size_t from = m < 0 ? 0 : m; for (size_t i = from; i < n; ++i) s += a[i]; return s;"},
    {"int_in_size_t", kLanes, "float s = 1; for (size_t i = 2; i < (m < 0 ? 0 : m); ++i) s += a[i]; return s;"},
    {"small_type", "split-reduction(i, lanes=4)|split-reduction(i, lanes=100)",
     "float s = 1; const short e = m; for (short i = -100; i < e; ++i) s += a[i + 100]; return s;"},
    {"largest", kLanes,
     "float s = a[0]; for (size_t i = 0; i < n; ++i) s = a[i] > s ? a[i] : s; float t = 100; "
     "for (size_t k = 0; k < n; ++k) if (a[k] - 1 < t) t = a[k] - 1; return s + t;"},
    {"largest_or_equal", kLanes + "|split-reduction(k, lanes=64)",
     "float s = -7; for (size_t i = 0; i < n; ++i) s = a[i] >= s ? a[i] : s; float t = __builtin_nanf(\"\"); "
     "for (size_t k = 0; k < n; ++k) t = a[k] > t ? a[k] : t; return t != t ? s : t;"},
    {"first_zero", kLanes,
     "float s = -2; int h = 0; for (size_t i = 0; i < n; ++i) { const float x = i < 3 ? -1.0f : a[i]; s = x > s ? x : "
     "s; "
     "h += d[i] & 15; } float t = 3; for (size_t k = 0; k < n; ++k) if ((k < 2 ? 1.0f : a[k]) < t) t = k < 2 ? 1.0f : "
     "a[k]; out[0] = __builtin_copysignf(1.0f, s); out[1] = __builtin_copysignf(1.0f, t); return s + t * 100 + h;",
     /*mayReassociate=*/false},
    {"last_zero", kLanes,
     "float s = -0.0f; for (size_t i = 0; i < n; ++i) { const float x = __builtin_fabsf(a[i]); if (x <= s) s = x; } "
     "float t = 0; for (size_t k = 0; k < n; ++k) t = a[k] >= t ? a[k] : t; out[0] = __builtin_copysignf(1.0f, s); "
     "out[1] = __builtin_copysignf(1.0f, t); return s + t;",
     /*mayReassociate=*/false},
    {"first_zero_of_fmax", kLanes + "|split-reduction(k, lanes=16)",
     "float s = -a[0]; for (size_t i = 0; i < n; ++i) s = std::fmax(s, -a[i] * a[i]); float t = -2; for (size_t k = 2; "
     "k < n; ++k) { const float x = k < 9 ? -1.0f : a[k]; if (t < x) t = x; } out[0] = __builtin_copysignf(1.0f, t); "
     "return s + t;",
     /*mayReassociate=*/false},
    {"fmax_from_nan", kLanes,
     "float s = __builtin_nanf(\"\"); for (size_t i = 0; i < n; ++i) s = std::fmax(a[i], s); return s;"},
    {"std_min", kLanes, "float s = 4; for (size_t i = 0; i < n; ++i) s = std::min(s, a[i]); return s;"},
    {"signed_sum_that_would_overflow_in_lanes", kLanes,
     "int k = 0; for (size_t i = 0; i < n; ++i) k += d[i]; return k % 1000;"},
    {"signed_difference", kLanes, "int k = 0; for (size_t i = 0; i < n; ++i) k = k - d[i]; return k % 1000;"},
    {"wide_values_in_a_narrow_sum", kLanes,
     "unsigned char c = 200; short h = -5; for (size_t i = 0; i < n; ++i) { c += d[i] * 70000L; h ^= d[i]; } "
     "return c * 1000.0f + h % 997;"},
    {"narrow_product", kLanes,
     "unsigned short c = 65535; for (size_t i = 0; i < n; ++i) c *= (d[i] & 7) | 1; return c;"},
    {"bits", kLanes,
     "unsigned u = 4000000000; int k = -1; long w = 0; for (size_t i = 0; i < n; ++i) { u ^= d[i]; k &= d[i] | 3; w |= "
     "d[i]; } return u % 1000 + k % 1000 + w % 1000;"},
    {"long_sum", kLanes, "long w = -9; for (size_t i = 0; i < n; ++i) w += d[i]; return w % 1000;"},
    {"int_extremes", kLanes,
     "int k = -2147483647, h = 77; unsigned u = 7; for (size_t i = 0; i < n; ++i) { k = std::max(k, d[i]); h = (d[i] | "
     "5) < h ? d[i] | 5 : h; if ((unsigned)d[i] "
     "> "
     "u) u = (unsigned)d[i]; } return k % 1000 + u % 1000 + h % 1000;"},
    {"counts", kLanes, "int k = 0; for (size_t i = 0; i < n; ++i) if (d[i] > 2 && a[i] < 5) ++k; return k;"},
    {"writes_as_well", kLanes,
     "float s = 0; for (size_t i = 0; i < n; ++i) { out[i] = a[i] + out[i / 2]; s += out[i]; } return s;"},
    {"macro_argument", kLanes,
     "float s = 0; int k = 1; for (size_t i = 0; i < n; ++i) { s += SQUARE(a[i] + 1); k += SQUARE(d[i] % 100); } "
     "return s + k;"},
    {"comma_and_conditional", kLanes,
     "int k = 1; unsigned u = 1; for (size_t i = 0; i < n; ++i) { k += (d[0], d[i] % 5); u -= d[i] > 0 ? 3 : d[i] | 1; "
     "} return k + u % 1000;"},
    {"table", kCopies,
     "unsigned h[64] = {}; for (size_t i = 0; i < n; ++i) ++h[d[i] & 63]; for (int k = 0; k < 64; ++k) out[k] = h[k]; "
     "return 0;"},
    {"table_that_fills_16_bits", kCopies,
     "int h[2] = {3}; for (size_t i = 0; i < n * 7000; ++i) { ++h[d[i % 7] & 0]; h[d[i % 5] & 0]++; } return h[0] - "
     "n * 14000.0f;"},
    {"tables_that_wrap", kCopies,
     "unsigned char h[8] = {250, 3}; short g[5] = {}; long w[3] = {-7}; for (size_t i = 0; i < n; ++i) { const int x = "
     "d[i]; "
     "h[x & 7] += x * 7L; if (x > 2) g[x % 5] -= x; else --g[0 * x]; w[x & 1] = w[x & 1] + x; } "
     "for (int k = 0; k < 3; ++k) out[k] = h[k] + 300 * g[k] + w[k] % 9; return h[7];"},
    {"table_of_int_at_its_ends", kCopies,
     "int h[4] = {0, -3}; for (size_t i = 0; i < n; ++i) h[d[i] == 5] += d[i]; out[0] = h[0]; return h[1];"},
    {"table_without_values", kCopies,
     "int h[100]; h[5] = h[6] = 0; for (int i = m; i < 40; ++i) { out[90] = i; h[5 + (d[i + 50] & 1)] += 3; } return "
     "h[5] - "
     "h[6];"},
    {"running_sum", kBlocks, "int s = 0; for (size_t i = 0; i < n; ++i) { s += d[i]; out[i] = s; } return s % 1000;"},
    {"running_float", kBlocks,
     "float s = 5; for (int i = m; i < m + (int)n; ++i) { const float x = a[i] * 2; s -= x; out[i] = s + x; if (s > 9) "
     "out[i] += 1; } return s;"},
    {"running_comma", kBlocks,
     "unsigned s = 0; float t = 0; for (size_t i = 0; i < n; ++i) { s += (7u, (unsigned)d[i]); out[i] = s % 1000; } "
     "for "
     "(size_t k = 0; k < n; ++k) t += (2.0f, a[k]); return t;"},
    {"sum_of_comma", kLanes, "float t = 0; for (size_t i = 0; i < n; ++i) t += (2.0f, a[i]); return t;"},
    {"running_in_place", kBlocks,
     "double s = 5; for (size_t i = 1; i < n; ++i) { s += out[i] + a[i]; out[i] = s; } return s;"},
    {"running_long", kBlocks,
     "long s = 5; for (size_t i = 0; i < n; ++i) { s = d[i] + s; out[n - i] = s % 1000; } return s % 1000;"},
    {"running_narrow_values", kBlocks,
     "unsigned long s = 5; for (size_t i = 0; i < n; ++i) { s += (signed char)d[i]; out[i] = s % 1000; } return s % "
     "1000;"},
    {"running_through_casts", kBlocks,
     "int s = 9; for (size_t i = 0; i < n; ++i) { s = (int)((unsigned)s + (d[i] & 1 ? 3u : 0u - 7)); out[i] = s; } "
     "return s;"},
    {"scaled", kBlocks,
     "float s = 5; const float w = m; for (size_t i = 0; i < n; ++i) { s = w * s + a[i]; out[i] = s; } return s;"},
    {"scaled_difference", kBlocks,
     "double s = 5; const double w = m; for (int i = m; i < m + (int)n; ++i) { s = s * (1 - w) - a[i]; out[i] = s; } "
     "return s;"},
    {"blended", kBlocks,
     "float s = 5; const float w = m; for (size_t i = 0; i < n; ++i) { s += w * (a[i] - s); out[i] = s; } return s;"},
    {"blended_other_way", kBlocks,
     "float s = 5; for (size_t i = 0; i < n; ++i) { const float x = a[i] + 1; s = (x - s) * -1.0f + s; out[i] = s; } "
     "return s;"},
    {"scaled_integers", kBlocks,
     "unsigned s = 3; for (size_t i = 0; i < n; ++i) { s = s * 31 + d[i]; out[i] = s % 1000; } return s % 1000;"},
    {"scaled_signed", kBlocks,
     "int s = 1; for (size_t i = 0; i < n; ++i) { s = (int)((unsigned)m * (unsigned)s - (unsigned)d[i]); out[i] = s % "
     "1000; } return s % 1000;"},
    {"blended_integers", kBlocks,
     "unsigned long s = 1; const unsigned w = m; for (size_t i = 0; i < n; ++i) { s += w * (d[i] - s); out[i] = s % "
     "1000; } return s % 1000;"},
    {"running_count", kBlocks,
     "unsigned s = 1; for (size_t i = 0; i < n; ++i) { s -= d[i] % 3L; out[i] = s; } return s;"},
};

std::vector<Recipe> recipesOf(const Case &test) {
  std::vector<Recipe> recipes;
  for (std::size_t at = 0; at <= test.recipe.size();) {
    const std::size_t end = std::min(test.recipe.find('|', at), test.recipe.size());
    const auto recipe = parseRecipe(test.recipe.substr(at, end - at));
    EXPECT_TRUE(recipe) << recipe.error().message;
    if (recipe)
      recipes.push_back(*recipe);
    at = end + 1;
  }
  return recipes;
}

void testWith(const std::string &compiler, Family family, const std::vector<std::string> &flags) {
  MeaningProgram program(kCompare);
  for (const Case &test : kCases) {
    const std::string kernel = kernelOf(test);
    program.addKernel(test.name, "#define SQUARE(v) ((v) * (v))\n" + kernel);
    const auto transformer =
        transformerWith(kernel, {.mayReassociate = test.mayReassociate, .contract = {.isFinite = true}}, family);
    for (const Recipe &recipe : recipesOf(test)) {
      const auto text = transformer->apply(recipe);
      EXPECT_TRUE(text || text.error().message.find("form=") != std::string::npos ||
                  text.error().message.find("bits=16 ") != std::string::npos)
          << test.name << ": " << text.error().message;
      if (text)
        program.addVariant(*text, recipe);
    }
  }
  program.run(compiler, flags);
  std::printf("%d variants of %zu kernels, %s\n", program.variants(), kCases.size(), compiler.c_str());
}

TEST(ReductionMeaning, ClangWithUndefinedBehaviourSanitizer) {
  testWith("clang++-19", Family::Clang, {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"});
}
TEST(ReductionMeaning, Gcc) {
  testWith("g++", Family::Gcc, {"-O3"});
}

} // namespace
} // namespace agentic
