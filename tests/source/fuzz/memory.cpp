// Row pointers, bounds in memory, elements that are updated in place, tables that are counted in, running sums,
// arguments that overlap, parameters with values from benchmarks.
#include "tests/source/fuzz/maker.h"

namespace agentic::fuzz {
namespace {

class MemoryMaker : Maker {
public:
  using Maker::Maker;

  Kernel make() {
    Kernel kernel{.family = "memory"};
    switch (number(10)) {
    case 0:
      kernel.text = rows();
      break;
    case 1:
      kernel.text = updates();
      break;
    case 2:
      kernel.text = histogram();
      break;
    case 3:
      kernel.mayReassociate = chance(2);
      kernel.largestTerm = kernel.mayReassociate ? 300 : 0;
      kernel.contract.isFinite = kernel.mayReassociate; // its factors keep the infinities of the inputs as they are
      kernel.text = runningSum();
      break;
    case 4:
      kernel.text = overlapping();
      kernel.mayOverlap = true;
      kernel.contract.mayAlias = {{"A", "C"}};
      kernel.contract.extents = {{"A", Direction::In, "M * K + 80"}, {"C", Direction::InOut, "M * K + 80"}};
      break;
    case 5:
      kernel.text = sorted();
      break;
    case 6:
      kernel.text = transposed();
      break;
    case 7:
      kernel.text = flattened();
      break;
    case 8:
      kernel.text = inMemoryAlone();
      break;
    default:
      kernel.text = pointers();
    }
    kernel.observed = {{"M", {33, 8}},
                       {"K", {std::vector<std::int64_t>{64, 33, 16}[static_cast<std::size_t>(number(3))]}}};
    return kernel;
  }

private:
  std::string rows() {
    const std::string type = pick({"size_t", "size_t", "int", "unsigned"});
    const std::string bound =
        pick({"B[r + 1] % 64", "E[r + 1]", "D[r] & 63", "B[r] % 64 + 5", "E[r] / 2", "K / 2 + M % 5"});
    const std::string first = pick({"B[r] % 64", "0", "E[r]", "1"});
    const std::string body = pick({"sum += A[k] * A[B[k] % 128];", "sum += A[B[k & 1023] % 128];", "sum -= A[k & 511];",
                                   "sum += A[E[k & 1023]];", "C[5000 + r] += A[k & 511];", "C[k & 1023] = A[r];",
                                   "{ sum += C[B[k & 1023] % 64]; C[r + 9000] = sum; }", "E[(k & 511) + 200] = 1;"});
    return function("  for (size_t r = 0; r < M; ++r) {\n    float sum = 0.0f;\n    for (" + type +
                    " k = static_cast<" + type + ">(" + first + "); k < static_cast<" + type + ">(" + bound +
                    "); ++k)\n      " + body + "\n    C[r] = sum;\n  }\n");
  }
  /// Copies of rows to columns, some of whose columns overlap.
  std::string transposed() {
    const std::string type = pick({"size_t", "size_t", "int", "unsigned"});
    const std::string low = pick({"0", "0", "1"}), m = "static_cast<" + type + ">(M)",
                      k = "static_cast<" + type + ">(K)";
    const std::string copy =
        pick({"C[j * $ + i] = A[i * @ + j];", "C[j * $ + i + 3] = A[5 + i * @ + j];",
              "D[j * $ + i] = D[8000 + i * @ + j];", "E[j * 80 + i] = E2[i * 90 + j];", "C[j * 70 + i] = A[i * @ + j];",
              "C[j * 64 + i] = A[i * 64 + j];", "C[j + i] = A[i * @ + j];", "C[i * @ + j] = A[j * $ + i];",
              "E[j * $ + i] = E2[i * @ + j];", "C[9000 + j * $ + i] = A[i * @ + j];",
              "C[j * $ + i] = A[7 + i * @ + j];", "E[6000 + j * $ + i] = E2[i * @ + j];"});
    const bool isSwapped = chance(2);
    const std::string i = "  for (" + type + " i = " + low + "; i < " + m + "; ++i)\n",
                      j = "  for (" + type + " j = 0; j < " + k + "; ++j)\n";
    return function("  const unsigned char *const E2 = reinterpret_cast<const unsigned char *>(B);\n  (void)E2;\n" +
                    (isSwapped ? j + i : i + j) + "    " + with(with(copy, m), k, '@') + "\n");
  }
  /// A matrix in one loop, some of whose rows are short.
  std::string flattened() {
    const std::string type = pick({"size_t", "size_t", "unsigned", "int", "unsigned char"});
    const bool isWhole = chance(3);
    const std::string bound = isWhole ? "M * K" : pick({"M * K", "K", "M * 60 + 3", "200"});
    const std::string columns =
        isWhole ? pick({"K", "static_cast<unsigned>(K)", "static_cast<int>(K)"})
                : pick({"(K | 1)", "(K + 16)", "20", "static_cast<unsigned>(M + 3)", "(B[3] | 1)", "(E[M] % 16 + 9u)"});
    const Texts uses = {"C[i + 500] = A[i] * A[i % @];",
                        "C[i] = A[i / @] + A[i % @];",
                        "D[i % @] += static_cast<int>(B[i] & 63);",
                        "if (i % @ > 3) C[i / @] += A[i];",
                        "{ const auto r = i / @, c = i % @; C[c % 99 * 60 + 4900 + r % 60] = A[r]; }",
                        "E[i % @ + 2] = static_cast<unsigned char>(E[i + 1] + i / @);",
                        "C[i + 5000] = i % 32 > 4 ? A[i % @] : A[i / 32];",
                        "for (size_t k = i % @; k < 9; ++k) C[k + 900] += A[i / @];",
                        "if (A[i] > 60) continue;"};
    std::string body;
    for (int statements = 1 + number(3); statements > 0; --statements)
      body += "    " + pick(uses) + "\n";
    return function("  for (" + type + " i = 0; i < static_cast<" + type + ">(" + bound + "); ++i) {\n" +
                    with(body, columns, '@') + "  }\n");
  }
  std::string element() {
    return pick(
        {"C[i * 70 + 3]", "C[i]", "C[0]", "C[i + 1]", "D[i]", "D[3]", "E[i]", "E[i * 2 + 1]", "*C", "C[i * K + 3]"});
  }
  std::string updates() {
    const std::string target = element();
    const std::string other = pick({target, "C[i + 2]", "D[i + 1]", "C[p]", "E[i]", "C[p + 200]"});
    const bool isFloat = target.find('C') != std::string::npos;
    const std::string value =
        isFloat ? pick({"A[p] * A[i]", "A[p]", "1", "C[i + 3]"}) : pick({"D[p + 9000]", "E[p + 999]", "3"});
    return function(
        "  for (size_t i = 0; i < M; ++i)\n    for (size_t p = " + pick({"0", "1", "M", "i"}) + "; p < " +
        pick({"K", "K", "9"}) + "; ++p) {\n      " + target + pick({" += ", " -= ", " *= ", " = "}) +
        (isFloat ? value : "(" + value + ") & 7") + ";\n      " +
        maybe(other + " = " + (isFloat ? target + " + 1" : "static_cast<int>(" + target + ") / 2") + ";", 3) +
        maybe("if (B[p] & 1) " + target + " = " + pick({"5", target}) + ";") + "\n    }\n");
  }
  std::string histogram() {
    const std::string type = pick({"unsigned", "int", "unsigned char", "short", "long long", "unsigned"});
    const std::string size = pick({"64", "64", "5", "256"});
    const std::string index = pick({"E[i] % @", "B[i] % @", "(B[i] & 3)", "(D[i] & 3)", "i % @", "(A[i] > 1)"});
    const std::string update = pick({"++h[$];", "h[$] += D[i] & 63;", "h[$]--;", "h[$] = h[$] + 1;", "h[$] ^= B[i];",
                                     "h[$] -= E[i];", "h[$] += D[i];", "if (D[i] > 2) ++h[$];", "h[$] += h[0];",
                                     "++h[$]; C[i + 500] = A[i];", "h[$] += 1; h[($ + 1) % @] += 2;", "h[$] *= 3;"});
    const std::string start = pick({" = {}", " = {250, 3}", " = {7, 1, 2}"});
    return function("  " + type + " h[" + size + "]" + start + ";\n  for (" +
                    pick({"size_t i = 0; i < K", "size_t i = 0; i < M * K", "int i = 2; i < static_cast<int>(K)"}) +
                    "; ++i) {\n    " + with(with(update, index), size, '@') + "\n  }\n  for (int k = 0; k < " + size +
                    "; ++k)\n    D[k] = static_cast<int>(h[k] & 0xffffff);\n");
  }
  /// What an iteration hands on is an element.
  std::string inMemoryAlone() {
    const bool isFloat = chance(2);
    const std::string value = isFloat ? pick({"A[i]", "A[i] * 2", "1"}) : pick({"E[i]", "D[i] % 9", "(B[i] & 7)"});
    const std::string array = isFloat ? "C" : pick({"D", "E"}), place = pick({"i", "2 * i", "i + M", "i * M"});
    const std::string before = pick({place + " + 40", place + " + 40", "i + 39"});
    const std::string step = place == "2 * i" ? "2" : place == "i * M" ? "M" : "1";
    const std::string update =
        pick({"# = $ + @;", "# = @ - $;", "# += $;", "# = $ * 3 + @;", "# -= $ + @;", "# = @ > 1 ? $ : $ + 1;",
              "const auto v = $; # = v + @;", "{ # = @; # += $; }", isFloat ? "# /= $;" : "# ^= $;"});
    return function("  float sum = 0;\n  for (" + pick({"size_t i = 1", "int i = 1", "size_t i = M"}) +
                    "; i < K; ++i) {\n" +
                    with(with(with("    " + maybe("if ($ > 3) sum += @; ") + update + maybe(" sum += $;"), value, '@'),
                              array + "[" + before + " - " + step + "]"),
                         array + "[" + place + " + 40]", '#') +
                    "\n  }\n  C[9000] = sum;\n");
  }
  std::string runningSum() {
    const std::string type = pick({"int", "unsigned", "long long", "float", "double", "unsigned char"});
    const bool isFloat = type == "float" || type == "double";
    const std::string x = isFloat ? pick({"A[i]", "A[i] * 2", "A[i] * A[i + 1]", "C[i]"})
                                  : pick({"D[i]", "E[i]", "D[i] % 9", "static_cast<signed char>(B[i])", "(E[i] > 5)"});
    const std::string target =
        isFloat ? pick({"C[i]", "C[i + 500]", "C[i + 1]"}) : pick({"D[i]", "D[i + 500]", "D[i + 1]"});
    const std::string update = with(pick({"s += @;", "s = s + @;", "s -= @;", "s = @ + s;", "s = w * s + @;",
                                          "s = s * w - @;", "s += w * (@ - s);", "s = s + (@ - s) * w;"}),
                                    x, '@');
    const std::string store = target + " = " + (isFloat ? "static_cast<float>(s)" : "static_cast<int>(s)") + ";";
    return function("  " + type + " s = " + pick({"0", "5"}) + ";\n  const " + type + " w = static_cast<" + type +
                    ">(K % 3) - 1;\n  for (" +
                    pick({"size_t i = 0; i < K", "size_t i = 1; i < K", "int i = 0; i < static_cast<int>(K)"}) +
                    "; ++i) {\n    " + (chance(5) ? store + "\n    " + update : update + "\n    " + store) +
                    maybe("\n    C[i + 900] = A[i];") + maybe("\n    if (s > 9) C[i + 700] = 1;") + "\n  }\n  " +
                    (isFloat ? "C[9000] = static_cast<float>(s)" : "D[9000] = static_cast<int>(s & 255)") + ";\n");
  }
  std::string sorted() {
    const int count = 3 + number(6);
    const std::string size = std::to_string(count), least = std::to_string(count - 1);
    const std::string type = pick({"unsigned char", "int", "signed char", "unsigned", "short", "unsigned char"});
    const std::string fill =
        pick({"for (int k = 0; k < @; ++k) v[k] = $;", "int m = 0; for (int k = 0; k < @; ++k) v[m++] = $;",
              "for (int k = 0; k < @; ++k) { const int u = $; v[k] = u; }",
              "for (int k = 0; k < @; ++k) v[k] = k == 1 ? v[0] : $;"});
    const std::string value =
        pick({"E[i + k]", "D[i + k * 7]", "B[i * 3 + k]", "(E[i + k] & 3)", "E[i + k] - E[i]", "7 - k"});
    const std::string sort =
        pick({"for (int k = 1; k < @; ++k) { $ t = v[k]; int j = k; for (; j > 0 && v[j - 1] > t; --j) v[j] = v[j - "
              "1]; v[j] = t; }",
              "for (int k = 1; k < @; ++k) { $ t = v[k]; int j = k - 1; while (j >= 0 && v[j] >= t) { v[j + 1] = v[j]; "
              "--j; } v[j + 1] = t; }",
              "for (int k = 1; k < @; ++k) { $ t = v[k]; int j = k; for (; j > 1 && v[j - 1] > t; --j) v[j] = v[j - "
              "1]; v[j] = t; }",
              "for (int k = 2; k < @; ++k) { $ t = v[k]; int j = k; for (; j > 0 && t < v[j - 1]; --j) v[j] = v[j - "
              "1]; v[j] = t; }",
              "for (int k = 0; k < @; ++k) for (int j = k; j > 0; --j) { if (v[j - 1] < v[j]) break; std::swap(v[j], "
              "v[j - 1]); }",
              "for (int k = 0; k < @; ++k) for (int j = k + 1; j < @; ++j) if (v[j] < v[k]) std::swap(v[j], v[k]);",
              "for (int k = 0; k < # / 2; ++k) for (int j = k + 1; j < @; ++j) if (v[k] < v[j]) { const $ t = v[k]; "
              "v[k] = v[j]; v[j] = t; }",
              "for (int k = 0; k < #; ++k) for (int j = 0; j < # - k; ++j) if (!(v[j] <= v[j + 1])) std::swap(v[j], "
              "v[j + 1]);",
              "for (int k = 0; k < #; ++k) { const $ t = std::max(v[k], v[k + 1]); v[k] = std::min(v[k], v[k + 1]); "
              "v[k + 1] = t; }",
              "for (int k = 0; k < #; ++k) if (v[k] > v[k + 1]) v[k] = v[k + 1];", "std::sort(v, v + @);",
              "std::nth_element(v, v + 1, v + @);", "std::partial_sort(v, v + 2, v + @);"});
    const std::string read =
        pick({"D[i + 9000] = static_cast<int>(v[1]);", "C[i] = v[1];",
              "int s = 0; for (int k = 1; k < 3; ++k) s ^= v[k]; D[i + 9000] = s;", "if (v[1] > 2) D[i + 9000] = 1;",
              "E[i + 9000] = v[@ / 2];", "D[i + 9000] = static_cast<int>(v[0] ^ v[#]);"});
    const std::string text = "    " + type + " v[" + size + "];\n    " + with(fill, value) + "\n    " +
                             with(sort, type) + "\n    " + read + "\n";
    return function("  for (size_t i = 0; i < " + pick({"K", "M * K", "9"}) + "; ++i) {\n" +
                    with(with(text, size, '@'), least, '#') + maybe("    C[i + 5000] = A[i];\n") + "  }\n");
  }
  std::string overlapping() {
    const std::string first =
        pick({"C[i] = A[i] * 2;", "C[i] += A[i];", "C[i] = A[i + 1];", "C[i + 3] = A[i] + C[i];"});
    const std::string second = pick({"C[i] += A[i];", "C[i] = C[i] * A[i];", "D[i] = A[i] > 3;", "C[i] = A[i + 5];"});
    const std::string matrix =
        "  for (size_t i = 0; i < M; ++i)\n    for (size_t j = 0; j < K; ++j) {\n      float s = 0;\n"
        "      for (size_t p = 0; p < K; ++p)\n        s += A[i * K + p] * A[p];\n"
        "      C[i * K + j] = s;\n    }\n";
    const std::string loop = "  for (size_t i = 0; i < K; ++i) {\n    @\n  }\n";
    return function(chance(4) ? matrix : with(loop, first, '@') + maybe(with(loop, second, '@'), 2));
  }
  std::string pointers() {
    return function("  for (size_t i = 0; i < M; ++i) {\n    const float *row = A + i * " + pick({"K", "70", "K + 1"}) +
                    ";\n    float *out = " + pick({"C + i * K", "&C[i * 70]", "C + i * K + 1", "C"}) +
                    ";\n    const float scale = " + pick({"row[0]", "A[i]", "out[0]", "C[i]"}) +
                    ";\n    for (size_t j = 0; j < " + pick({"K", "K / 2", "9"}) + "; ++j)\n      out[" +
                    pick({"j", "j", "j * 2", "K - j"}) + "] " + pick({"=", "+="}) + " row[" +
                    pick({"j", "j + 1", "j / 2"}) + "] * " + pick({"scale", "out[j]", "A[i]", "out[j + 1]"}) +
                    ";\n  }\n");
  }
};

} // namespace

Kernel memory(unsigned seed) {
  return MemoryMaker(seed).make();
}

} // namespace agentic::fuzz
