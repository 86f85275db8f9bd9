// Loops whose pointers and indices walk: steps, bounds and places of the test of all kinds. A kernel steps a pointer at
// most 2 loops x 3 rows x 120 iterations x 3 statements x 4 elements = 8640 forward and 2160 back: that stays inside.
// Where two pointers walk through C, only their common root tells it.
#include "tests/source/fuzz/maker.h"
#include "tool/base/text.h"

namespace agentic::fuzz {
namespace {

class WalkingMaker : Maker {
public:
  using Maker::Maker;

  Kernel make() {
    Kernel kernel{.family = "walking",
                  .tables = "#define TAKE2(p) {low += (p)[0]; high += low; low += (p)[1]; high += low;}\n"
                            "#define PASS(p, n) p += n\n#define HALF(to, of) to = of * 0.5f + of\n"};
    std::string body = "  const float *a = A;\n  const unsigned char *e = E;\n  float *c = C + 4000;\n  int *d = D;\n"
                       "  unsigned low = 7, high = 1;\n  float sum = 0;\n  long odd = 3;\n";
    body += pick({"  const float *b = A + 2;\n", "  float *b = C + 3990;\n", "  float *b = c + 1;\n",
                  "  const float *b = &A[M];\n", "  const float *b = M > 40 ? A : A + 7;\n"});
    for (int loops = 1 + number(2); loops > 0; --loops) {
      std::string one = loop();
      if (chance(5))
        one = "  for (size_t row = 0; row < M % 4; ++row) {\n    const float *a = A + row * 70;\n" + one + "  }\n";
      else if (chance(4))
        one = "  for (size_t row = 0; row < 3; ++row) {\n" + one + "  }\n";
      body += "  {\n" + one + "  }\n";
    }
    body += "  C[0] = sum;\n  D[9000] = static_cast<int>(low & 0xffff) + static_cast<int>(odd & 0xff);\n"
            "  D[9005] = static_cast<int>(high & 0xffff);\n";
    if (chance(2))
      body += pick({"  C[1] = *a;\n", "  D[9001] = static_cast<int>(e - E);\n", "  *c = 3;\n", "  *d = 5;\n",
                    "  D[9001] = static_cast<int>(a - A) + static_cast<int>(c - C);\n"});
    kernel.text = function(body);
    return kernel;
  }

private:
  /// A statement of the body; whatever walks in it steps once.
  std::string step() {
    const std::string k = std::to_string(number(4));
    return with(pick({"*c++ = *a++ * 0.5f;",
                      "c[$] = a[$] - a[0]; c += 4; a += 4;",
                      "sum += *a++;",
                      "low ^= *e++;",
                      "low = low * 31 + e[$]; e += 2;",
                      "*d++ = e[$] * 3; e++;",
                      "*c++ = sum; sum = a[$]; a += 2;",
                      "if (*a++ > 3) sum += 1; else sum -= a[$];",
                      "odd += 3; sum += odd;",
                      "sum += *a * *a; ++a;",
                      "for (int j = 0; j < 3; ++j) sum += a[j]; a += 1;",
                      "if (a[$] > 2) low += 1; a = a + 1;",
                      "*d++ = static_cast<int>(low & 255); low += 5;",
                      "low += e[$] | e[1] << 3; e += 3;",
                      "if (low & 1) { *c++ = 1; } ++a;",
                      "*--c = a[$];",
                      "sum += (*a > 1) ? a[1] : a[$]; a++;",
                      "*c++ = b[$] + 1; b += 1;",
                      "c[$] = b[0]; c += 2; b += 2;",
                      "c[1] = b[$] * a[0]; ++c; ++a; ++b;",
                      "low += *e++; high += low;",
                      "TAKE2(e); e += 2;",
                      "TAKE2(e) PASS(e, 2);"}),
                k);
  }
  /// The work of 2 or 4 iterations, unrolled by hand: `#` is the place of each, `!` its number. Sometimes one differs.
  std::string unrolled() {
    const int groups = pick({"2", "4"}) == "2" ? 2 : 4, wide = groups == 2 && chance(2) ? 2 : 1;
    const std::string work =
        pick({"c[#] = a[#] * 0.5f;", "sum += a[#];", "low = low * 31 + e[#];", "low += e[#]; high += low;",
              "const float v! = a[#]; c[#] = v! * v!;", "HALF(c[#], a[#]);", "d[#] = e[# + 1] * 3;",
              "if (a[#] > 3) sum += 1;", "unsigned v! = e[#]; low ^= v! << 3; v! += 1; high += v!;", "*c++ = *a++ + 1;",
              "low += *e++;", "for (int j = 0; j < 2; ++j) sum += a[# + j];"});
    const std::string first = pick({"float v = a[#]; ", "", ""}), last = first.empty() ? "" : " c[#] = v + 1;";
    const int odd = chance(6) ? number(groups) : -1;
    std::string text;
    for (int i = 0; i < groups; ++i) {
      const std::string declared = i > 0 && !first.empty() ? first.substr(std::string("float ").size()) : first;
      const std::string group = with(declared + work + last, std::to_string(i * wide), '#');
      text += "      " + with(i == odd ? replaceAll(group, "+ 1", "+ 2") : group, std::to_string(i), '!') + "\n";
    }
    const std::string by = std::to_string(groups * wide);
    for (const std::string pointer : {"a", "c", "d", "e"})
      if (text.find(pointer + "[") != std::string::npos)
        text += "      " + pointer + " += " + by + ";\n";
    return text;
  }
  /// Uses of an index of the header.
  std::string indexed() {
    return with(
        pick({"C[@ + 9] = A[@];", "sum += A[@] * @;", "D[@] = E[@ + $];", "low += B[@] ^ @;", "E[@] = E[@ + 1] + 1;",
              "C[@ + $ + 300] = A[@ + 2] - @ / 2;", "D[@ + $] += static_cast<int>(@ * 3);", "if (A[@] > 2) sum += @;"}),
        std::to_string(number(4)));
  }

  std::string loop() {
    std::string body;
    if (chance(3))
      body = unrolled();
    else
      for (int count = 1 + number(3); count > 0; --count)
        body += "      " + step() + "\n";
    if (chance(5))
      body += pick({"      if (sum > 60) break;\n", "      if (low == 12) return;\n"});
    const std::string size = pick({"K", "M", "K", "M * K / 64"});
    const std::string number = pick({"size_t", "int", "unsigned", "unsigned short", "long", "unsigned char", "short"});
    const std::string s = std::to_string(1 + this->number(5)), less = std::to_string(1 + this->number(4));
    const auto fill = [&](const std::string &text) { return with(with(with(text, number, '%'), size, '$'), s, '~'); };
    switch (this->number(5)) {
    case 0: { // a number counts down
      const std::string head = "    % n = static_cast<%>($);\n",
                        whole = "    % n = static_cast<%>(($ < 100 ? $ : 100) / ~ * ~);\n";
      const std::string again =
          pick({"while (n--) {", "while (n > 0) {", "while (n >= ~) {", "while (n-- > 0) {", "do {", "do {",
                "for (;;) {\n      if (n <= 0) break;", "while (n != 0) {", "for (; n > ~;) {",
                "while (n > 0 && *a < 14) {", "while (n-- > 0 && sum < 900) {"});
      const bool steps = again.find("--") == std::string::npos, isMultiple = again.find(" 0") != std::string::npos;
      if (again == "do {")
        return fill((chance(2) ? head : whole) + "    if (n >= ~)\n    do {\n" + body +
                    pick({"    } while (--n);\n", "    } while (--n != 0);\n", "    } while (--n > 0);\n",
                          "      n -= ~;\n    } while (n >= ~);\n", "    } while (n-- > 1);\n"}));
      return fill((isMultiple ? whole : head) + "    " + again + "\n" + body +
                  (steps ? pick({"      n -= 1;\n", "      n -= ~;\n", "      n -= ~;\n"}) : "") + "    }\n" +
                  maybe("    D[9002] = n;\n"));
    }
    case 1: { // an index counts up
      std::string uses = body;
      const bool isUnrolled = chance(4);
      if (isUnrolled)
        uses = pick({"      C[i + 9] = A[i];\n      C[i + 10] = A[i + 1];\n",
                     "      sum += A[i] * B[i];\n      sum += A[i + 1] * B[i + 1];\n",
                     "      const int v = E[i + 1]; D[i] = v * v;\n      const int w = E[i + 2]; D[i + 1] = w * w;\n",
                     "      E[i + 1] = E[i];\n      E[i + 2] = E[i + 1];\n",
                     "      HALF(C[i], A[i]);\n      HALF(C[i + 1], A[i + 1]);\n",
                     "      if (A[i] > 60) break;\n      sum += A[i];\n      if (A[i + 1] > 60) break;\n      sum += "
                     "A[i + 1];\n",
                     "      C[i + 9] = A[i];\n      C[i + 10] = A[i + 2];\n"});
      for (int count = isUnrolled ? 0 : 1 + this->number(2); count > 0; --count)
        uses += "      " + with(indexed(), "i", '@') + "\n";
      const std::string from = pick({"0", "0", "0", "1", "2"});
      const std::string bound =
          pick({"$", "$ - " + less, "static_cast<int>($) - " + less, "40", "static_cast<%>($)", "m", "m - 3"});
      const std::string test =
          with(pick({"i < #", "i <= #", "i + 3 < #", "i + M < #", "i + m <= #", "i != #", "# > i"}), bound, '#') +
          maybe(pick({" && sum < 900", " && A[i] < 14", " && low != 12 && *a > -9"}), 3);
      const std::string by = test.find("!=") != std::string::npos ? "++i"
                             : isUnrolled                         ? "i += 2"
                                          : pick({"++i", "i += 2", "i += 4", "i += ~", "i++, a++", "i += 2"});
      const std::string m = "    const int m = static_cast<int>($);\n";
      const std::string shape =
          pick({"    for (% i = " + from + "; " + test + "; " + by + ") {\n" + uses + "    }\n",
                "    % i = " + from + ";\n    for (; " + test + ";) {\n" + uses + "      " + by + ";\n    }\n" +
                    maybe("    D[9003] = static_cast<int>(i);\n"),
                "    % i = " + from + ";\n    while (" + test + ") {\n" + uses + "      " + by + ";\n    }\n",
                "    % i;\n    for (i = " + from + "; " + test + "; " + by + ") {\n" + uses + "    }\n" +
                    maybe("    D[9003] = static_cast<int>(i);\n")});
      return fill("    if ($ > 6 && $ < 120) {\n" + m + shape + "    }\n");
    }
    case 2: { // a pointer meets a bound
      const std::string test =
          pick({"p < end", "p != end", "end - p >= ~", "p + 3 < end", "end > p", "p <= end - 4", "end - p > 0"}) +
          maybe(pick({" && *p < 14", " && sum < 900", " && p[1] != 3 && low != 12"}), 3);
      const std::string by = test.starts_with("p != end") ? "++p" : pick({"++p", "p += 2", "p += ~", "p++"});
      const std::string use = pick({"sum += *p;", "*c++ = p[0] - p[1];", "if (*p > 3) sum += p[2];", "sum += p[~];"});
      return fill(pick({"    const float *p = A + 3, *end = p + $;\n    while (" + test + ") {\n      " + use + "\n" +
                            body + "      " + by + ";\n    }\n" + maybe("    D[9004] = static_cast<int>(p - A);\n"),
                        "    const float *const end = A + $;\n    for (const float *p = A; " + test + "; " + by +
                            ") {\n      " + use + "\n" + body + "    }\n"}));
    }
    case 3: {                                       // an index of an outer header walks on in an inner loop
      body = replaceAll(body, "break;", "return;"); // at the same index the next round would end there again, for ever
      const std::string chunk = pick({"8", "12", "20"});
      return fill(
          "    for (size_t at = " + pick({"0", "0", "2"}) + "; at < $;) {\n      const size_t last = $ - at > " +
          chunk + " ? at + " + chunk + " : $;\n      " +
          pick({"for (; at < last; at += ~) {\n", "for (; at < last; ++at) {\n", "while (at < last) {\n  at += 2;\n"}) +
          body + "      " + with(indexed(), "at", '@') + "\n      }\n    }\n");
    }
    default: // it counts already, and other things walk
      return fill("    for (" + pick({"size_t", "int", "unsigned"}) + " i = " + pick({"0", "0", "1", "3"}) + "; i < " +
                  pick({"K", "M", "20"}) + "; ++i) {\n" + body + maybe("      if (sum < -9) continue;\n", 6) +
                  "      " + with(indexed(), "i", '@') + "\n    }\n");
    }
  }
};

} // namespace

Kernel walking(unsigned seed) {
  return WalkingMaker(seed).make();
}

} // namespace agentic::fuzz
