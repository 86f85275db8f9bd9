// Loops next to each other and inside of each other, with dependences of all directions: triangular, offset, reversed,
// strided and indirect subscripts, on floats and on integers.
#include "tests/source/fuzz/maker.h"

namespace agentic::fuzz {
namespace {

class NeighbourMaker : Maker {
public:
  using Maker::Maker;

  std::string make() {
    std::string text =
        "  float *W = C + 300;\n  float t = 0, u = 1;\n  unsigned char last = 7;\n  unsigned before = 3;\n";
    isInteger_ = chance(4);
    switch (number(4)) {
    case 0:
      return function(text + sequence("  ") + "  C[0] += t + u;\n");
    case 1:
      return function(text + "  for (size_t r = 0; r < M; ++r) {\n" + sequence("    ") + "  }\n  C[1] -= t * u;\n");
    case 2:
      return function(text + nest() + "  C[2] += t;\n");
    default:
      return function(text + product());
    }
  }

private:
  std::string flat(const std::string &i) {
    return with(pick({"$", "$", "$", "$ + 1", "$ + 2", "2 * $", "2 * $ + 1", "$ + K", "100 + K - $", "3", "$ + 4000",
                      "2 * $ + 4000", "$ / 2", "(100 + K - $) * 2", "B[$] % 64", "$ % 8", "($ ^ 1)", "$ * $ % 200"}),
                i);
  }
  std::string write(const std::string &at) {
    return (isInteger_ ? "D[300 + " : pick({"W[", "W[", "C[300 + "})) + at + "]";
  }
  std::string read(const std::string &at) {
    if (isInteger_)
      return pick({"D[300 + ", "D[299 + ", "E["}) + at + "]";
    return pick({"W[", "A[300 + ", "A[300 + ", "C[301 + "}) + at + "]";
  }
  std::string statement(const std::string &i) {
    const std::string x = read(flat(i)), y = read(flat(i)), v = fresh("v");
    if (isInteger_)
      return pick({write(flat(i)) + " = " + x + " / 2 + " + y + " / 2;", write(flat(i)) + " ^= " + x + ";",
                   write(flat(i)) + " = " + x + " & 255;",
                   "if (" + x + " > " + y + ") " + write(flat(i)) + " = " + y + ";",
                   "const int " + v + " = " + x + "; " + write(flat(i)) + " = " + v + " | " + y + ";",
                   write(flat(i)) + " = E[" + i + "] ^ last; last = E[" + i + "];",
                   write(flat(i)) + " = E[before]; before = " + i + ";"});
    return pick({write(flat(i)) + " = " + x + " * 2 + " + y + ";", write(flat(i)) + " += " + x + ";",
                 write(flat(i)) + " = " + x + ";", "t += " + x + ";", "u = u * 0.5f - " + x + ";",
                 "if (" + x + " > 1) " + write(flat(i)) + " = " + y + " - t;",
                 "const float " + v + " = " + x + "; " + write(flat(i)) + " = " + v + " + " + y + ";",
                 write(flat(i)) + " = " + x + " - u; u = " + y + ";",
                 "const float " + v + " = A[" + i + "] + " + i + "; " + write(flat(i)) + " = t; t = " + v + " * 2;"});
  }
  std::string sequence(const std::string &indent) {
    std::string text;
    const std::string bounds = pick({"0;< K", "1;< K", "0;< 8", "2;< M", "0;< K", "0;<= K"});
    const std::string lower = bounds.substr(0, 1), upper = bounds.substr(2);
    for (int loops = 2 + number(2); loops > 0; --loops) {
      const std::string i = pick({"i", "i", "j"}), block = maybe("{", 6), own = block.empty() ? "" : fresh("x");
      text += block.empty() ? "" : indent + "{ const float " + own + " = 3;\n";
      text += indent + "for (" + pick({"size_t", "size_t", "size_t", "unsigned"}) + " " + i + " = " + lower + "; " + i +
              " " + upper + "; ++" + i + ") {\n";
      for (int statements = 1 + number(3); statements > 0; --statements)
        text += indent + "  " + (chance(8) ? "{ " + statement(i) + " " + statement(i) + " }" : statement(i)) + "\n";
      text += indent + "}\n";
      text += block.empty() ? "" : indent + (isInteger_ ? "" : "W[" + own + " > 2] = " + own + "; ") + "}\n";
      if (chance(5))
        text += indent + pick({"u = u + 1;\n", "W[5] = A[3];\n", "t = W[2];\n"});
    }
    return text;
  }
  std::string square() {
    return pick({"i * K + j",
                 "i * K + j",
                 "(i + 1) * K + j",
                 "(i + 1) * K + j + 1",
                 "i * K + j + 1",
                 "j * M + i",
                 "i * (K + 1) + j",
                 "(i + 1) * (K + 1) + j",
                 "i + j",
                 "j",
                 "i * K",
                 "(i * K + j) * 2",
                 "(i * K + j) * 2 + 1",
                 "i * K + K - 1 - j",
                 "i * K + j + 5000",
                 "(i + 1) * K + j + 4999",
                 "7",
                 "(M - i) * K + j",
                 "j * K + i",
                 "B[j] % 64 * K + i",
                 "j * 64 + i",
                 "i * 64 + j",
                 "i * 64 + j + 1"});
  }
  std::string nest() {
    const std::string inner =
        pick({"0; j < K", "0; j < K", "1; j < K", "0; j < i", "i; j < K", "0; j < 6", "i + 1; j < K"});
    std::string text = "  for (size_t i = 0; i < M; ++i)\n    for (size_t j = " + inner + "; ++j) {\n";
    for (int statements = 1 + number(2); statements > 0; --statements)
      text +=
          isInteger_
              ? "      " + write(square()) + " = " + read(square()) + " / 3 + 1;\n"
              : "      " + pick({write(square()) + " = " + read(square()) + " * 3;\n",
                                 write(square()) + " += " + read(square()) + ";\n",
                                 "if (" + read(square()) + " < 2) " + write(square()) + " = " + read(square()) + ";\n",
                                 write(square()) + " = u;\n", chance(4) ? "t -= A[j];\n" : ";\n"});
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
           "; ++p) {\n        sum += A[" + pick({"p", "i * K + p", "p * K + j"}) + "] * A[" +
           pick({"p * 3 + j", "p * K + j", "p * K + j", "p * 70 + j"}) + "]" + factor + ";\n        " +
           pick({"", "", "", "if (sum > 50) sum -= A[p];", "W[5000 + p] = 1;"}) + "\n      }\n      " +
           pick({"W[5000 + i * K + j]", "W[5000 + i * K + j]", "W[5000 + i + j]", "W[i * K + j]"}) + " = sum;\n    }\n";
  }

  bool isInteger_ = false;
};

} // namespace

Kernel neighbours(unsigned seed) {
  return {.family = "neighbours", .text = NeighbourMaker(seed).make()};
}

} // namespace agentic::fuzz
