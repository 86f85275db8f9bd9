// Loops that end early, conditions that only borders need, branches that choose values.
#include "tests/source/fuzz/maker.h"

namespace agentic::fuzz {
namespace {

class ControlMaker : Maker {
public:
  using Maker::Maker;

  Kernel make() {
    switch (number(10)) {
    case 9:
      return matches();
    case 8:
      return {.text = appends()};
    case 7:
      return {.text = windows()};
    case 5:
      return {.text = appends()};
    case 6:
      return {.text = skips()};
    case 0:
      return {.text = escape()};
    case 1:
      return {.text = borders()};
    case 2:
      return searches();
    case 3:
      return {.text = stores()};
    default:
      return {.text = branches()};
    }
  }

private:
  // Numbers of one iteration: x, y float, n the count.
  std::string condition() {
    return pick({"x * x + y * y > 4.0f", "x > 60 || x < -2", "x != x", "y >= x", "!(x < 9)", "n > 5 && x > 1", "u < 4",
                 "(u & 3) == 1", "x * x > c"});
  }
  std::string step() {
    return pick({"x = x * x + c;", "x = x * 0.5f - y;", "y += x;", "y = x;", "u = u / 3 + (u >> 4);", "u ^= u << 1;",
                 "if (n & 1) x += 0.75f; else x -= c;", "if (x < 5) y = -y;",
                 "{ const float next = x - y; y = x; x = next; }", "x = x < 0 ? -x : x;", "found = n;", "w += x;",
                 "u = u * 5 + 1;", "found += 1;"});
  }
  std::string escape() {
    std::string exit = "if (" + condition() + ")" +
                       pick({" break;", " {\n        found = n;\n        break;\n      }", " { y = x; break; }"});
    std::string body = chance(3) ? "" : exit + "\n      ";
    for (int count = 1 + number(3); count > 0; --count)
      body += chance(8) ? "{ " + step() + " " + step() + " }\n      " : step() + "\n      ";
    if (chance(3))
      body += exit;
    const std::string head =
        pick({"for (; n < @; ++n) {", "for (; n < @; n++) {", "while (n < @ && x * x < 400) {\n      ++n;",
              "while (n != @ && u > 2) {\n      n += 1;", "while (n < @) {\n      ++n;"});
    return function(
        "  for (size_t i = 0; i < " + pick({"K", "M * K", "K", "M"}) + "; ++i) {\n    const float c = A[i]" +
        pick({" * 0.3f - 2", " - 3", ""}) + ";\n    float x = " + pick({"0", "A[i + 1]", "-0.0f"}) + ", y" +
        pick({"{}", " = A[i + 2]", " = c"}) +
        ";\n    double w = 1;\n    unsigned u = B[i];\n    int found = -1;\n    " +
        pick({"int", "int", "unsigned", "unsigned char", "short", "long long"}) + " n = " + pick({"0", "0", "1"}) +
        ";\n    " + with(head, pick({"40", "17", "100", "40"}), '@') + "\n      " + body + "\n    }\n    " +
        pick({"C[i] = n;", "C[i] = x + y;", "D[i] = n;", "D[i] = found;"}) + "\n    " +
        pick({"", "D[i + 5000] = found + n;", "C[i + 5000] = y + u;", "C[i + 5000] = static_cast<float>(w);",
              "E[i] = n;"}) +
        "\n  }\n");
  }

  /// Effects behind conditions, some of which leave the loop. Loops end where the arrays do, or at the declared
  /// extents.
  Kernel searches() {
    const bool leaves = chance(2), isSigned = chance(4);
    const std::string type = isSigned ? "int" : "size_t";
    const std::string end = leaves ? pick({"M * K", "K", "K"}) : pick({"16384", "16384 - M", "K", "M * K"});
    const std::string test =
        pick({"B[i] % 61 == 4", "A[i] > 14", "E[i] == 200", "A[i] != A[i]", "E[i] < 3 && A[i] > 2", "A[i] > best",
              "B[i] < low", "E[i] - 7 > 240", "D[i] == n", "E[i] == 5 || D[i] == 9"});
    const std::string effect = pick({"best = A[i];", "n = static_cast<int>(i);", "low = B[i]; n += 1;", "D[i] = 7;",
                                     "++n;", "C[i] = best; best += 1;", "if (n < 3) n += 2; else best = 0;"});
    const std::string exit = pick({"break;", "{ n = static_cast<int>(i); break; }", "{ D[5000] = 3; return; }"});
    std::string body = "    if (" + test + ") " + (leaves ? exit : "{ " + effect + " }") + "\n";
    if (chance(3))
      body = "    const float x = A[i] * 0.5f;\n    if (x > " + pick({"best", "6", "n"}) + ") " +
             (leaves ? exit : "{ best = x; " + effect + " }") + "\n" + maybe(body);
    else if (chance(4))
      body = "    for (size_t j = 0; j < " + pick({"M", "3", "K"}) + "; ++j)\n      if (E[i] == E[j + 9000]) " +
             (leaves && !chance(3) ? "return;" : "{ " + effect + " }") + "\n";
    else if (chance(4))
      body += "    else if (" + pick({"A[i] < -7.5f", "E[i] > 250"}) + ") " + (leaves ? exit : effect) + "\n";
    const bool isDeclared = !chance(4);
    // Elements that are declared are there: what the original touches is all that a variant may.
    const std::string touched =
        isDeclared ? "  for (size_t i = 0; i < " + end + "; ++i)\n    low ^= B[i] ^ D[i] ^ E[i] ^ (A[i] > 1);\n" : "";
    Kernel kernel;
    kernel.text = function("  float best = A[3];\n  unsigned low = 1u << 31;\n  int n = 5;\n" + touched + "  for (" +
                           type + " i = " + pick({"0", "0", "1"}) + "; i < " + end + "; ++i) {\n" + body +
                           "  }\n  C[4] = best + n;\n  D[4] = n;\n  D[6] = static_cast<int>(low >> 1);\n");
    if (isDeclared)
      for (const std::string name : {"A", "B", "D", "E"})
        kernel.contract.extents.push_back({name, Direction::InOut, end});
    return kernel;
  }

  /// How far two places of an array are alike: only a run knows how much of it lies behind them. Extents are smaller
  /// than the array, too, so that blocks end before the loop does.
  Kernel matches() {
    const std::string extent = pick({"M * K", "M * K", "K", "M + K", "3"});
    const std::string alike =
        pick({"a[i] == c[i]", "a[i] != 9", "a[i] + c[i] < 500", "E[p + i] < 250", "E[i + p] != c[i] + 1",
              "(a[i] & 1) == (c[i] & 1)", "E[p + i] < 240 && E[q + i] < 240", "E[i] < 230"});
    const std::string loop =
        pick({"size_t i = 0;\n    while (i < most && $) ++i;\n    D[k] = static_cast<int>(i);",
              "for (size_t i = 0; i < most; ++i)\n      if (!($)) { n = static_cast<int>(i); break; }\n    D[k] = n;",
              "for (unsigned i = 1; i < static_cast<unsigned>(most); ++i)\n      if (!($)) { n = 3; break; }\n"
              "    D[k] = n;",
              "for (int i = 0; i < static_cast<int>(most); ++i)\n      if (!($)) { n = i; break; }\n    D[k] = n;",
              "for (size_t i = 0; i < most; ++i)\n      if (!($)) n += 2;\n    D[k] = n;"});
    Kernel kernel;
    kernel.text = function("  int n = 1;\n  for (size_t i = 0; i < " + extent +
                           "; ++i)\n    n ^= E[i];\n  for (size_t k = 0; k < M; ++k) {\n"
                           "    const size_t p = B[k] % (M * K + 1), q = " +
                           pick({"k", "0", "k * K"}) + ";\n    const size_t most = std::min(M * K - std::max(p, q), " +
                           pick({"M * K", "K"}) +
                           ");\n    const unsigned char *a = E + p;\n    const unsigned char *c = E + q;\n    " +
                           with(loop, alike) + "\n  }\n  D[9000] = n;\n");
    kernel.contract.extents.push_back({"E", Direction::InOut, extent});
    return kernel;
  }

  /// Conditions and cases that decide what is stored.
  std::string store() {
    const std::string k = std::to_string(number(3));
    const std::string own =
        pick({"C[i] = x;", "D[i] += 3;", "D[i] = n;", "E[i] = n;", "E[i] ^= 5;", "w += x;", "n = (n & 63) * 3 + $;",
              "C[i] *= w;", "++D[i];", "w = A[i + $];", "C[i] = w; D[i] = n;", "C[i] = A[i + $] - x;"});
    return with(chance(15) ? pick({"C[i + 5000] = w;", "C[i] = C[i + $];", "sum += x;", "D[i / 2] = n;"}) : own, k);
  }
  std::string choice(int depth) {
    const std::string inner = depth > 0 && chance(3) ? choice(depth - 1) : store();
    const std::string test = pick(
        {"x > w", "n & 1", "B[i] % 3u == 1", "A[i] < 2 && D[i] > 40", "E[i] > 100", "x != x", "D[i] == n", "!(w < 3)"});
    if (chance(3))
      return "switch (" + pick({"n & 3", "D[i] % 5", "E[i] & 7", "static_cast<int>(B[i] & 3u)", "B[i] % 4u"}) +
             ") {\n      case 1: " + inner + " break;\n      " +
             with(pick({"case 2:\n      case 0: $ break;", "case 3: $ break;", "default: $ break;",
                        "case 2: { $ break; }", "default:\n      case 2: $ break;"}),
                  store()) +
             maybe("\n      case 7: " + store() + " " + store(), 2) + "\n      }\n";
    return "if (" + test + ") { " + inner + " " + maybe(store(), 3) + " }" +
           pick({"", " else { " + store() + " }", " else { " + store() + " " + inner + " }"});
  }
  std::string stores() {
    std::string body;
    for (int count = 1 + number(3); count > 0; --count)
      body += "    " + (chance(4) ? store() : choice(2)) + "\n";
    return function("  float sum = 1;\n  for (" + pick({"size_t", "size_t", "int"}) + " i = " + pick({"0", "0", "1"}) +
                    "; i < " + pick({"K", "200", "M"}) + "; ++i) {\n    float x = A[i], w = A[i + 1] * 0.5f;\n    " +
                    pick({"int", "unsigned", "unsigned char"}) + " n = " + pick({"D[i]", "B[i]", "3"}) + ";\n" + body +
                    pick({"", "    D[i] = n;\n", "    C[i] = w + x;\n"}) + "  }\n  C[16000] = sum;\n");
  }

  /// Neighbours of every element that has them all, and something else for the border.
  std::string windows() {
    const std::string type = pick({"size_t", "size_t", "int", "unsigned"});
    const auto border = [&](const std::string &x) {
      return with(pick({"$ == 0 || $ == m - 1", "$ == 0 || $ + 1 == m", "$ < 1 || $ >= m - 1", "$ + 1 >= m || $ == 0"}),
                  x);
    };
    const std::string last = pick({"+ 1", "+ 1", "", "+ 2"}), before = pick({"1", "1", "2"});
    const std::string use =
        pick({"w[n++] = A[i * 70 + j + 300];", "w[n] = A[i * 70 + j + 300]; ++n;",
              "w[0] += A[i * 70 + j + 300]; n = 1;", "w[n % 20] = A[i * 70 + j + 300] + w[0]; n += 2;"});
    const std::string end = pick({"std::nth_element(w, w + 2, w + 6);", "std::sort(w, w + 6);", "", "w[2] += w[1];"});
    const std::string loops =
        with(with("      for (# i = y - @; i <= y $; ++i)\n        for (# j = x - @; j <= x $; ++j) {\n          " +
                      use + "\n        }\n",
                  last),
             before, '@');
    const std::string skip = "{ C[y * 70 + x] = A[y * 70 + x]; continue; }";
    const std::string text =
        "  const # m = static_cast<#>(K), rows = static_cast<#>(M);\n  for (# y = " + pick({"0", "0", "1"}) +
        "; y < rows; ++y) {\n" + maybe("    if (y == 0 || y == rows - 1) continue;\n", 2) +
        "    for (# x = " + pick({"0", "0", "1"}) + "; x < m; ++x) {\n      if (" + border("x") +
        pick({"", " || y == 0 || y + 1 == rows", " || y < 1"}) + ") " + skip +
        "\n      float w[32] = {};\n      " + // of 25
        pick({"int", "size_t"}) + " n = 0;\n" + loops + "      " + end +
        "\n      C[y * 70 + x] = w[2] + n;\n    }\n  }\n";
    return function(with(text, type, '#'));
  }

  /// What a condition lets through is appended; what does not may go elsewhere.
  std::string appends() {
    const std::string test = pick({"A[i] > 2", "A[i] > -1 && E[i] < 100", "x < 3", "x != x", "A[i] > 8 || B[i] & 4",
                                   "x < w", "B[i] % 3u == 1", "n < 9 || x > 1"});
    const auto into = [&](const std::string &array, const std::string &counter) {
      // A float that is converted is undefined for some values, so that it may only be where it was.
      const std::string value = array == "C"
                                    ? pick({"x", "x", "x", "A[i]", "x * 2", "static_cast<float>(i)", "w", "E[i]"})
                                    : pick({"i", "i", "i * 2", "i + 7", "3", "x"});
      const std::string append =
          pick({"{ @[#++] = $; }", "{ @[#] = $; ++#; }", "{ @[#] = $; # += 1; }", "{ ++#; @[#] = $; }",
                "{ @[++#] = $; }", chance(8) ? "{ @[#++] = $; @[# + 4000] = 1; }" : "{ @[#++] = $; }"});
      return with(with(with(append, array, '@'), counter, '#'), value);
    };
    const bool isC = chance(2), isMixed = chance(6); // mostly the two have arrays and counters of their own
    const std::string first = isMixed ? pick({"C", "D", "E"})
                              : isC   ? "C"
                                      : "D",
                      second = isMixed ? pick({"C", "D", "E"})
                               : isC   ? "D"
                                       : "C";
    return function("  " + pick({"size_t", "size_t", "int", "unsigned", "unsigned"}) + " n = " + pick({"0", "0", "5"}) +
                    ", k = 0;\n  const float w = A[K];\n  for (" + pick({"size_t", "int"}) +
                    " i = " + pick({"0", "0", "1"}) + "; i < " + pick({"static_cast<int>(K)", "200", "131"}) +
                    "; ++i) {\n    const float x = " + pick({"A[i] * 0.5f", "A[i] - 1", "B[i] % 16"}) + ";\n    if (" +
                    test + ")\n      " + into(first, "n") +
                    maybe("\n    else\n      " + into(second, isMixed ? pick({"k", "n"}) : "k"), 2) + "\n" +
                    maybe("    D[i + 9000] = 3;\n", 8) + "  }\n  D[8000] = static_cast<int>(n);\n" +
                    "  D[8001] = static_cast<int>(k);\n");
  }

  /// Iterations that end early.
  std::string skips() {
    std::string body;
    for (int count = 1 + number(3); count > 0; --count)
      body += "    if (" + pick({"A[i] > 3", "i == 0", "i == m - 1", "E[i] & 1", "x < w", "D[i] == 7 || i < 2"}) +
              ") " +
              pick({"continue;", "{ C[i] = x; continue; }", "{ w += 1; continue; }",
                    "{ const float v = x; C[i] = v; continue; }"}) +
              "\n    " +
              pick({"C[i] = A[i + 1] * 2;", "w += x;", "{ const int v = D[i]; D[i + 4000] = v / 2; }",
                    "D[i + 4000] = 1;"}) +
              "\n";
    return function(
        "  float w = 1;\n  const size_t m = K;\n  for (size_t i = 0; i < m; ++i) {\n    const float x = A[i] - 2;\n" +
        body + "  }\n  C[9000] = w;\n");
  }

  std::string borders() {
    const bool isSigned = chance(3);
    const std::string type = isSigned ? "int" : "size_t";
    const std::string a = std::to_string(number(4)), taps = std::to_string(2 + number(3));
    const std::string inside =
        isSigned ? pick({"x + j - @ >= 0 && x + j - @ < m", "x + j >= @ && x + j < m + @",
                         "!(x + j < @) && x + j - @ <= m - 1"})
                 : pick({"x + j >= @ && x + j < m + @", "x + j - @ < m", "x + j >= @ && x + j - @ < m",
                         "x >= @ && x + j < m", "x + j >= @ && x + j <= m", "x > @ && x + j < m - 1 && m > 3"});
    const std::string element = with("A[y * 70 + x + j + 8 - @]", a, '@');
    std::string body;
    switch (number(3)) {
    case 0:
      body = "if (" + inside + ")\n          s += " + element + " * A[j];";
      break;
    case 1:
      body = "s += " + inside + " ? " + element + " : 0.25f;";
      break;
    default:
      body = "if (!(" + inside + "))\n          continue;\n        s += " + element + ";";
    }
    const std::string row =
        "        " + maybe("if (y + j >= 1 && y + j <= rows)\n        ", 5) + "if (y > 0 || j < 1) s += 1;\n";
    return function("  const " + type + " m = static_cast<" + type + ">(K), rows = static_cast<" + type +
                    ">(M);\n  for (" + type + " y = 0; y < rows; ++y)\n    for (" + type +
                    " x = " + pick({"0", "0", "1"}) + "; x < m; ++x) {\n      float s = 0;\n      for (" + type +
                    " j = " + pick({"0", "0", "1"}) + "; j < " + taps + "; ++j) {\n        " + with(body, a, '@') +
                    "\n" + maybe(row) + "      }\n" + maybe("      if (x > 0 && x < m - 1) s += 2; else s = -s;\n") +
                    "      C[y * m + x] = s;\n    }\n");
  }

  // Locals of the outer iteration: s, best float; n int; small unsigned char; seen bool.
  std::string assignment() {
    return pick({"s += x;", "s = x * 0.5f;", "best = x;", "++n;", "n -= 2;", "n = static_cast<int>(p);", "small += 3;",
                 "seen = true;", "s -= best;", "best = A[p];", "n += D[p];", "small = E[p];", "n = n * 3;", "n /= 2;",
                 "s = n;", "{ const float extra = x * 2; s += extra; }", "n = D[p] / (n | 1);"});
  }
  std::string branch() {
    const std::string test = pick({"x > 3", "A[p] > best", "B[p] & 4", "x < 0 || p == 3", "x != x", "D[p] > 5 && x < 1",
                                   "seen", "!(x <= best)", "n < 5", "p % 3 == 0"});
    std::string text = "if (" + test + ") {\n        " + assignment() + " " + maybe(assignment(), 3) + "\n      }";
    if (chance(2))
      text +=
          " else " + maybe("if (x > 2) { " + assignment() + " } else ", 3) + "{\n        " + assignment() + "\n      }";
    return "      " + text + "\n";
  }
  std::string branches() {
    std::string body;
    for (int count = 1 + number(3); count > 0; --count)
      body += (chance(8) ? "      { best += x;\n" + branch() + "      }\n" : branch()) + maybe("      s -= 1;\n");
    const std::string outer = pick({"M", "K"});
    return function("  for (size_t i = 0; i < " + outer +
                    "; ++i) {\n    float s = -0.0f, best = A[i];\n    int n = " + pick({"0", "2147483600", "D[i]"}) +
                    ";\n    unsigned char small = 250;\n    bool seen = false;\n    for (size_t p = 0; p < " +
                    pick({"K", "M", "13"}) + "; ++p) {\n      const float x = A[i * " + pick({"K", "70"}) +
                    " + p] - 4;\n" + body +
                    "    }\n    C[i] = s + best;\n    D[i + 5000] = n;\n    E[i] = small + seen;\n  }\n");
  }
};

} // namespace

Kernel control(unsigned seed) {
  Kernel kernel = ControlMaker(seed).make();
  kernel.family = "control";
  return kernel;
}

} // namespace agentic::fuzz
