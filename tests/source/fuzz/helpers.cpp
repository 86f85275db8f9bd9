// Calls of functions beside the kernel: values, conditions that return, rows with loops of their own, references and
// pointers that they write through; called as statements, within expressions and conditions, and within each other.
// Their parameters and variables have the kernel's own names.
#include "tests/source/fuzz/maker.h"

namespace agentic::fuzz {
namespace {

const std::string kFunctions = R"(static int clip(int v) {
  if (v < 0)
    return 0;
  if (v > 255) {
    return 255;
  }
  return v;
}
static unsigned char narrow(unsigned x) { return x * 3 + 1; }
static float mix(float x, float s) { return x * 0.75f + s; }
static double wide(float x) { return x / 3; }
static unsigned choose(unsigned x, unsigned i) {
  if (x & 1)
    return x + i;
  else if (x > i)
    return x - i;
  else
    return i;
}
static float at(const float *p, size_t i) { return p[i + 1] - p[i]; }
static bool isBig(const float *a, long i) { return a[i] > 2; }
static float peak(const float *a, size_t n) {
  float m = a[0];
  for (size_t i = 1; i < n; ++i)
    m = a[i] > m ? a[i] : m;
  return m;
}
static void row(float *c, const float *a, size_t n, float s) {
  for (size_t i = 0; i < n; ++i)
    c[i] = a[i] * s;
}
static void rows(float *c, const float *a, size_t K) {
  row(c, a, K, 0.5f);
  row(c + 1, a + 2, K, 2);
}
static void turn(unsigned &low, unsigned x) {
  const unsigned i = low << 3;
  low = i ^ x;
}
static void swapTwo(float *p) {
  const float t = p[0];
  p[0] = p[1];
  p[1] = t;
}
static int next(int *d) { return *d += 3; }
static unsigned spread(unsigned x) {
  x |= x << 4;
  unsigned i = x & 0x0f0f;
  while (i > 0x100)
    i -= 0x100;
  return i + x;
}
static long middle(long x) {
  for (long i = 0; i < 9; ++i)
    if (x < i)
      return i;
  return x;
}
)";

class HelperMaker : Maker {
public:
  using Maker::Maker;

  Kernel make() {
    Kernel kernel{.family = "helpers", .tables = kFunctions};
    std::string body =
        "  const float *a = A + 3;\n  float *c = C + 5;\n  float s = 1, t = 0;\n  unsigned low = 7, x = 3;\n"
        "  long odd = 2;\n";
    for (int loops = 1 + number(3); loops > 0; --loops)
      body += loop();
    body += "  C[0] = s + t;\n  D[9000] = static_cast<int>(low & 0xffff) + static_cast<int>(odd & 0xff);\n";
    if (chance(3))
      body += "  D[9001] = clip(D[4]);\n";
    if (chance(6))
      body += "  C[1] = peak(A, K + 1);\n";
    kernel.text = function(body);
    return kernel;
  }

private:
  /// An argument that is a number: some have to be copied, or cannot be written twice.
  std::string integer(const std::string &i) {
    return with(pick({"B[$]", "low", "static_cast<unsigned>($)", "low + E[$]", "x", "3", "B[$] % 7 + choose(low, 5)",
                      "E[$ + 1]", "odd & 7"}),
                i);
  }
  std::string real(const std::string &i) {
    return with(pick({"A[$]", "s", "a[$ + 1]", "t * 2", "at(A, $)", "mix(t, A[$])", "2", "static_cast<float>(x)"}), i);
  }

  std::string statement(const std::string &i) {
    const std::string text = pick({"C[$ + 9] = mix(@, @);",
                                   "s = mix(s, @);",
                                   "t += mix(@, s);",
                                   "D[$] = clip(D[$] - 3);",
                                   "D[$] = clip(E[$] * 2 - 90) + clip(#);",
                                   "E[$] = narrow(#);",
                                   "low ^= narrow(#);",
                                   "low = choose(low, #);",
                                   "x = choose(choose(x, #), E[$]);",
                                   "s += at(A, $);",
                                   "C[$ + 300] = at(a + 1, $) * 2;",
                                   "if (isBig(A, $)) t += 1;",
                                   "if (low % 3 == 1 && isBig(a, 2)) s -= at(A, $); else s = mix(t, s);",
                                   "turn(low, #);",
                                   "turn(x, x);",
                                   "swapTwo(c + $);",
                                   "swapTwo(&C[$ + 40]);",
                                   "low += next(D + $);",
                                   "next(&D[$]);",
                                   "const unsigned v~ = spread(#); low += v~;",
                                   "low = spread(low);",
                                   "unsigned v~ = narrow(low); v~ += 300; x ^= v~;",
                                   "odd = middle(odd) + clip($);",
                                   "s += wide(@);",
                                   "x = isBig(A, $) ? choose(x, 3) : narrow(x);",
                                   "C[$ + 600] = peak(A + $, 3);",
                                   "t = peak(a + $, M + 1) > s ? t : s;",
                                   "row(c + 700, A + $, 4, @);",
                                   "if (x & 1) row(C + 800, a, $ % 5, t);"});
    return with(with(with(with(text, integer(i), '#'), real(i), '@'), i), fresh("n"), '~');
  }

  std::string loop() {
    const std::string i = pick({"i", "j", "n"});
    if (chance(5))
      return pick({"  rows(C + 200, A, K);\n", "  row(c, a, K, s);\n", "  row(C + 90, A + 1, M, mix(s, 2));\n"});
    if (chance(5))
      return "  for (size_t r = 0; r < M; ++r) {\n    row(c + r * K, A + r * K, K, s);\n" +
             maybe("    swapTwo(c + r);\n") + "  }\n";
    const std::string head =
        pick({"for (size_t $ = 0; $ < K; ++$)", "for (size_t $ = 0; $ < K; ++$)",
              "for (int $ = 0; $ < clip(static_cast<int>(K)); ++$)", "for (unsigned $ = 0; $ < M; ++$)"});
    std::string text = "  " + with(head, i);
    if (chance(5)) // without braces
      return text + "\n    " +
             with(pick({"t += mix(A[$], 1);", "s = mix(s, A[$]);", "turn(low, B[$]);", "row(c, a, $ % 3, s);",
                        "low = spread(low + B[$]);"}),
                  i) +
             "\n";
    text += " {\n";
    for (int statements = 1 + number(3); statements > 0; --statements)
      text += "    " + statement(i) + "\n";
    return text + "  }\n";
  }
};

} // namespace

Kernel helpers(unsigned seed) {
  return HelperMaker(seed).make();
}

} // namespace agentic::fuzz
