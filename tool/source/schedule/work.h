// What one run of some statements costs, without the loops around them: the part of an estimate that reads expressions.
#pragma once

#include "tool/source/loops/loop_nest.h"

namespace agentic::moves {

struct Machine {
  double vectorBytes = 16, vectorRegisters = 16;
  bool compilerSeesSigns = true; ///< Clang's: it uses vectors for roots that set no errno, because of what they are of
};
/// Returns the machine of a level: "x86-64-v4" has 32 registers of 64 bytes. Unknown levels: 16 of 16.
Machine machineOf(const std::string &level);

/// The cost of one run of some statements, and whether a compiler can vectorize them.
struct Work {
  double cycles = 0; ///< on a core that starts four operations a cycle; only orders of magnitude matter
  unsigned widestBits = 8;
  bool hasCall = false; ///< or a division of integers: no vector code has them

  Work &operator+=(const Work &part);
};

/// Keeps references to nest and machine.
class WorkCounter {
public:
  WorkCounter(const Nest &nest, const Machine &machine);

  /// Returns the work of a statement without loops, of both alternatives of an `if`.
  Work of(const Statement &statement) const;
  Work of(const Expression &expression) const {
    Work work;
    add(expression, work);
    return work;
  }

  /// Returns whether the array at the root of `base` is a local one that fits into the vector registers.
  bool isInRegisters(const Expression &base) const;

private:
  void add(const Expression &expression, Work &work) const;
  bool isVisiblyNonNegative(const Expression &expression) const;
  bool maySetErrno(const Expression &call) const;

  const Nest &nest_;
  const Machine &machine_;
  bool inRegisters_ = true;
};

} // namespace agentic::moves
