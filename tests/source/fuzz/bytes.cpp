// Bits that are counted, state machines over bytes, narrow types that wrap, library functions.
#include "tests/source/fuzz/maker.h"

#include <algorithm>

namespace agentic::fuzz {
namespace {

class BytesMaker : Maker {
public:
  using Maker::Maker;

  Kernel make() {
    Kernel kernel{.family = "bytes"};
    switch (number(9)) {
    case 0:
    case 1:
      kernel.text = bits();
      break;
    case 2:
      kernel.text = automaton(kernel.tables);
      break;
    case 3:
      kernel.text = narrow();
      break;
    case 4:
      kernel.text = checksum(kernel.tables);
      break;
    case 5:
    case 6:
    case 7:
      kernel.text = code(kernel.tables);
      break;
    default:
      kernel.text = functions();
      kernel.relative = 1e-5;
      kernel.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5};
    }
    return kernel;
  }

private:
  std::string bits() {
    const std::string type = pick({"unsigned", "unsigned long long", "unsigned char", "unsigned short", "unsigned"});
    const std::string loop =
        pick({"while (x) { x &= x - 1; ++c; }", "while (x != 0) { ++c; x = x & (x - 1); }",
              "for (; x; x &= x - 1) ++c;", "while (x) { x ^= x & -x; c++; }", "while (x > 0) { c += x & 1; x >>= 1; }",
              "for (; x; x >>= 1) if (x & 1) ++c;", "while (x) { c += x & 1; x = x >> 1; }",
              "while (x) { --c; x &= x - 1; }", "while (x) { if (x & 1) c += 2; x >>= 1; }",
              "while (x) { c += x & 3; x >>= 2; }", "while (x) { x -= x & -x; c += 1; }",
              "for (int b = 0; b < 8; ++b) c += (x >> b) & 1;"});
    const std::string value =
        pick({"B[i]", "B[i] ^ B[i + 1]", "E[i]", "~B[i]", "D[i]", "B[i] * 40503ull", "E[i] << 8"});
    return function("  " + pick({"int", "unsigned", "unsigned char", "long long", "signed char"}) +
                    " c = " + pick({"0", "5", "0"}) + ";\n  for (size_t i = 0; i < K; ++i) {\n" +
                    maybe("    c = 0;\n") + "    " + type + " x = static_cast<" + type + ">(" + value + ");\n    " +
                    loop + "\n    " + pick({"D[i] = c;", "D[i] = c + x;", "E[i] = c;", ""}) +
                    "\n  }\n  D[9000] = static_cast<int>(c);\n");
  }

  std::string automaton(std::string &tables) {
    const int states = 2 + number(9), classes = 1 + number(4), scale = chance(4) ? 1 + number(12) : 1;
    std::string classOf, next;
    for (int i = 0; i < 256; ++i)
      classOf += std::to_string(number(classes)) + ",";
    for (int i = 0; i < states * classes; ++i)
      next += std::to_string(number(states) * scale) + ",";
    const std::string c = std::to_string(classes);
    tables = "constexpr unsigned char kClass[256] = {" + classOf + "};\nconstexpr " +
             pick({"unsigned char", "int", "unsigned short"}) + " kNext[" + std::to_string(states * classes) + "] = {" +
             next + "};\n";
    const std::string from = scale == 1 ? "state" : "state / " + std::to_string(scale);
    const std::string input = pick({"E[i]", "E[i]", "E[K - i]", "(E[i] ^ 7)"});
    const std::string step = "state = kNext[" + from + " * " + c + " + kClass[" + input + "]];";
    return function("  " + pick({"int", "size_t", "unsigned", "unsigned char"}) +
                    " state = " + std::to_string(number(states) * scale) + ";\n  " +
                    "int count = 0;\n  for (size_t i = 0; i < " + pick({"K", "M * K"}) + "; ++i) {\n    " +
                    maybe("const unsigned char byte = E[i];\n    ") + step + "\n    " +
                    pick({"", "", "if (state == 1) ++count;", "D[i] = state;",
                          "if (state == " + std::to_string(scale) + ") break;", "count += state;", "E[i] = 3;"}) +
                    "\n  }\n  D[9000] = static_cast<int>(state);\n  D[9001] = count;\n");
  }

  std::string checksum(std::string &tables) {
    const bool isRight = chance(2), isShort = chance(3);
    const unsigned bits = isShort ? 16 : 32, top = 1U << (bits - 1), mask = isShort ? 0xffff : ~0U;
    const unsigned polynomial = static_cast<unsigned>(number(1 << 30)) * 3 & mask;
    std::string table;
    for (unsigned i = 0; i < 256; ++i) {
      unsigned value = isRight ? i : i << (bits - 8);
      for (int bit = 0; bit < 8; ++bit)
        value = (isRight ? value >> 1 ^ ((value & 1) != 0 ? polynomial : 0)
                         : value << 1 ^ ((value & top) != 0 ? polynomial : 0)) &
                mask;
      table += std::to_string(value ^ (i == 99 && chance(5) ? 1 : 0)) + "u,";
    }
    tables = "static const unsigned kCrc[256] = {" + table + "};\n";
    const std::string last = std::to_string(bits - 8), high = std::to_string(top) + "u",
                      by = std::to_string(polynomial) + "u";
    const std::string x = pick({"E[i]", "E[i]", "E[K - i]", "E[i * 2]", "E[i + 1]"});
    const std::string step =
        isRight
            ? pick({"s = kCrc[(s ^ $) & 0xff] ^ (s >> 8);", "s = (s >> 8) ^ kCrc[(s & 0xff) ^ $];",
                    "const unsigned char at = s ^ $; s >>= 8; s ^= kCrc[at];", "s = kCrc[(s ^ $) & 0x7f] ^ (s >> 8);",
                    "s ^= $; for (int k = 0; k < 8; ++k) s = s & 1 ? s >> 1 ^ @ : s >> 1;",
                    "s ^= $; for (int k = 0; k < 8; ++k) { if (s & 1) s = s >> 1 ^ @; else s >>= 1; }",
                    "s ^= $; for (int k = 0; k < 7; ++k) s = s >> 1 ^ (@ & -(s & 1));",
                    "s = kCrc[(s ^ $) & 0xff] ^ (s >> 8); s ^= $;", "s = kCrc[(s ^ $) & 0xff] ^ (s >> 4);",
                    "s = kCrc[(s + $) & 0xff] ^ (s >> 8);"})
            : pick({"s = kCrc[(s >> # ^ $) & 0xff] ^ (s << 8);", "s = s << 8 ^ kCrc[s >> # ^ $];",
                    "s ^= static_cast<unsigned>($) << #; for (int k = 0; k < 8; ++k) s = s & ~ ? s << 1 ^ @ : s << 1;",
                    "s = kCrc[(s >> # ^ $) & 0xff] ^ (s << 8) ^ 1;"});
    return function(
        std::string("  ") + (isShort ? "unsigned short" : "unsigned") + " s = " + pick({"0", "1", "65535", "M"}) +
        ";\n  for (" + pick({"size_t i = 0; i < K", "size_t i = 1; i < M * K", "int i = 0; i < static_cast<int>(K)"}) +
        "; ++i) {\n    " + with(with(with(with(step, x), by, '@'), last, '#'), high, '~') + maybe(" D[i] = 2;", 6) +
        "\n  }\n  D[9000] = static_cast<int>(s >> 8);\n  D[9001] = static_cast<int>(s & 255);\n");
  }

  /// A table of runs: the byte and a number, the same number, or -1; now and then without any order.
  std::string runs(int count) {
    std::string table;
    const bool isOdd = chance(6);
    for (int i = 0, kind = 0, by = 0, left = 0; i < count; ++i, --left) {
      if (left == 0) {
        kind = number(3), by = number(200), left = chance(3) ? 1 + number(3) : 4 + number(60);
      }
      const int value = isOdd ? number(256) : kind == 0 ? (i + by) & 127 : kind == 1 ? by & 127 : -1;
      table += std::to_string(value) + ",";
    }
    return table;
  }

  /// Groups of bytes: read, looked up, put together, written.
  std::string code(std::string &tables) {
    const int reads = 1 + number(4), writes = chance(3) ? reads : 1 + number(4);
    tables = "constexpr int kOf[256] = {" + runs(256) + "};\nconstexpr unsigned char kDigit[65] = \"" +
             pick({"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                   "0123456789abcdef................................................"}) +
             "\";\n";
    std::string body, any, value;
    for (int k = 0; k < reads; ++k) {
      const std::string name = "a" + std::to_string(k),
                        x = "s[" + std::to_string(reads) + " * i + " + std::to_string(k) + "]";
      body += "    const int " + name + " = " +
              with(pick({"kOf[$]", "kOf[$]", "kOf[$]", "kOf[$ & 127]", "$", "$ >> 2",
                         "$ >= 97 && $ <= 122 ? $ - 32 : $", "$ < 10 ? 7 : $ ^ 3", "$ == 61 ? -1 : $ & 63"}),
                   x) +
              ";\n";
      any += (any.empty() ? "" : " | ") + name;
      value +=
          (value.empty() ? "" : " | ") + ("static_cast<unsigned>(" + name + ") << " + std::to_string(pickShift(k)));
    }
    body += pick(
        {"", "    if ((" + any + ") < 0) break;\n", "    if (s[" + std::to_string(reads) + " * i] == 7) break;\n"});
    body += "    const unsigned v = " + value + ";\n";
    for (int k = 0; k < writes; ++k) {
      const std::string shift = chance(4) ? "0" : pick({std::to_string(6 * k % 24), std::to_string(8 * k), "4"});
      body += "    t[" + std::to_string(writes) + " * i + " + std::to_string(k) + "] = static_cast<unsigned char>(" +
              pick({"v >> " + shift, "v >> " + shift, "kDigit[v >> " + shift + " & 63]",
                    "kDigit[v >> " + shift + " & 15]", "a0", "kOf[a0 & 255]", "v", "5"}) +
              ");\n";
    }
    const std::string rounds = std::to_string(1024 / std::max(reads, writes) - number(40));
    return function("  unsigned char s[1024], t[1024] = {};\n  for (size_t j = 0; j < 1024; ++j) s[j] = " +
                    pick({"E[j]", "E[j] & 127", "E[j + 900] % 26 + 65", "E[j] | 32"}) + ";\n  for (" +
                    pick({"size_t", "int", "unsigned short"}) + " i = " + pick({"0", "0", "1"}) + "; i < " +
                    pick({rounds, rounds, "K"}) + "; ++i) {\n" + body + "  }\n" +
                    "  for (size_t j = 0; j < 1024; ++j) E[j + 9000] = t[j];\n");
  }
  int pickShift(int place) { return (place * 6 + (chance(4) ? number(9) : 0)) % 25; }

  std::string narrow() {
    const std::string x = pick({"E[i]", "E[i * 3]", "E[i * 3 + 1]", "E[i + 5000]", "E[i * K + j]"});
    const std::string y = pick({"E[i * 3 + 2]", "E[j]", "E[i]", "D[i]", "200"});
    const std::string target =
        pick({"E[i + 9000]", "E[i * K + j + 9000]", "E[i]", "E[i * 3 + 9001]", "E[i + j + 9000]"});
    const std::string value =
        with(with(pick({"(77 * @ + 150 * # + 128) >> 8", "@ + #", "@ * #", "@ - # < 0 ? 0 : @ - #", "@ > # ? @ : #",
                        "static_cast<unsigned char>(@ + #) / 2", "@ << 1 | # >> 7", "~@", "t + @", "@ / (# | 1)"}),
                  x, '@'),
             y, '#');
    const std::string type = pick({"unsigned char", "signed char", "short", "unsigned short", "int"});
    return function(
        "  for (" + pick({"size_t", "int", "unsigned short"}) + " i = 0; i < M; ++i) {\n    " + type + " t = " +
        pick({"0", "120", "-3"}) + ";\n    for (size_t j = 0; j < " + pick({"K", "K", "3"}) + "; ++j) {\n      " +
        with(pick({"t += @;", "t = t * 3 + @;", "t ^= @;", "const int u = @ * 2; t -= u;", "t = @;"}), x, '@') +
        "\n      " + target + " = " + value + ";\n    }\n    D[i + 5000] = t;\n  }\n");
  }

  std::string functions() {
    const std::string x = pick({"A[i]", "A[i] * 0.5f", "-A[i]", "A[i] - A[0]"});
    const std::string call = pick({"std::exp(@)", "std::exp(@)", "exp(@)", "std::exp(@) * 2", "1 / (1 + std::exp(@))"});
    return function("  for (size_t i = 0; i < K; ++i) {\n    " + pick({"C[i] = ", "const float e = "}) +
                    "0.0f;\n    C[i + 99] = " + with(call, x, '@') + ";\n  }\n");
  }
};

} // namespace

Kernel bytes(unsigned seed) {
  return BytesMaker(seed).make();
}

} // namespace agentic::fuzz
