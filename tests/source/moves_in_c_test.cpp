// The moves on kernels in C: every one writes C99, and originals and results, compiled by the real C compilers, agree
// bit for bit.
#include "tests/source/transform_fixture.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/source/transform/spelled_in_c.h"

#include <set>

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kSignature = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n";

struct Kernel {
  std::string name, body, prelude = {};
  bool mayAlias = false, hasTolerance = false;
  std::vector<std::string> recipes = {}; ///< besides those that are offered
};

/// All stay within A[0..16383], B[0..16383] and C[0..16383] for M, K <= 70.
const std::vector<Kernel> kKernels = {{"gemm", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float sum = 0.0f;
      for (size_t p = 0; p < K; ++p) {
        const float sign = (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? 1.0f : -1.0f;
        sum += A[i * K + p] * sign;
      }
      C[i * K + j] = sum;
    }
})"},
                                      {"transposed", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j)
      C[j * M + i] = A[i * K + j];
})"},
                                      {"checksum", R"(
  const unsigned char *bytes = (const unsigned char *)A;
  unsigned a = 1, b = 0;
  for (size_t i = 0; i < M * 200 + K; ++i) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  C[0] = (float)a;
  C[1] = (float)b;
})"},
                                      {"escape", R"(
  for (size_t i = 0; i < M * K; ++i) {
    const float c = A[i] * 0.3f - 2, d = A[i + 1] * 0.1f;
    float x = 0, y = 0;
    int n = 0;
    for (; n < 40; ++n) {
      if (x * x + y * y > 4.0f)
        break;
      const float next = x * x - y * y + c;
      y = 2 * x * y + d;
      x = next;
    }
    C[i] = (float)n;
  }
})"},
                                      {"padding", R"(
  for (size_t y = 0; y < M; ++y)
    for (size_t x = 0; x < K; ++x) {
      float sum = 0;
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
          if (y + i >= 1 && y + i <= M && x + j >= 1 && x + j <= K)
            sum += A[(y + i - 1) * K + (x + j - 1)] * A[i * 3 + j];
      C[y * K + x] = sum;
    }
})"},
                                      {"conditions", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float best = A[j];
      int count = 0;
      for (size_t p = 0; p < K; ++p) {
        const float x = A[i * K + p] * A[p * K + j];
        if (x > best) {
          best = x;
          ++count;
        }
      }
      C[i * K + j] = best + (float)count;
    }
})"},
                                      {"counting", R"(
  unsigned table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = 0;
  for (size_t i = 0; i < M * K; ++i)
    ++table[B[i] & 255u];
  for (int i = 0; i < 256; ++i)
    C[i] = (float)table[i];
})"},
                                      {"bits", R"(
  for (size_t i = 0; i < M; ++i) {
    unsigned x = B[i];
    unsigned count = 0;
    while (x != 0) {
      x &= x - 1;
      ++count;
    }
    C[i] = (float)count;
  }
})"},
                                      {"sums", R"(
  unsigned s = 3;
  for (size_t i = 0; i < M * K; ++i)
    s += B[i] * B[i];
  C[0] = (float)(s >> 8);
})"},
                                      {"scan",
                                       R"(
  unsigned s = 0;
  for (size_t i = 0; i < K; ++i) {
    s += B[i];
    C[i] = (float)(s % 1000);
  }
})",
                                       "",
                                       false,
                                       false,
                                       {"split-scan(i, block=8)", "split-scan(i, block=32)"}},
                                      {"promoted", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t p = 0; p < K; ++p)
      C[i * K + 3] -= A[p] * A[i];
})"},
                                      {"rows",
                                       R"(
  for (size_t r = 0; r < M; ++r) {
    float sum = 0.0f;
    for (size_t k = B[r] % 64; k < B[r + 1] % 64; ++k)
      sum += A[k] * A[B[k] % 128];
    C[r] = sum;
  }
})",
                                       "",
                                       false,
                                       false,
                                       {"hoist(k); prefetch(k, distance=16)"}},
                                      {"passes", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = A[i] + 0.25f;
  for (size_t i = 0; i < M * K; ++i)
    C[i] = C[i] * A[i];
})"},
                                      {"exponents", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = expf(A[i] * 0.1f - 3);
})",
                                       "extern float expf(float);", false, true},
                                      {"declared_in_front", R"(
  size_t i, j;
  float sum = 0;
  for (i = 0; i < M; ++i) {
    for (j = 0; j < K; ++j)
      C[i * K + j] = A[i * K + j] * 2 + 1;
  }
  for (i = 0; i < K; ++i)
    sum += A[i];
  C[M * K] = sum;
})"},
                                      {"medians", R"(
  for (size_t i = 0; i < M * K; ++i) {
    unsigned char v[5], t;
    int j;
    for (int k = 0; k < 5; ++k)
      v[k] = B[i + k] >> 3;
    for (int k = 1; k < 5; ++k) {
      t = v[k];
      for (j = k; j > 0 && v[j - 1] > t; --j)
        v[j] = v[j - 1];
      v[j] = t;
    }
    C[i] = v[2];
  }
})"},
                                      {"bytes", R"(
  unsigned char s[99], t[512];
  for (size_t k = 0; k < 99; ++k) s[k] = (unsigned char)B[k];
  for (size_t i = 0; i < 99; ++i) { t[2 * i] = kHex[s[i] >> 4]; t[2 * i + 1] = kHex[s[i] & 15]; }
  for (size_t j = 0; j < 198; ++j) C[j] = t[j];
})",
                                       "static const char kHex[17] = \"0123456789abcdef\";"},
                                      {"walking",
                                       R"(
  const float *in = A;
  float *out = C;
  size_t left = M * K;
  int i;
  unsigned n = (unsigned)K;
  while (left >= 4) {
    out[0] = in[3] * 2;
    out[3] = in[0];
    in += 4, out += 4;
    left -= 4;
  }
  while (left--)
    *out++ = *in++;
  for (i = 0; i < (int)M - 1; i += 2)
    C[i + 9000] = A[i + 1] + (float)i;
  if (n != 0)
    do {
      *out++ = *in;
      in += 2;
    } while (--n);
})",
                                       "",
                                       false,
                                       false,
                                       {"normalise(left); normalise(left); normalise(i)"}},
                                      {"overlapping", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = A[i] * 2 + 1;
})",
                                       "", true}};

KernelSpec specOf(const Kernel &kernel) {
  KernelSpec spec = kernelSpec(kSignature + kernel.body + "\n");
  spec.language = Language::C;
  spec.source = "/nowhere/kernel.c";
  spec.prelude = {"typedef __SIZE_TYPE__ size_t;", kernel.prelude};
  spec.parseArguments = {"-std=c99", "-x", "c", "-resource-dir=" AGENTIC_CLANG_RESOURCE_DIR};
  if (kernel.mayAlias) {
    spec.contract.extents = {{"A", Direction::In, "M * K"}, {"C", Direction::Out, "M * K"}};
    spec.contract.mayAlias = {{"A", "C"}};
  }
  if (kernel.hasTolerance)
    spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-4};
  return spec;
}

MoveStep stepOf(const MoveOffer &offer, bool last) {
  MoveStep step{offer.move, offer.target, {}};
  for (const auto &[name, values] : offer.parameters)
    step.parameters[name] = last ? values.back() : values.front();
  return step;
}

/// Every offer with its first and last values, and what may follow a rewrite of the loops.
std::vector<Recipe> recipesFor(Transformer &transformer) {
  std::vector<Recipe> recipes;
  const auto offers = transformer.offers({});
  EXPECT_TRUE(offers) << offers.error().message;
  for (const MoveOffer &offer : *offers)
    for (const bool last : {false, true}) {
      recipes.push_back({stepOf(offer, last)});
      if (last && offer.parameters.empty())
        recipes.pop_back();
    }
  const std::size_t single = recipes.size();
  for (std::size_t i = 0; i < single; i += 3) {
    const auto more = transformer.offers(recipes[i]);
    EXPECT_TRUE(more) << recipeText(recipes[i]) << ": " << more.error().message;
    for (std::size_t k = 0; more && k < more->size(); k += 3)
      recipes.push_back({recipes[i].front(), stepOf((*more)[k], false)});
  }
  return recipes;
}

constexpr const char *kMain = R"(#include <stdio.h>
#include <string.h>
#include <stddef.h>
typedef void Kernel(const float *, const unsigned *, float *, size_t, size_t);
static float a[16384], expected[16384], actual[16384];
static unsigned b[16384];
static int failures;
static void compare(Kernel *original, Kernel *variant, const char *what, double tolerance) {
  static const size_t sizes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 64}, {3, 32}, {5, 31}, {8, 65}, {17, 33}, {33, 64}, {9, 70}};
  unsigned state = 1;
  for (size_t i = 0; i < 16384; ++i) {
    state = state * 1664525u + 1013904223u;
    b[i] = state ^ (state >> 15);
    a[i] = (float)((int)(state >> 12) % 1000) / 97.0f;
  }
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    memcpy(expected, a, sizeof a);
    memcpy(actual, a, sizeof a);
    original(a, b, expected, sizes[s][0], sizes[s][1]);
    variant(a, b, actual, sizes[s][0], sizes[s][1]);
    for (size_t i = 0; i < 16384; ++i) {
      const double off = (double)actual[i] - expected[i], most = tolerance * expected[i];
      if (memcmp(&actual[i], &expected[i], sizeof *a) != 0 && !(off <= most && -off <= most)) {
        printf("%s differs for %d, %d in %d: %g instead of %g\n", what, (int)sizes[s][0], (int)sizes[s][1], (int)i, actual[i], expected[i]);
        ++failures;
        return;
      }
    }
  }
}
)";

void testWith(const std::string &compiler, Family family) {
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  const auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-moves-in-c-");
  ASSERT_TRUE(folder);
  std::vector<std::string> argv = {
      compiler, "-std=c99", "-O1",   "-w", "-Werror=implicit-function-declaration", "-ffp-contract=off",
      "-o",     "all",      "main.c"};
  std::string declarations, calls;
  std::set<std::string> moves;
  int count = 0;
  const auto add = [&](const Kernel &kernel, const std::string &text) {
    const std::string name = "f" + std::to_string(++count), file = name + ".c";
    EXPECT_TRUE(writeFileAtomic(folder->path() / file,
                                "#include <stddef.h>\n" + kernel.prelude + "\n#define f " + name + "\n" + text + "\n"));
    declarations += "Kernel " + name + ";\n";
    argv.push_back(file);
    return name;
  };
  for (const Kernel &kernel : kKernels) {
    TransformOptions options{.family = family, .hasTolerance = kernel.hasTolerance, .observed = {{"K", {64}}}};
    const auto transformer = Transformer::create(specOf(kernel), options);
    ASSERT_TRUE(transformer) << transformer.error().message;
    const std::string original = add(kernel, kSignature + kernel.body);
    std::vector<Recipe> recipes = recipesFor(**transformer);
    for (const std::string &recipe : kernel.recipes)
      recipes.push_back(*parseRecipe(recipe));
    for (const Recipe &recipe : recipes) {
      const auto text = (*transformer)->apply(recipe);
      if (!text && recipe.size() > 1)
        continue; // too large together
      ASSERT_TRUE(text) << recipeText(recipe) << ": " << text.error().message;
      for (const char *word : {"static_cast", "constexpr", "nullptr", "auto ", "std::", "= {}"})
        EXPECT_THAT(*text, testing::Not(HasSubstr(word))) << recipeText(recipe);
      calls += "  compare(" + original + ", " + add(kernel, *text) + ", \"" + kernel.name + ": " + recipeText(recipe) +
               "\", " + (kernel.hasTolerance ? "1e-4" : "0") + ");\n";
      for (const MoveStep &step : recipe)
        moves.insert(step.move);
    }
  }
  const std::set<std::string> expected = {
      "bit-count",      "block-search",    "byte-lanes", "coupled-sums", "distribute",  "fission",       "fusion",
      "guard-aliasing", "hoist",           "if-convert", "inline-math",  "interchange", "loop-pragma",   "mask-exit",
      "normalise",      "prefetch",        "privatize",  "promote",      "restrict",    "sort-network",  "specialise",
      "split-range",    "split-reduction", "split-scan", "strip-mine",   "transpose",   "unroll-and-jam"};
  for (const std::string &move : expected)
    EXPECT_TRUE(moves.contains(move)) << move << " applies nowhere";
  argv.emplace_back("-lm");
  ASSERT_TRUE(writeFileAtomic(folder->path() / "main.c",
                              kMain + declarations + "int main(void) {\n" + calls + "  return failures != 0;\n}\n"));
  ProcessSpec compile{
      .argv = argv, .workingDirectory = folder->path().string(), .timeoutSeconds = 1200, .mergeOutput = true};
  const auto compiled = runProcess(compile);
  ASSERT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->out.substr(0, 4000) : compiled.error().message);
  const auto ran = runProcess({.argv = {(folder->path() / "all").string()}, .mergeOutput = true});
  ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->out.substr(0, 4000) : ran.error().message);
  std::printf("%d functions, %zu moves, %s\n", count, moves.size(), compiler.c_str());
}

TEST(MovesInC, Clang) {
  testWith("clang-19", Family::Clang);
}
TEST(MovesInC, Gcc) {
  testWith("gcc", Family::Gcc);
}

TEST(MovesInC, WhatCCannotSayIsNotOffered) {
  Kernel kernel{"automaton", R"(
  int state = 0;
  for (size_t i = 0; i < K; ++i)
    state = kNext[state][B[i] & 3];
  C[0] = (float)state;
})",
                "static const unsigned char kNext[3][4] = {{0, 1, 2, 0}, {1, 2, 0, 1}, {2, 2, 2, 1}};"};
  const auto transformer = Transformer::create(specOf(kernel), {});
  ASSERT_TRUE(transformer) << transformer.error().message;
  const auto offers = (*transformer)->offers({});
  ASSERT_TRUE(offers);
  EXPECT_EQ(std::ranges::count(*offers, "shift-automaton", &MoveOffer::move), 0);
  const auto applied = (*transformer)->apply({{"shift-automaton", "i", {}}});
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("it writes what C cannot say"));
}

TEST(SpelledInC, Text) {
  EXPECT_EQ(spelledInC("x = static_cast<int>(static_cast<unsigned char>(y) + 1);", false),
            "x = ((int)(((unsigned char)(y)) + 1));");
  EXPECT_EQ(spelledInC("constexpr size_t kTile = 16; // p\nfloat t[kTile] = {};", false),
            "enum { kTile = 16 }; // p\nfloat t[kTile] = {0};");
  EXPECT_EQ(spelledInC("constexpr unsigned kBig = 0x80000000, k = 1;", false),
            "const unsigned kBig = 0x80000000, k = 1;");
  EXPECT_EQ(spelledInC("const auto *p = static_cast<const char *>(q); bool b = true; r = nullptr;", false),
            "const char *p = ((const char *)(q)); _Bool b = 1; r = ((void *)0);");
  EXPECT_EQ(spelledInC("bool b = false;", true), "bool b = false;");
}

} // namespace
} // namespace agentic
