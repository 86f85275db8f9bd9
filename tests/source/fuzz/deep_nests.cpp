// Three loops on floats; most of them have dependences.
#include "tests/source/fuzz/maker.h"

namespace agentic::fuzz {
namespace {

class DeepNestMaker : Maker {
public:
  using Maker::Maker;

  std::string make() {
    innermost_ = pick({"p", "p", "q"});
    std::string text =
        pick({"", "", "  const float *R = C + 3;\n", "  float *W = C + K;\n", "  const float &r = C[2];\n"});
    hasRead_ = text.find("*R") != std::string::npos, hasWrite_ = text.find("*W") != std::string::npos,
    hasReference_ = text.find("&r") != std::string::npos;
    text += "  for (size_t i = 0; i < M; ++i) {\n" + maybe("    float u = " + value(1) + ";\n") +
            maybe("    " + store(1)) +
            "    for (size_t j = 0; j < K; ++j) {\n      float s = " + pick({"0", "1", "A[j]", "A[i * K + j]"}) +
            ", t{};\n" + maybe("      const size_t row = j * M;\n") + "      for (size_t " + innermost_ + " = 0; " +
            innermost_ + " < " + pick({"K", "M", "K / 2", "5", "j"}) + "; ++" + innermost_ + ") {\n";
    for (int count = 1 + number(3); count > 0; --count)
      text += "        " + update();
    text += "      }\n";
    for (int count = 1 + number(2); count > 0; --count)
      text += "      " + store(2);
    return function(text + "    }\n" + maybe("    for (size_t c = 0; c < K; ++c) C[i * K + c] -= A[c];\n") + "  }\n");
  }

private:
  std::string subscript(int depth) {
    if (depth == 1)
      return pick({"i", "i * K", "i * 2 + 1", "M - i", "5"});
    if (depth == 3 && chance(2))
      return with(pick({"i * K + $", "$ * K + j", "$", "$ + j", "i + $", "($ ^ 1) + j", "$ / 2 * K + i"}), innermost_);
    return pick({"i * K + j", "i * K + j", "i * K + j", "i * K + j", "j * M + i", "i * K + j + 1", "i + j", "j", "i",
                 "j / 2", "(i * K + j) * 2", "(i * K + j) * 2 + 1", "i * (K + 1) + j", "i * K + K - j", "j % 8",
                 "i * K"});
  }
  std::string value(int depth) {
    const std::string array = chance(6) ? hasRead_ && chance(2) ? "R" : "C" : "A";
    if (depth > 1 && chance(6))
      return "static_cast<float>((B[" + subscript(depth) + "] >> (j & 31)) & 7u)";
    return hasReference_ && number(3) == 0 ? "r" : array + "[" + subscript(depth) + "]";
  }
  std::string update() {
    const std::string x = value(3), y = value(3), v = fresh("v");
    return pick({"s += " + x + " * " + y + ";\n", "s += " + x + " * t + " + y + ";\n",
                 "t = s > " + x + " ? s : t + 1;\n", "if (" + x + " > 1) s -= " + y + "; else t += s;\n",
                 "const float " + v + " = " + x + "; s += " + v + " * " + v + " - t;\n",
                 "s = s * 0.5f, t -= " + x + ";\n", "(s > t ? s : t) = " + x + ";\n",
                 "{ float v = s; v += " + y + "; s = v; }\n"});
  }
  std::string store(int depth) {
    const std::string target = std::string(hasWrite_ && chance(2) ? "W" : "C") + "[" + subscript(depth) + "]";
    const std::string x = depth == 1 ? value(1) : pick({"s", "s", "s + t", "t * " + value(2)});
    return pick({target + " = " + x + ";\n", target + " += " + x + ";\n",
                 "if (" + value(depth) + " > 2) " + target + " = " + x + ";\n"});
  }

  std::string innermost_;
  bool hasRead_ = false, hasWrite_ = false, hasReference_ = false;
};

} // namespace

Kernel deepNest(unsigned seed) {
  return {.family = "deep nest", .text = DeepNestMaker(seed).make()};
}

} // namespace agentic::fuzz
