// Random loops with and without dependences, in one and two dimensions: everything that fusion, interchange and
// distribute offer must compute the same, bit for bit; and so must guarded functions for overlapping arguments.
#include "tests/source/meaning_program.h"

#include <random>

namespace agentic {
namespace {

/// Stays within 16384 elements of each array for M, K <= 70.
class LoopMaker {
public:
  explicit LoopMaker(unsigned seed) : random_(seed) {}

  std::string make() {
    std::string text = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n"
                       "  float *W = C + 300;\n  float t = 0, u = 1;\n";
    switch (number(4)) {
    case 0:
      return text + sequence("  ") + "  C[0] += t + u;\n}\n";
    case 1:
      return text + "  for (size_t r = 0; r < M; ++r) {\n" + sequence("    ") + "  }\n  C[1] -= t * u;\n}\n";
    case 2:
      return text + nest() + "  C[2] += t;\n}\n";
    default:
      return text + product() + "}\n";
    }
  }

private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::string pick(const std::vector<std::string> &from) {
    return from[static_cast<std::size_t>(number(static_cast<int>(from.size())))];
  }
  std::string withVariable(std::string text, const std::string &name) {
    for (std::size_t at; (at = text.find('$')) != std::string::npos;)
      text.replace(at, 1, name);
    return text;
  }
  std::string flat(const std::string &i) {
    return withVariable(pick({"$", "$", "$", "$ + 1", "$ + 2", "2 * $", "2 * $ + 1", "$ + K", "100 + K - $", "3",
                              "$ + 4000", "2 * $ + 4000", "$ / 2", "(100 + K - $) * 2"}),
                        i);
  }
  std::string write(const std::string &at) { return pick({"W[", "W[", "C[300 + "}) + at + "]"; }
  std::string read(const std::string &at) { return pick({"W[", "A[300 + ", "A[300 + ", "C[301 + "}) + at + "]"; }
  std::string statement(const std::string &i) {
    const std::string x = read(flat(i)), y = read(flat(i)), v = "v" + std::to_string(++count_);
    return pick({write(flat(i)) + " = " + x + " * 2 + " + y + ";", write(flat(i)) + " += " + x + ";",
                 write(flat(i)) + " = " + x + ";", "t += " + x + ";", "u = u * 0.5f - " + x + ";",
                 "if (" + x + " > 1) " + write(flat(i)) + " = " + y + " - t;",
                 "const float " + v + " = " + x + "; " + write(flat(i)) + " = " + v + " + " + y + ";"});
  }
  std::string sequence(const std::string &indent) {
    std::string text;
    const std::string bounds = pick({"0;< K", "1;< K", "0;< 8", "2;< M", "0;< K"});
    for (int loops = 2 + number(2); loops > 0; --loops) {
      const std::string i = pick({"i", "i", "j"}), lower = bounds.substr(0, 1), upper = bounds.substr(2);
      text += indent + "for (size_t " + i + " = " + lower + "; " + i + " " + upper + "; ++" + i + ") {\n";
      for (int statements = 1 + number(3); statements > 0; --statements)
        text += indent + "  " + statement(i) + "\n";
      text += indent + "}\n";
      if (number(5) == 0)
        text += indent + pick({"u = u + 1;\n", "W[5] = A[3];\n", "t = W[2];\n"});
    }
    return text;
  }
  std::string square() {
    return pick({"i * K + j", "i * K + j", "(i + 1) * K + j", "(i + 1) * K + j + 1", "i * K + j + 1", "j * M + i",
                 "i * (K + 1) + j", "(i + 1) * (K + 1) + j", "i + j", "j", "i * K", "(i * K + j) * 2",
                 "(i * K + j) * 2 + 1", "i * K + K - 1 - j", "i * K + j + 5000", "(i + 1) * K + j + 4999", "7"});
  }
  std::string nest() {
    const std::string inner = pick({"0; j < K", "0; j < K", "1; j < K", "0; j < i", "i; j < K", "0; j < 6"});
    std::string text = "  for (size_t i = 0; i < M; ++i)\n    for (size_t j = " + inner + "; ++j) {\n";
    for (int statements = 1 + number(2); statements > 0; --statements)
      text += "      " + pick({write(square()) + " = " + read(square()) + " * 3;\n",
                               write(square()) + " += " + read(square()) + ";\n",
                               "if (" + read(square()) + " < 2) " + write(square()) + " = " + read(square()) + ";\n",
                               write(square()) + " = u;\n", number(4) == 0 ? "t -= A[j];\n" : ";\n"});
    return text + "    }\n";
  }
  std::string product() {
    const std::string start = pick({"0", "A[j]", "W[j]", "W[i * K + j + 5000]", "{}"});
    const std::string type = pick({"float sum", "float sum", "double sum"});
    const std::string repeated =
        pick({"", "const float x = A[j * 2];\n      ", "const float x = W[5001 + i * K + j];\n"});
    const std::string factor = repeated.empty() ? "" : " * x";
    return "  for (size_t i = 0; i < M; ++i)\n    for (size_t j = 0; j < " + pick({"K", "K", "7"}) +
           "; ++j) {\n      " + repeated + type + (start == "{}" ? start : " = " + start) +
           ";\n      for (size_t p = " + pick({"0", "1", "j"}) + "; p < " + pick({"K", "M", "3"}) +
           "; ++p) {\n        sum += " + read(pick({"p", "i * K + p", "p * K + j"})) + " * A[p * 3 + j]" + factor +
           ";\n        " + pick({"", "", "if (sum > 50) sum -= A[p];", "W[5000 + p] = 1;"}) + "\n      }\n      " +
           pick({"W[5000 + i * K + j]", "W[5000 + i * K + j]", "W[5000 + i + j]", "W[i * K + j]"}) + " = sum;\n    }\n";
  }

  std::mt19937 random_;
  int count_ = 0;
};

bool isOurs(const MoveOffer &offer) {
  return offer.move == "fusion" || offer.move == "interchange" || offer.move == "distribute";
}

Recipe extended(Recipe recipe, const MoveOffer &offer, std::mt19937 &random) {
  MoveStep step{offer.move, offer.target, {}};
  for (const auto &[parameter, values] : offer.parameters)
    step.parameters[parameter] = values[random() % values.size()];
  recipe.push_back(step);
  return recipe;
}

MeaningProgram randomLoops(unsigned first, int variants) {
  MeaningProgram program(kCompareMatrices);
  std::mt19937 random(first);
  for (unsigned seed = first; seed < first + 1500 && program.variants() < variants; ++seed) {
    const std::string text = LoopMaker(seed).make();
    const auto transformer = transformerFor(kernelSpec(text));
    if (!transformer)
      continue;
    std::vector<Recipe> recipes;
    const auto offers = transformer->offers({});
    for (const MoveOffer &offer : *offers)
      if (isOurs(offer)) {
        recipes.push_back(extended({}, offer, random));
        const Recipe prefix = recipes.back();
        const auto more = transformer->offers(prefix);
        EXPECT_TRUE(more) << text << recipeText(prefix) << "\n" << more.error().message;
        for (const MoveOffer &next : *more)
          if (isOurs(next) && random() % 2 == 0)
            recipes.push_back(extended(prefix, next, random));
      }
    if (recipes.empty())
      continue;
    program.addKernel("n" + std::to_string(seed), text);
    for (std::size_t i = 0; i < recipes.size() && i < 4; ++i) {
      const auto transformed = transformer->apply(recipes[i]);
      EXPECT_TRUE(transformed) << text << recipeText(recipes[i]) << "\n" << transformed.error().message;
      if (transformed)
        program.addVariant(*transformed, recipes[i]);
    }
  }
  EXPECT_GE(program.moves().size(), 3U);
  std::printf("%d variants\n", program.variants());
  return program;
}

const std::vector<std::string> kUndefinedBehaviourEnds = {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"};

TEST(LoopOrderMeaning, RandomLoopsWithClang) {
  randomLoops(1, 150).run("clang++-19", kUndefinedBehaviourEnds);
}
TEST(LoopOrderMeaning, FurtherRandomLoopsWithClang) {
  randomLoops(2000, 150).run("clang++-19", kUndefinedBehaviourEnds);
}
TEST(LoopOrderMeaning, RandomLoopsWithGcc) {
  randomLoops(5000, 200).run("g++", {"-O2"});
}

const std::string kCompareOverlapping = R"(
using Kernel = void(const float *, float *, int, int);
static void compare(Kernel *original, Kernel *variant, const char *what) {
  for (int offset = -40; offset <= 40; ++offset)
    for (int n : {-3, 0, 1, 7, 33}) {
      std::vector<float> expected(200), actual(200);
      for (size_t i = 0; i < expected.size(); ++i)
        expected[i] = actual[i] = static_cast<float>(i * i % 37);
      original(expected.data() + 80, expected.data() + 80 + offset, n, 1);
      variant(actual.data() + 80, actual.data() + 80 + offset, n, 1);
      if (std::memcmp(expected.data(), actual.data(), sizeof(float) * expected.size()) != 0) {
        std::printf("%s differs for offset %d, n = %d\n", what, offset, n);
        ++failures;
        return;
      }
    }
}
)";

TEST(LoopOrderMeaning, GuardedArgumentsMayOverlap) {
  MeaningProgram program(kCompareOverlapping);
  KernelSpec spec = kernelSpec("void f(const float *a, float *b, int n, int m) {\n  for (int i = 0; i < n; ++i)\n    "
                               "b[i] = a[i] * 2 + m;\n  for (int i = 0; i < n; ++i)\n    b[i] += a[i];\n}\n");
  spec.contract.mayAlias = {{"a", "b"}};
  spec.contract.extents = {{"a", Direction::In, "n * m"}, {"b", Direction::InOut, "n"}};
  const auto transformer = transformerFor(spec);
  program.addKernel("guarded", spec.text);
  EXPECT_FALSE(transformer->apply(*parseRecipe("fusion(i)")));
  for (const std::string recipe : {"guard-aliasing(f)", "guard-aliasing(f); fusion(i)",
                                   "guard-aliasing(f); fusion(i); loop-pragma(i, width=16)"}) {
    const auto text = transformer->apply(*parseRecipe(recipe));
    ASSERT_TRUE(text) << text.error().message;
    program.addVariant(*text, *parseRecipe(recipe));
  }
  program.run("clang++-19", {"-O3", "-fsanitize=undefined", "-fno-sanitize-recover=all"});
  program.run("g++", {"-O3"});
}

} // namespace
} // namespace agentic
