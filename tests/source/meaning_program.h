// One program that holds kernels and their transformed versions, compiled by a real compiler, and compares their
// results.
#pragma once

#include "tests/source/transform_fixture.h"

#include <set>
#include <string>
#include <vector>

namespace agentic {

class MeaningProgram {
public:
  /// `comparison` is the text of `static void compare(Kernel *original, Kernel *variant, const char *what)` with what
  /// it needs; it prints what differs and counts it in `failures`, an int that is there, as are <cmath>, <cstdint>,
  /// <cstdio>, <cstring> and <vector>.
  explicit MeaningProgram(std::string comparison) : comparison_(std::move(comparison)) {}

  /// `original`: the definition of a kernel `f`. Names must be new.
  void addKernel(const std::string &name, const std::string &original);
  /// Adds a variant of the kernel added last.
  void addVariant(const std::string &text, const Recipe &recipe);

  /// Compiles with `flags` (besides -std=c++20 -w -ffp-contract=off) and runs. Fails the test when a variant differs,
  /// skips it when the compiler is not installed.
  void run(const std::string &compiler, const std::vector<std::string> &flags) const;

  int variants() const { return variants_; }
  const std::set<std::string> &moves() const { return moves_; } ///< moves that some variant applied

private:
  std::string comparison_, kernels_, calls_, name_;
  std::set<std::string> moves_;
  int variants_ = 0;
};

/// Kernels of the signature that most tests use:
///   void f(const float *A, const unsigned *B, float *C, size_t M, size_t K)
/// A, B and C have 16384 elements; M and K stay below 71. Compares bit for bit (all NaNs equal).
extern const std::string kCompareMatrices;

} // namespace agentic
