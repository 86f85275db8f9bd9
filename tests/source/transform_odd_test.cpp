// Odd and hostile kernels: analysed without a crash; every offered move can be applied and its result parses again.
#include "tests/source/transform_fixture.h"

#include "tool/base/files.h"
#include "tool/source/transform/format.h"

namespace agentic {
namespace {

TEST(Format, TheNearestStyleFileDecidesAndWithoutOneNothingChanges) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "style-");
  ASSERT_TRUE(scratch);
  const std::string folder = scratch->path().string(), text = "void f() {\n  if (a) { g( 1 ); }\n}\n";
  ASSERT_TRUE(createDirectories(folder + "/src/deep"));
  const std::string source = folder + "/src/deep/k.cpp";
  EXPECT_EQ(formattedInStyle(text, source), text);
  ASSERT_TRUE(writeFileAtomic(folder + "/.clang-format", "BasedOnStyle: LLVM\nIndentWidth: 4\n"));
  EXPECT_EQ(formattedInStyle(text, source), "void f() {\n    if (a) {\n        g(1);\n    }\n}\n");
  ASSERT_TRUE(writeFileAtomic(folder + "/src/.clang-format", "BasedOnStyle: LLVM\nIndentWidth: 1\n"));
  EXPECT_EQ(formattedInStyle(text, source), "void f() {\n if (a) {\n  g(1);\n }\n}\n");
  ASSERT_TRUE(writeFileAtomic(folder + "/src/deep/.clang-format", "no style: [\n"));
  EXPECT_EQ(formattedInStyle(text, source), text);
}

const std::vector<std::string> kOdd = {
    "void f() {}",
    "void f() { ; ; ; }",
    "void f() { for (;;) break; }",
    "void f(int n) { for (int i = 0; i < n; ++i); }",
    "void f(int n) { for (int i = 0; i < n; ++i) for (int i = 0; i < n; ++i) for (int i = 0; i < n; ++i) {} }",
    "void f(float *a, int n) try { for (int i = 0; i < n; ++i) a[i] = 1; } catch (...) {}",
    "void f(float *a, int n) { try { for (int i = 0; i < n; ++i) a[i] = 1; } catch (...) { a[0] = 2; } }",
    "void f(float *a, int n) { auto g = [&](int i) { for (int j = 0; j < n; ++j) a[j] = i; }; g(1); }",
    "int f(int n) { return n ? f(n - 1) : 0; }",
    "void f(float (&a)[4][4]) { for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) a[i][j] = a[j][i]; }",
    "void f(float **a, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i][j] = 0; }",
    "struct S { float v[8]; int n; }; void f(S *s) { for (int i = 0; i < s->n; ++i) for (int j = 0; j < 8; ++j) "
    "s[i].v[j] += 1; }",
    "void f(float *a, int n) { switch (n) { case 0: for (int i = 0; i < n; ++i) { case 1: a[i] = 1; } } }",
    "void f(float *a, int n) { goto in; for (int i = 0; i < n; ++i) { in: a[0] = 1; } }",
    "void f(float *a, int n) { int x = n, y = ({ int z = 1; z; }); for (int i = 0; i < n; ++i) a[i] = x + y; }",
    "#define LOOP(i) for (int i = 0; i < n; ++i)\nvoid f(float *a, int n) { LOOP(i) LOOP(j) a[i * n + j] = 1; }",
    "#define AT(i, j) a[(i) * n + (j)]\nvoid f(float *a, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; "
    "++j) "
    "{ float s = 0; for (int p = 0; p < n; ++p) s += AT(p, p); AT(i, j) = s; } }",
    "#define S s\nvoid f(float *a, int n) { for (int i = 0; i < n; ++i) { float s = 0; for (int p = 0; p < n; ++p) S "
    "+= 1; "
    "a[i] = S; } }",
    "void f(float *a, int n) { for (int i = 0; i < n; ++i) if (n) for (int j = 0; j < n; ++j) a[j] = 1; else a[i] = 2; "
    "}",
    "void f(float *a, int n) { int i = i; for (int j = 0; j < n; ++j) a[i + j] = j; }",
    "void f(float *a, int n) { for (int i = 0, j = 0; i < n; ++i, ++j) a[i] = j; }",
    "void f(float *a, unsigned char n) { for (unsigned char i = 0; i < n; ++i) for (char j = 0; j < 4; ++j) a[i] += j; "
    "}",
    "void f(float *a, __int128 n) { for (__int128 i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) a[i] += j; }",
    "void f(float *a, double n) { for (double i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) a[(int)i] += j; }",
    "void f(_Complex float *a, int n) { for (int i = 0; i < n; ++i) { _Complex float s = 0; for (int j = 0; j < 4; "
    "++j) "
    "s += a[j]; a[i] = s; } }",
    "typedef float V __attribute__((vector_size(16))); void f(V *a, int n) { for (int i = 0; i < n; ++i) { V s = a[i]; "
    "for "
    "(int j = 0; j < 4; ++j) s += a[i]; a[i] = s; } }",
    "void f(_Atomic int *a, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i] += 1; }",
    "void f(float *a, int n) { for (int i = 0; i < n; ++i) { int (*p)(int) = nullptr; for (int j = 0; j < n; ++j) a[i] "
    "= "
    "p(j); } }",
    "void f(float *a, long n) { for (long i = 0; i < 9223372036854775807; ++i) for (long j = 0; j < n; ++j) "
    "a[i * 9223372036854775807 * 9223372036854775807 + j * 4611686018427387904 * 8] = 1; }",
    "void f(float *a, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i / 0] = a[i % 0] + a[i >> "
    "70]; }",
    "void f(float *a, int n) { for (int i = 0; i < n; ++i) { for (int j = 0; j < n; ++j) a[i] += 1; }\n#if "
    "1\n}\n#endif\n",
    "template <class T> void f(T *a, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i] += j; }",
    "void f(float *a, int n) { float s = 0; for (int i = 0; i < n; ++i) { s += a[i]; } for (int i = 0; i < n; ++i) "
    "a[i] = s; }",
};

std::string kernelOnly(const std::string &text) {
  const std::size_t at = text.find("void f(");
  return at == std::string::npos ? text : text.substr(at);
}

TEST(OddKernels, AreAnalysedAndWhatIsOfferedParsesAgain) {
  int applied = 0;
  for (const std::string &odd : kOdd) {
    const std::string before = odd.substr(0, odd.size() - kernelOnly(odd).size());
    for (const Family family : {Family::Clang, Family::Gcc}) {
      const auto transformer = Transformer::create(kernelSpec(kernelOnly(odd), {before}), {.family = family});
      if (!transformer)
        continue; // an error with a message is an answer, too
      const auto offers = (*transformer)->offers({});
      ASSERT_TRUE(offers) << odd;
      for (const MoveOffer &offer : *offers) {
        MoveStep step{offer.move, offer.target, {}};
        for (const auto &[name, values] : offer.parameters)
          step.parameters[name] = values.front();
        const auto text = (*transformer)->apply({step});
        ASSERT_TRUE(text) << odd << "\n" << text.error().message;
        const auto again = Transformer::create(kernelSpec(*text, {before}), {.family = family});
        EXPECT_TRUE(again) << (again ? "" : again.error().message) << "\n" << *text;
        ++applied;
      }
    }
  }
  EXPECT_GT(applied, 20);
}

TEST(OddKernels, TextThatDoesNotParseIsAnError) {
  const auto transformer = Transformer::create(kernelSpec("void f(float *a) { b[0] = 1; }"), {.family = Family::Clang});
  ASSERT_FALSE(transformer);
  EXPECT_THAT(transformer.error().message, testing::HasSubstr("'b'"));
  EXPECT_FALSE(transformer.error().next.empty());
}

TEST(OddKernels, LargeExpressionsStayCheap) {
  std::string sum = "a[i]", product = "(i + n)";
  for (int k = 0; k < 300; ++k)
    sum += " + a[i]";
  for (int k = 0; k < 40; ++k)
    product += " * (i + n + " + std::to_string(k) + " * m)";
  const auto transformer =
      transformerFor(kernelSpec("void f(float *a, float *b, size_t n, size_t m) { for (size_t i = 0; i < n; ++i) for "
                                "(size_t j = 0; j < m; ++j) { a[i] = " +
                                sum + "; b[" + product + "] = 0; } }"));
  ASSERT_TRUE(transformer);
  EXPECT_TRUE(transformer->offers({}));
}

} // namespace
} // namespace agentic
