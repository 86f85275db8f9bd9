// Accumulators of all operators, types and written forms. D alternates between the ends of int in some inputs: sums in
// the original's order fit, partial sums of every second element do not.
#include "tests/source/fuzz/maker.h"

namespace agentic::fuzz {
namespace {

class ReductionMaker : Maker {
public:
  using Maker::Maker;

  Kernel make() {
    Kernel kernel{.family = "reduction"};
    kernel.mayReassociate = number(3) != 0;
    kernel.largestTerm = kernel.mayReassociate ? 1100 : 0; // |A| < 16, products of two, times 4 at most
    std::string inner = chance(4) ? coupledLoop() : loop(), text;
    if (chance(3)) { // rows with accumulators of their own
      text = "  for (size_t r = 0; r < M; ++r) {\n" + declarations_ + inner + with(stores_, "r") + "  }\n";
    } else {
      text = declarations_ + inner + with(stores_, "K");
    }
    kernel.text = function("  const int n = static_cast<int>(K);\n" + text);
    return kernel;
  }

private:
  std::string header() {
    return pick({"size_t i = 0; i < K; ++i", "size_t i = 0; i < K; ++i", "int i = 0; i < n; ++i",
                 "unsigned i = 0; i < K; i++", "int i = 2; i < n; ++i", "size_t i = 1; i <= K; ++i",
                 "size_t i = M; i < K; ++i", "short i = 0; i < n; ++i", "size_t i = 0; i < K; i += 2",
                 "size_t i = 0; i != K; ++i", "size_t i = K; i-- > 0;"});
  }
  std::string floatTerm() {
    return pick({"A[i]", "A[i]", "A[i] * A[i + 3]", "A[i] * 2", "A[i * 2 + 1]", "static_cast<float>(D[i] & 15)",
                 "(B[i] & 1 ? A[i] : -A[i])", "(2.0f, A[i])", "A[B[i] % 64]", "-A[i]", "std::max<float>(A[i], 2)",
                 "std::fabs(A[i])"});
  }
  std::string intTerm() {
    return pick({"D[i]", "D[i]", "E[i]", "D[i] % 100", "D[i * 2]", "static_cast<signed char>(B[i])", "(E[i] > 9)",
                 "(D[i] & 7) * E[i]", "(D[0], D[i])", "D[E[i]]", "std::min<int>(D[i], 3)", "(D[i] > 3 ? D[i] : 1)"});
  }
  std::string extremum(const std::string &s, const std::string &x, const std::string &type) {
    return with(with(pick({"$ = @ > $ ? @ : $;", "$ = @ >= $ ? @ : $;", "$ = $ < @ ? @ : $;", "$ = @ < $ ? @ : $;",
                           "$ = $ <= @ ? $ : @;", "if (@ > $) $ = @;", "if ($ > @) $ = @;", "if (@ <= $) { $ = @; }",
                           "$ = std::max<" + type + ">($, @);", "$ = std::max<" + type + ">(@, $);",
                           "$ = std::min<" + type + ">($, @);", "$ = std::min<" + type + ">(@, $);"}),
                     s),
                type == "float" ? x : "static_cast<" + type + ">(" + x + ")", '@');
  }
  std::string floatUpdate(const std::string &s, const std::string &type) {
    const std::string x = floatTerm();
    if (chance(4) && type == "float")
      return extremum(s, x, type);
    if (chance(6))
      return s + " *= B[i] & 1 ? -1.0f : 1.0f;"; // thousands of factors: none may overflow in another order
    return with(with(pick({"$ += @;", "$ += @;", "$ -= @;", "$ = $ + @;", "$ = @ + $;", "$ = $ - @;"}), s), x, '@');
  }
  std::string integerUpdate(const std::string &s, const std::string &type) {
    const std::string x = intTerm();
    if (chance(4))
      return extremum(s, x, type);
    if (chance(8))
      return s + " *= D[i] & 1 ? -1 : 1;";
    return with(with(pick({"$ += @;", "$ += @;", "$ -= @;", "$ = $ + @;", "$ = @ + $;", "$ = $ - @;", "$ ^= @;",
                           "$ &= @ | 5;", "$ |= @;", "$ = $ ^ @;", "++$;", "$--;"}),
                     s),
                x, '@');
  }
  std::string accumulator() {
    const std::string s = fresh("s");
    const bool isFloat = chance(2);
    const std::string type = isFloat ? pick({"float", "float", "float", "double"})
                                     : pick({"int", "int", "unsigned", "long long", "unsigned char", "short"});
    const std::string start =
        isFloat ? pick({"0", "1", "-0.0f", "A[0]", "{}"}) : pick({"0", "0", "0", "1", "D[0]", "{}", "-1"});
    declarations_ +=
        "  " + type + " " + s + (start == "{}" ? start : " = static_cast<" + type + ">(" + start + ")") + ";\n";
    const std::string at = std::to_string(++places_ * 100);
    stores_ += isFloat ? "  C[$ + " + at + "] = static_cast<float>(" + s + ");\n"
                       : "  D[$ + " + at + "] = static_cast<int>(" + s + " & 0x7fffffff);\n";
    std::string update = isFloat ? floatUpdate(s, type) : integerUpdate(s, type);
    if (chance(6)) // the same accumulator in two statements
      update += " " + (isFloat ? floatUpdate(s, type) : integerUpdate(s, type));
    return chance(4) ? "if (" + pick({"A[i] > 1", "D[i] > 2", "E[i] & 1", "i & 1"}) + ") { " + update + " }" : update;
  }
  /// Sums of each other: they wrap, or are remainders, not always before the loop.
  std::string coupledLoop() {
    const bool isModular = chance(2);
    const std::string type = isModular ? pick({"unsigned", "unsigned", "unsigned long long", "int"})
                                       : pick({"unsigned", "unsigned", "unsigned long long", "int", "long long"});
    const std::string modulus = pick({"65521", "255", "251", "2147483647", "7u"});
    Texts sums;
    for (int count = 2 + number(2); count > 0; --count) {
      sums.push_back(fresh("s"));
      declarations_ +=
          "  " + type + " " + sums.back() + " = " + pick({"0", "1", "0", "E[0]", "B[0] % 300", "B[1]"}) + ";\n";
      stores_ +=
          "  D[$ + " + std::to_string(++places_ * 100) + "] = static_cast<int>(" + sums.back() + " & 0x7fffffff);\n";
    }
    std::string body;
    for (std::size_t at = 0; at < sums.size(); ++at) {
      const std::string &sum = sums[at], other = at > 0 && !chance(4) ? sums[at - 1] : pick(sums);
      const std::string term = pick({"E[i]", "E[i]", "E[i]", "E[i] & 15", "E[2 * i]", "B[i] % 9", "x", "i"});
      const std::string added = at == 0 || chance(3) ? term : chance(3) ? other + " + " + term : other;
      if (isModular)
        body += chance(4) && modulus == "255" ? with(with("    $ += @; if ($ >= 255) $ -= 255;\n", sum), added, '@')
                                              : with(with("    $ = ($ + @) % ", sum), added, '@') + modulus + ";\n";
      else
        body += "    " +
                with(with(pick({"$ += @;", "$ += @;", "$ = $ + @;", "$ -= @;", "$ = $ * 31 + @;", "$ = ($ << 3) + @;",
                                "$ = @ - $;", "$ = 3 * (@);"}),
                          sum),
                     added, '@') +
                "\n";
    }
    if (body.find('x') != std::string::npos)
      body = "    const " + pick({"unsigned", "unsigned char", "unsigned short"}) + " x = " + pick({"E[i]", "B[i]"}) +
             ";\n" + body;
    const std::string counting =
        pick({"size_t i = 0; i < K; ++i", "int i = 0; i < n; ++i", "size_t i = M; i < K; ++i"});
    return "  for (" + (chance(5) ? header() : counting) + ") {\n" + body + "  }\n";
  }
  std::string loop() {
    std::string body;
    for (int count = 1 + number(3); count > 0; --count)
      body += chance(8) ? "    { " + accumulator() + " " + accumulator() + " }\n" : "    " + accumulator() + "\n";
    if (chance(4))
      body += pick({"    C[i + 8000] = A[i] * 2;\n", "    D[i + 8000] = D[i] / 2;\n", "    E[i + 8000] += 3;\n"});
    if (chance(5))
      body = "    for (size_t j = 0; j < " + pick({"7", "K", "M"}) + "; ++j) {\n" + body + "    }\n";
    return "  for (" + header() + ") {\n" + body + "  }\n";
  }

  std::string declarations_, stores_;
  int places_ = 0;
};

} // namespace

Kernel reduction(unsigned seed) {
  return ReductionMaker(seed).make();
}

} // namespace agentic::fuzz
