// Decides whether systems of linear constraints over integers have a solution: isl behind an interface without its
// types. A system that isl cannot decide within its limit of work counts as solvable.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace agentic::moves {

class IntegerSystem {
public:
  using Unknown = int;

  /// A linear form: constant + sum of coefficients * unknowns.
  struct Form {
    std::map<Unknown, std::int64_t> coefficients;
    std::int64_t constant = 0;
    bool isExact = true; ///< false once a number has left 64 bits: then nothing is known

    void add(const Form &other, std::int64_t factor);
    void addUnknown(Unknown unknown, std::int64_t coefficient);
    void addConstant(std::int64_t value);
  };

  Unknown addUnknown() { return unknowns_++; }
  void requireZero(Form form) { constraints_.push_back({std::move(form), true}); }
  void requireNotNegative(Form form) { constraints_.push_back({std::move(form), false}); }

  /// Returns whether integers may fulfil all constraints; false only if provably none do. Some 20-500 µs.
  bool mayHaveSolution() const;

private:
  struct Constraint {
    Form form;
    bool isEquality = false;
  };
  int unknowns_ = 0;
  std::vector<Constraint> constraints_;
};

} // namespace agentic::moves
