// Mutants of a baseline: copies with one deliberate fault each. The mutants that a project's tests let pass show which
// wrong candidates they would let pass, too.
//
// The faults are those of candidates: parts left out, elements missed, results kept from the last call, narrower types,
// arguments not looked at; and the classical ones of one operator, comparison or constant. Code from a macro's body is
// left alone. Kinds that nearly always mean the same (a maximum found with >= instead of >) are not made.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace agentic {

enum class MutantKind {
  Zeros,
  LastElement,
  FirstRows,
  OffByOne,
  Narrowed,
  StaleOutput,
  IgnoredArgument,
  EarlyReturn,
  SwappedOperands,
  Operator,
  Comparison,
  Constant,
  Removed
};
inline constexpr int kMutantKinds = static_cast<int>(MutantKind::Removed) + 1;
const char *mutantKindName(MutantKind kind); ///< "zeros", "last element", …

struct Mutant {
  MutantKind kind = MutantKind::Zeros;
  unsigned line = 0, column = 0; ///< of the changed place in SOURCE
  std::string change;            ///< "`j < K` becomes `j + 1 < K`"
  std::string advice;            ///< a test that would see it
  std::string text;              ///< a whole candidate
};

struct MutantOptions {
  /// Values that integer parameters have in the benchmarks: a candidate may be made for these alone.
  std::map<std::string, std::vector<std::int64_t>> observed;
};

/// Returns all mutants, in the order in which they should be tried: one of each kind, then the next of each, every one
/// where fewest were made so far. One parse (0.02-0.5 s); the same text gives the same list. Error if Clang cannot
/// parse it.
Result<std::vector<Mutant>> makeMutants(const KernelSpec &spec, const MutantOptions &options);

} // namespace agentic
