// Random loop nests, most of them with dependences: whatever is offered must compute the same, bit for bit.
#include "tests/source/meaning_program.h"

#include <random>

namespace agentic {
namespace {

constexpr int kNests = 600, kMostVariants = 320;

/// Stays within 16384 elements of each array for M, K <= 40.
class NestMaker {
public:
  explicit NestMaker(unsigned seed) : random_(seed) {}

  std::string make() {
    innermost_ = pick({"p", "p", "q"});
    std::string text =
        "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n" +
        pick({"", "", "  const float *R = C + 3;\n", "  float *W = C + K;\n", "  const float &r = C[2];\n"});
    hasRead_ = (text.find("*R") != std::string::npos), hasWrite_ = (text.find("*W") != std::string::npos),
    hasReference_ = (text.find("&r") != std::string::npos);
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
    return text + "    }\n" + maybe("    for (size_t c = 0; c < K; ++c) C[i * K + c] -= A[c];\n") + "  }\n}\n";
  }

private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string pick(const std::vector<std::string> &from) {
    return from[static_cast<std::size_t>(number(int(from.size())))];
  }
  std::string maybe(const std::string &text) { return number(4) == 0 ? text : ""; }

  std::string subscript(int depth) {
    if (depth == 1)
      return pick({"i", "i * K", "i * 2 + 1", "M - i", "5"});
    if (depth == 3 && number(2) == 0)
      return pick({"i * K + P", "P * K + j", "P", "P + j", "i + P", "(P ^ 1) + j", "P / 2 * K + i"}, innermost_);
    return pick({"i * K + j", "i * K + j", "i * K + j", "i * K + j", "j * M + i", "i * K + j + 1", "i + j", "j", "i",
                 "j / 2", "(i * K + j) * 2", "(i * K + j) * 2 + 1", "i * (K + 1) + j", "i * K + K - j", "j % 8",
                 "i * K"});
  }
  std::string pick(const std::vector<std::string> &from, const std::string &inner) {
    std::string text = pick(from);
    for (std::size_t at; (at = text.find('P')) != std::string::npos;)
      text.replace(at, 1, inner);
    return text;
  }
  std::string value(int depth) {
    const std::string array = number(6) == 0 ? hasRead_ && number(2) ? "R" : "C" : "A";
    if (depth > 1 && number(6) == 0)
      return "static_cast<float>((B[" + subscript(depth) + "] >> (j & 31)) & 7u)";
    return hasReference_ && number(3) == 0 ? "r" : array + "[" + subscript(depth) + "]";
  }
  std::string update() {
    const std::string x = value(3), y = value(3), v = "v" + std::to_string(++count_);
    return pick({"s += " + x + " * " + y + ";\n", "s += " + x + " * t + " + y + ";\n",
                 "t = s > " + x + " ? s : t + 1;\n", "if (" + x + " > 1) s -= " + y + "; else t += s;\n",
                 "const float " + v + " = " + x + "; s += " + v + " * " + v + " - t;\n",
                 "s = s * 0.5f, t -= " + x + ";\n", "(s > t ? s : t) = " + x + ";\n",
                 "{ float v = s; v += " + y + "; s = v; }\n"});
  }
  std::string store(int depth) {
    const std::string target = std::string(hasWrite_ && number(2) ? "W" : "C") + "[" + subscript(depth) + "]";
    const std::string x = depth == 1 ? value(1) : pick({"s", "s", "s + t", "t * " + value(2)});
    return pick({target + " = " + x + ";\n", target + " += " + x + ";\n",
                 "if (" + value(depth) + " > 2) " + target + " = " + x + ";\n"});
  }

  std::mt19937 random_;
  std::string innermost_;
  int count_ = 0;
  bool hasRead_ = false, hasWrite_ = false, hasReference_ = false;
};

TEST(TransformFuzz, RandomNests) {
  MeaningProgram program(kCompareMatrices);
  std::mt19937 random(7);
  int legal = 0;
  for (unsigned seed = 0; seed < kNests && program.variants() < kMostVariants; ++seed) {
    const std::string text = NestMaker(seed).make(), name = "n" + std::to_string(seed);
    const auto transformer = transformerFor(kernelSpec(text));
    ASSERT_TRUE(transformer) << text;
    std::vector<Recipe> recipes;
    for (const MoveOffer &offer : *transformer->offers({})) {
      if (offer.move != "strip-mine" && offer.move != "unroll-and-jam")
        continue;
      MoveStep step{offer.move, offer.target, {{offer.parameters.begin()->first, int(2 + random() % 15)}}};
      recipes.push_back({step});
      for (const MoveOffer &next : *transformer->offers({step}))
        if (next.move != "loop-pragma" && next.move != "vector-width") {
          MoveStep second{next.move, next.target, {}};
          for (const auto &[parameter, values] : next.parameters)
            second.parameters[parameter] = values[random() % values.size()];
          recipes.push_back({step, second});
        }
    }
    legal += !recipes.empty();
    if (!recipes.empty())
      program.addKernel(name, text);
    for (std::size_t i = 0; i < recipes.size() && i < 4; ++i) {
      const Recipe &recipe = recipes[recipes.size() > 4 ? random() % recipes.size() : i];
      if (const auto transformed = transformer->apply(recipe)) // else too large together
        program.addVariant(*transformed, recipe);
    }
  }
  EXPECT_GE(program.variants(), 40) << "the nests are too hard: nothing is tested";
  program.run("clang++-19", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"});
  std::printf("%d variants of %d nests that may be transformed\n", program.variants(), legal);
}

} // namespace
} // namespace agentic
