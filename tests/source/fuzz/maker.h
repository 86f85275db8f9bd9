// Shared by the generators of random kernels. Every kernel has the same signature:
//   void f(const float *A, const unsigned *B, float *C, int *D, unsigned char *E, size_t M, size_t K)
// A, B, C, D and E have 16384 elements, M and K are at most 70. A kernel may run into undefined behaviour of its own
// for some inputs: those are not compared (fuzz_program.h).
#pragma once

#include "tool/model/contract.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace agentic::fuzz {

struct Kernel {
  std::string family = {};
  std::string tables = {}; ///< constants, macros and functions before it
  std::string text = {};   ///< the definition
  Contract contract = {};
  bool mayReassociate = false;
  /// A float may differ by 2 n 2^-24 n T: n terms, the largest of magnitude T, summed in another order differ by at
  /// most 2 (n - 1) u times the sum of magnitudes, which is at most n T. 0: bit for bit.
  double largestTerm = 0;
  double relative = 0;     ///< by this times its magnitude, for approximated functions
  bool mayOverlap = false; ///< called with A in the middle of C, too
  std::map<std::string, std::vector<std::int64_t>> observed = {};
};

using Texts = std::vector<std::string>;

class Maker {
public:
  explicit Maker(unsigned seed) : random_(seed) {}

protected:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int oneIn) { return number(oneIn) == 0; }
  std::string pick(const Texts &from) { return from[static_cast<std::size_t>(number(static_cast<int>(from.size())))]; }
  std::string maybe(const std::string &text, int oneIn = 4) { return chance(oneIn) ? text : ""; }
  std::string fresh(const std::string &prefix) { return prefix + std::to_string(++count_); }

  /// Returns `text` with every `$` replaced.
  static std::string with(std::string text, const std::string &name, char mark = '$') {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += name.size())
      text.replace(at, 1, name);
    return text;
  }
  static std::string function(const std::string &body) {
    return "void f(const float *A, const unsigned *B, float *C, int *D, unsigned char *E, size_t M, size_t K) {\n" +
           body + "}\n";
  }

private:
  std::mt19937 random_;
  int count_ = 0;
};

// The families.
Kernel deepNest(unsigned seed);   ///< three loops on floats, most of them with dependences
Kernel reduction(unsigned seed);  ///< accumulators of all operators and types
Kernel neighbours(unsigned seed); ///< loops next to and inside of each other, dependences of all directions
Kernel control(unsigned seed);    ///< early exits, borders, branches
Kernel memory(unsigned seed);     ///< pointers, bounds in memory, tables, running sums, overlapping arguments
Kernel bytes(unsigned seed);      ///< bits, automata, narrow types; library functions
Kernel walking(unsigned seed);    ///< loops whose pointers and indices step
Kernel helpers(unsigned seed);    ///< calls of functions beside the kernel

} // namespace agentic::fuzz
