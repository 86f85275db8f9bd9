// The words that kernels get: each of the closed list by a small kernel that must have it, and those that it must not
// have.
#include "tests/source/feature_words.h"
#include "tests/source/transform_fixture.h"
#include "tool/source/features/features.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

struct Case {
  const char *name;
  const char *words;    ///< must be there
  const char *notWords; ///< must not
  const char *text;
};

void PrintTo(const Case &one, std::ostream *stream) {
  *stream << one.name;
}

class Words : public testing::TestWithParam<Case> {};

TEST_P(Words, AreThoseOfTheKernel) {
  const Result<KernelFeatures> features = featuresOf(kernelSpec(GetParam().text));
  ASSERT_TRUE(features) << features.error().message;
  expectWords(*features, GetParam().words, GetParam().notWords);
}

const Case kCases[] = {
    {"Sum", "reduction float streaming", "integer branchy recurrence strided nested-loops in-place",
     "float f(const float *x, size_t n) { float s = 0; for (size_t i = 0; i < n; ++i) s += x[i]; return s; }"},
    {"SumOfDoubles", "reduction double", "float mixed-precision conversion",
     "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return s; }"},
    {"MixedSum", "reduction float double mixed-precision conversion", "",
     "double f(const float *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }"},
    {"PrefixScan", "prefix-scan integer streaming", "early-exit gather",
     "void f(const int *x, int *y, int n) { int s = 0; for (int i = 0; i < n; ++i) { s += x[i]; y[i] = s; } }"},
    {"Gather", "gather float", "scatter histogram table-lookup sparse",
     "void f(const float *x, const int *at, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[at[i]]; }"},
    {"Scatter", "scatter float", "gather histogram",
     "void f(const float *x, const int *at, float *y, int n) { for (int i = 0; i < n; ++i) y[at[i]] = x[i]; }"},
    {"Histogram", "histogram scatter byte", "gather prefix-scan compaction",
     "void f(const unsigned char *x, int *y, int n) { for (int i = 0; i < n; ++i) { int v = x[i]; y[v] += 1; } }"},
    {"TableLookup", "table-lookup byte", "gather scatter state-machine",
     "void f(const unsigned char *x, const unsigned char *t, unsigned char *y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = t[x[i]]; }"},
    {"Sparse", "sparse gather reduction nested-loops", "table-lookup",
     "void f(const float *v, const int *c, const int *r, const float *x, float *y, int n) {\n"
     "  for (int i = 0; i < n; ++i) { float s = 0; for (int k = r[i]; k < r[i + 1]; ++k) s += v[k] * x[c[k]]; y[i] = "
     "s; } }"},
    {"ByteClasses", "byte-classification byte", "string-search",
     "int f(const char *x, int n) { int k = 0; for (int i = 0; i < n; ++i) if (x[i] == ' ' || x[i] == '\\n') ++k; "
     "return k; }"},
    {"StateMachine", "state-machine table-lookup recurrence", "pointer-chasing",
     "int f(const unsigned char *x, const unsigned char *t, int n) { int s = 0;\n"
     "  for (int i = 0; i < n; ++i) s = t[s * 256 + x[i]]; return s; }"},
    {"StateMachineBySwitch", "state-machine branchy byte", "",
     "int f(const unsigned char *x, int n) { int s = 0; for (int i = 0; i < n; ++i) switch (s) {\n"
     "  case 0: s = x[i] == '<' ? 1 : 0; break; case 1: if (x[i] == '>') s = 0; break; } return s; }"},
    {"BitManipulation", "bit-manipulation integer", "bit-unpacking bit-count",
     "void f(const unsigned *x, unsigned *y, int n) { for (int i = 0; i < n; ++i) y[i] = (x[i] & 0xff00) | 3; }"},
    {"BitUnpacking", "bit-unpacking variable-shift", "bit-count",
     "void f(const unsigned *x, int *y, int n) { for (int i = 0; i < n; ++i) y[i] = (x[i / 32] >> (i % 32)) & 1; }"},
    {"Nibbles", "bit-unpacking byte", "variable-shift",
     "void f(const unsigned char *x, unsigned char *y, int n) {\n"
     "  for (int i = 0; i < n; ++i) { y[2 * i] = x[i] & 15; y[2 * i + 1] = x[i] >> 4; } }"},
    {"BitCount", "bit-count reduction", "compaction",
     "int f(const unsigned *x, int n) { int k = 0; for (int i = 0; i < n; ++i)\n"
     "  for (unsigned v = x[i]; v != 0; v &= v - 1) ++k; return k; }"},
    {"BitCountByBuiltin", "bit-count reduction", "recurrence",
     "int f(const unsigned *x, int n) { int k = 0; for (int i = 0; i < n; ++i) k += __builtin_popcount(x[i]); return "
     "k; }"},
    {"Saturation", "saturating-arithmetic byte", "branchy reduction",
     "void f(const unsigned char *a, const unsigned char *b, unsigned char *y, int n) {\n"
     "  for (int i = 0; i < n; ++i) { int s = a[i] + b[i]; y[i] = s > 255 ? 255 : s; } }"},
    {"Stencil", "stencil streaming", "convolution strided recurrence interleaved",
     "void f(const float *x, float *y, int n) { for (int i = 1; i < n - 1; ++i) y[i] = x[i - 1] + x[i] + x[i + 1]; }"},
    {"MatrixProduct", "matrix-product reduction nested-loops strided", "convolution small-matrix transposition stencil",
     "void f(const float *a, const float *b, float *c, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; "
     "++j) {\n"
     "  float s = 0; for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s; } }"},
    {"MatrixProductInMemory", "matrix-product", "in-place recurrence",
     "void f(const float *a, const float *b, float *c, int n) { for (int i = 0; i < n; ++i) for (int k = 0; k < n; "
     "++k)\n"
     "  for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j]; }"},
    {"SmallMatrix", "small-matrix matrix-product constant-trip", "",
     "void f(const float *a, const float *b, float *c) { for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) {\n"
     "  float s = 0; for (int k = 0; k < 4; ++k) s += a[i * 4 + k] * b[k * 4 + j]; c[i * 4 + j] = s; } }"},
    {"Convolution", "convolution stencil reduction", "matrix-product",
     "void f(const float *x, const float *w, float *y, int n, int m) { for (int i = 0; i < n; ++i) {\n"
     "  float s = 0; for (int j = 0; j < m; ++j) s += x[i + j] * w[j]; y[i] = s; } }"},
    {"TriangularSolve", "triangular-solve division", "convolution",
     "void f(const float *a, float *x, int n) { for (int i = 0; i < n; ++i) { float s = x[i];\n"
     "  for (int j = 0; j < i; ++j) s -= a[i * n + j] * x[j]; x[i] = s / a[i * n + i]; } }"},
    {"Transposition", "transposition nested-loops", "copying matrix-product",
     "void f(const float *x, float *y, int n, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j)\n"
     "  y[j * n + i] = x[i * m + j]; }"},
    {"Sorting", "sorting nested-loops branchy in-place", "argmax merge",
     "void f(int *x, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j + 1 < n - i; ++j)\n"
     "  if (x[j] > x[j + 1]) { int t = x[j]; x[j] = x[j + 1]; x[j + 1] = t; } }"},
    {"Median", "sorting selection", "merge",
     "void f(const int *x, int *y, int n) { for (int i = 1; i < n - 1; ++i) { int v[3] = {x[i - 1], x[i], x[i + 1]};\n"
     "  for (int a = 0; a < 2; ++a) for (int b = 0; b < 2 - a; ++b) if (v[b] > v[b + 1]) { int t = v[b]; v[b] = v[b + "
     "1];\n"
     "  v[b + 1] = t; } y[i] = v[1]; } }"},
    {"StringSearch", "string-search early-exit byte comparison", "byte-search",
     "int f(const char *x, int n, const char *p, int m) { for (int i = 0; i + m <= n; ++i) { int j = 0;\n"
     "  while (j < m && x[i + j] == p[j]) ++j; if (j == m) return i; } return -1; }"},
    {"ByteSearch", "byte-search early-exit byte", "string-search comparison reduction",
     "int f(const char *x, int n, char c) { for (int i = 0; i < n; ++i) if (x[i] == c) return i; return -1; }"},
    {"Hashing", "hashing recurrence byte", "checksum",
     "unsigned f(const unsigned char *x, int n) { unsigned h = 2166136261u;\n"
     "  for (int i = 0; i < n; ++i) { h ^= x[i]; h *= 16777619u; } return h; }"},
    {"ChecksumAdler", "checksum modulo byte", "hashing",
     "unsigned f(const unsigned char *x, int n) { unsigned a = 1, b = 0;\n"
     "  for (int i = 0; i < n; ++i) { a = (a + x[i]) % 65521; b = (b + a) % 65521; } return b << 16 | a; }"},
    {"ChecksumByTable", "checksum table-lookup recurrence", "state-machine",
     "unsigned f(const unsigned char *x, const unsigned *t, int n) { unsigned c = ~0u;\n"
     "  for (int i = 0; i < n; ++i) c = t[(c ^ x[i]) & 255] ^ (c >> 8); return ~c; }"},
    {"ChecksumByBits", "checksum bit-manipulation", "hashing",
     "unsigned f(const unsigned char *x, int n) { unsigned c = ~0u; for (int i = 0; i < n; ++i) { c ^= x[i];\n"
     "  for (int k = 0; k < 8; ++k) c = c & 1 ? (c >> 1) ^ 0xEDB88320u : c >> 1; } return ~c; }"},
    {"DecodingNumbers", "decoding byte", "encoding",
     "int f(const char *x, int n) { int v = 0; for (int i = 0; i < n; ++i) v = v * 10 + (x[i] - '0'); return v; }"},
    {"DecodingVarints", "decoding variable-shift", "encoding",
     "unsigned f(const unsigned char *x, int n) { unsigned v = 0; int s = 0;\n"
     "  for (int i = 0; i < n; ++i) { v |= (unsigned)(x[i] & 127) << s; s += 7; } return v; }"},
    {"EncodingBase64", "encoding table-lookup bit-manipulation", "decoding",
     "void f(const unsigned char *x, char *y, const char *unused, int n) { static const char t[] = "
     "\"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\";\n"
     "  for (int i = 0; i < n; ++i) { unsigned v = x[3 * i] << 16 | x[3 * i + 1] << 8 | x[3 * i + 2];\n"
     "  y[4 * i] = t[v >> 18]; y[4 * i + 1] = t[v >> 12 & 63]; y[4 * i + 2] = t[v >> 6 & 63]; y[4 * i + 3] = t[v & "
     "63]; } }"},
    {"Polynomial", "polynomial float streaming", "recurrence matrix-product",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) {\n"
     "  float v = x[i]; y[i] = ((0.5f * v + 0.25f) * v + 1) * v + 2; } }"},
    {"Transcendental", "transcendental exponential float", "square-root",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_expf(x[i]); }"},
    {"Division", "division invariant-division", "modulo",
     "void f(const float *x, float *y, float d, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] / d; }"},
    {"NoDivisionInIndices", "streaming", "division modulo",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n / 2; ++i) y[i] = x[i] + x[i / 4]; }"},
    {"Modulo", "modulo", "division checksum",
     "void f(const unsigned *x, unsigned *y, unsigned d, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] % d; }"},
    {"SquareRoot", "square-root", "transcendental",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_sqrtf(x[i]); }"},
    {"Branchy", "branchy", "minmax early-exit",
     "void f(const int *x, int *y, int n) { for (int i = 0; i < n; ++i) if (x[i] > 3) y[i] = x[i] * 2; else y[i] = 7; "
     "}"},
    {"NotBranchyByIndex", "", "branchy",
     "void f(const int *x, int *y, int n) { for (int i = 0; i < n; ++i) if (i > 3) y[i] = x[i]; }"},
    {"Quantized", "quantized mixed-precision conversion byte", "",
     "void f(const signed char *x, float s, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = (float)x[i] * s; }"},
    {"InPlace", "in-place streaming", "recurrence multi-pass",
     "void f(float *x, int n) { for (int i = 0; i < n; ++i) x[i] = x[i] * 2; }"},
    {"Recurrence", "recurrence", "prefix-scan reduction",
     "void f(float *x, int n) { for (int i = 1; i < n; ++i) x[i] = x[i] + 0.5f * x[i - 1]; }"},
    {"RecurrenceOfAScalar", "recurrence", "state-machine",
     "void f(const float *x, float *y, float a, int n) { float s = 0; for (int i = 0; i < n; ++i) {\n"
     "  s = s * a + x[i]; y[i] = s; } }"},
    {"Compaction", "compaction branchy", "merge prefix-scan",
     "int f(const int *x, int *y, int n) { int k = 0; for (int i = 0; i < n; ++i) if (x[i] > 0) y[k++] = x[i]; return "
     "k; }"},
    {"CompactionWithoutBranch", "compaction", "branchy merge",
     "int f(const int *x, int *y, int n) { int k = 0; for (int i = 0; i < n; ++i) { y[k] = x[i]; k += x[i] > 0; } "
     "return k; }"},
    {"Merge", "merge branchy", "compaction sorting",
     "void f(const int *a, int n, const int *b, int m, int *y) { int i = 0, j = 0, k = 0; while (i < n && j < m)\n"
     "  if (a[i] <= b[j]) y[k++] = a[i++]; else y[k++] = b[j++]; }"},
    {"Interleaved", "interleaved strided byte", "stencil",
     "void f(const unsigned char *x, unsigned char *y, int n) { for (int i = 0; i < n; ++i)\n"
     "  y[i] = (x[3 * i] + x[3 * i + 1] + x[3 * i + 2]) / 3; }"},
    {"MultiPass", "multi-pass", "nested-loops",
     "void f(const float *x, float *y, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i];\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i] * s; }"},
    {"ComplexNumbers", "complex-numbers interleaved", "",
     "void f(const float *a, const float *b, float *y, int n) { for (int i = 0; i < n; ++i) {\n"
     "  float p = a[2 * i], q = a[2 * i + 1], r = b[2 * i], s = b[2 * i + 1];\n"
     "  y[2 * i] = p * r - q * s; y[2 * i + 1] = p * s + q * r; } }"},
    {"PointerChasing", "pointer-chasing", "state-machine",
     "struct N { N *next; int v; };\nint f(const N *p) { int s = 0; while (p) { s += p->v; p = p->next; } return s; }"},
    {"Argmax", "argmax minmax", "sorting compaction",
     "int f(const float *x, int n) { float best = x[0]; int at = 0; for (int i = 1; i < n; ++i)\n"
     "  if (x[i] > best) { best = x[i]; at = i; } return at; }"},
    {"Minmax", "minmax reduction", "branchy argmax",
     "float f(const float *x, int n) { float best = x[0]; for (int i = 1; i < n; ++i) if (x[i] > best) best = x[i]; "
     "return best; }"},
    {"Comparison", "comparison early-exit", "byte-search string-search",
     "bool f(const int *x, const int *y, int n) { for (int i = 0; i < n; ++i) if (x[i] != y[i]) return false; return "
     "true; }"},
    {"Copying", "copying streaming", "in-place transposition",
     "void f(const int *x, int *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }"},
    {"SmallCalls", "small-calls", "transcendental",
     "int g(int);\nvoid f(const int *x, int *y, int n) { for (int i = 0; i < n; ++i) y[i] = g(x[i]); }"},
    {"OverflowCheck", "overflow-check", "",
     "bool f(const int *x, const int *y, int *z, int n) { for (int i = 0; i < n; ++i)\n"
     "  if (__builtin_add_overflow(x[i], y[i], &z[i])) return false; return true; }"},
    {"Interpolation", "interpolation gather", "convolution",
     "void f(const float *x, const int *at, const float *t, float *y, int n) { for (int i = 0; i < n; ++i) {\n"
     "  float a = x[at[i]], b = x[at[i] + 1]; y[i] = a + (b - a) * t[i]; } }"},
    // Forms in which such kernels are written in projects.
    {"DotOfBytes", "quantized reduction byte", "mixed-precision matrix-product",
     "int f(const signed char *a, const signed char *b, int n) { int s = 0; for (int i = 0; i < n; ++i) {\n"
     "  int x = a[i]; int y = int(b[i]); s += x * y; } return s; }"},
    {"BinarySearch", "binary-search branchy", "reduction sorting",
     "int f(const long *keys, int n, long x) { int lo = 0, hi = n; while (lo < hi) { int mid = lo + (hi - lo) / 2;\n"
     "  if (keys[mid] < x) { lo = mid + 1; } else { hi = mid; } } return lo; }"},
    {"BinarySearchBySteps", "binary-search", "sorting",
     "int f(const int *a, int n, int x) { int at = 0; for (int step = n / 2; step > 0; step /= 2) { int next = at + "
     "step;\n"
     "  if (next < n && a[next] <= x) at = next; } return at; }"},
    {"NoBinarySearchInGaps", "sorting", "binary-search",
     "void f(int *v, int n) { for (int gap = n / 2; gap > 0; gap /= 2) for (int i = gap; i < n; ++i) { int t = v[i]; "
     "int j = "
     "i;\n  while (j >= gap && v[j - gap] > t) { v[j] = v[j - gap]; j -= gap; } v[j] = t; } }"},
    {"InsertionSort", "sorting branchy in-place", "reduction",
     "void f(int v[8]) { for (int i = 1; i < 8; ++i) { int key = v[i]; int j = i - 1;\n"
     "  while (j >= 0 && v[j] > key) { v[j + 1] = v[j]; --j; } v[j + 1] = key; } }"},
    {"Partition", "sorting selection compaction branchy", "reduction",
     "int f(int *v, int n, int pivot) { int i = 0, j = n - 1; while (true) { while (i <= j && v[i] < pivot) ++i;\n"
     "  while (i <= j && v[j] >= pivot) --j; if (i > j) break; int t = v[i]; v[i] = v[j]; v[j] = t; ++i; --j; } return "
     "i; "
     "}"},
    {"NoSortingOfScalars", "minmax", "sorting",
     "namespace std { template <class T> void swap(T &, T &); }\n"
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) { float u = x[i], v = y[i];\n"
     "  if (u > v) std::swap(u, v); y[i] = v - u; } }"},
    {"ConvolutionWithATestOfTheEnd", "convolution stencil reduction", "matrix-product early-exit",
     "void f(const float *x, const float *h, float *y, int n, int taps) { for (int i = 0; i + taps <= n; ++i) {\n"
     "  float s = 0; for (int k = 0; k < taps; ++k) { s += h[k] * x[i + k]; } y[i] = s; } }"},
    {"ConvolutionFromMinusOne", "convolution stencil constant-trip nested-loops", "matrix-product",
     "void f(const float *x, float *y, int w, int h, const float *k) { for (int r = 1; r < h - 1; ++r)\n"
     "  for (int c = 1; c < w - 1; ++c) { float s = 0; for (int d = -1; d <= 1; ++d) for (int e = -1; e <= 1; ++e)\n"
     "  s += k[(d + 1) * 3 + e + 1] * x[(r + d) * w + c + e]; y[r * w + c] = s; } }"},
    {"SumsOfWindows", "stencil reduction byte", "convolution",
     "void f(const unsigned char *x, int *y, int n, int r) { for (int i = r; i < n - r; ++i) { int s = 0;\n"
     "  for (int d = -r; d <= r; ++d) { s += x[i + d]; } y[i] = s; } }"},
    {"NoWindowOfBlocks", "reduction constant-trip", "convolution stencil",
     "float f(const float *x, const float *y, int n) { float s = 0; for (int i = 0; i + 8 <= n; i += 8)\n"
     "  for (int j = 0; j < 8; ++j) s += x[i + j] * y[i + j]; return s; }"},
    {"Downwards", "streaming", "strided branchy",
     "void f(const float *x, float *y, int n) { for (int i = n - 1; i >= 0; --i) y[i] = 2 * x[i]; }"},
    {"NoReductionByPlaces", "decoding decimal branchy", "reduction",
     "void f(const char *text, unsigned *y, int n) { int at = 0; for (int i = 0; i < n; ++i) { unsigned v = 0;\n"
     "  while (text[at] != ' ') { v = v * 10 + (unsigned)(text[at] - '0'); ++at; } ++at; y[i] = v; } }"},
    {"DecimalDigits", "decimal encoding byte", "decoding",
     "int f(unsigned v, char *y) { int k = 0; do { y[k++] = (char)('0' + v % 10); v /= 10; } while (v != 0); return k; "
     "}"},
    {"ClampedByStatements", "saturating-arithmetic fixed-point minmax", "argmax hashing",
     "void f(const short *a, const short *b, short *y, int n, int gain) { for (int i = 0; i < n; ++i) {\n"
     "  int s = a[i] + ((b[i] * gain) >> 15); if (s > 32767) s = 32767; if (s < -32768) s = -32768; y[i] = (short)s; } "
     "}"},
    {"ClampedFloats", "saturating-arithmetic conversion", "fixed-point",
     "void f(const float *x, unsigned char *y, int n) { for (int i = 0; i < n; ++i) { float v = x[i] * 2;\n"
     "  if (v > 255.0f) v = 255.0f; if (v < 0.0f) v = 0.0f; y[i] = (unsigned char)v; } }"},
    {"RandomNumbers", "random-numbers recurrence", "hashing checksum",
     "void f(unsigned *y, int n, unsigned seed) { unsigned s = seed; for (int i = 0; i < n; ++i) {\n"
     "  s ^= s << 13; s ^= s >> 17; s ^= s << 5; y[i] = s; } }"},
    {"RandomNumbersByProducts", "random-numbers recurrence", "checksum",
     "void f(unsigned *y, int n, unsigned s) { for (int i = 0; i < n; ++i) { s = s * 1664525u + 1013904223u; y[i] = s; "
     "} }"},
    {"HashesOfKeys", "hashing", "random-numbers fixed-point",
     "void f(const unsigned *k, unsigned *y, int n) { for (int i = 0; i < n; ++i) y[i] = (k[i] * 2654435761u) >> 20; "
     "}"},
    {"StateInAFlag", "state-machine byte branchy", "random-numbers",
     "int f(const char *x, int n) { bool inside = false; int k = 0; for (int i = 0; i < n; ++i) { char c = x[i];\n"
     "  if (c == ' ' || c == '\\n') { inside = false; } else if (!inside) { inside = true; ++k; } } return k; }"},
    {"SetOfBytes", "byte-classification byte-search early-exit", "string-search",
     "int f(const char *s, int n, const char *set, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j)\n"
     "  if (s[i] == set[j]) return i; return n; }"},
    {"SumsInMemory", "memory-reduction reduction", "histogram",
     "void f(const float *x, float *y, int n, int m) { for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) y[i] += "
     "x[i * m + j]; }"},
    {"HalfPrecision", "half-precision", "quantized",
     "void f(const _Float16 *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = (float)x[i]; }"},
    {"HalfPrecisionByBits", "half-precision", "",
     "void f(const unsigned short *x, float *y, int n) { for (int i = 0; i < n; ++i) { unsigned b = (unsigned)x[i] << "
     "16;\n"
     "  __builtin_memcpy(&y[i], &b, 4); } }"},
    {"HalfPrecisionInAHelper", "half-precision", "quantized",
     "static float widen(unsigned short h) { unsigned b = (unsigned)h << 16; float f; __builtin_memcpy(&f, &b, 4); "
     "return "
     "f; }\nvoid f(const unsigned short *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = widen(x[i]); }"},
    {"InvariantDivision", "invariant-division division", "modulo",
     "void f(const float *x, float *y, float *s, int n) { float t = s[0]; for (int i = 0; i < n; ++i) y[i] = x[i] / t; "
     "}"},
    {"InvariantInAnOuterLoop", "invariant-division division nested-loops", "modulo",
     "void f(const float *x, const float *d, float *y, int n) { for (int i = 0; i < n; ++i) for (int k = 0; k < 3; "
     "++k)\n"
     "  y[3 * i + k] = x[3 * i + k] / d[k]; }"},
    {"DivisionByData", "division", "invariant-division",
     "void f(const float *x, const float *d, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] / d[i] / 3.0f; "
     "}"},
    {"Logarithm", "logarithm transcendental", "exponential trigonometric hyperbolic power",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_logf(x[i]); }"},
    {"Power", "power transcendental", "exponential logarithm",
     "void f(const double *x, double *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_pow(x[i], 0.25); }"},
    {"Trigonometric", "trigonometric transcendental", "hyperbolic",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_sinf(x[i]); }"},
    {"Hyperbolic", "hyperbolic transcendental", "trigonometric",
     "void f(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = __builtin_tanhf(x[i]); }"},
    {"ClampedByStores", "saturating-arithmetic branchy", "fixed-point",
     "void f(const float *x, unsigned char *y, int n) { for (int i = 0; i < n; ++i) { float v = x[i]; if (v < 0.0f) "
     "y[i] = "
     "0;\n  else if (v > 255.0f) y[i] = 255; else y[i] = (unsigned char)v; } }"},
    {"ChecksumByAChoice", "checksum", "hashing",
     "unsigned f(const unsigned char *x, int n) { unsigned c = ~0u; for (int i = 0; i < n; ++i) { c ^= x[i];\n"
     "  for (int k = 0; k < 8; ++k) { c = (c >> 1) ^ (c & 1 ? 0xEDB88320u : 0u); } } return ~c; }"},
    {"Conversion", "conversion", "mixed-precision quantized",
     "void f(const int *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }"},
    {"EarlyExit", "early-exit", "byte-search",
     "int f(const float *x, int n) { int i = 0; for (; i < n; ++i) if (x[i] < 0) break; return i; }"},
};

std::string nameOf(const testing::TestParamInfo<Case> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(All, Words, testing::ValuesIn(kCases), nameOf);

TEST(WordsOfAll, EveryWordOfTheListIsTried) {
  std::set<std::string> tried;
  for (const Case &one : kCases)
    tried.merge(listed(one.words));
  for (const std::string_view word : featureWords())
    EXPECT_TRUE(tried.contains(std::string(word))) << word;
}

} // namespace
} // namespace agentic
