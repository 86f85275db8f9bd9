// Compares a candidate's results with the baseline's, element by element and as exactly as the contract asks. Pure.
#pragma once

#include "tool/build/glue.h"
#include "tool/model/contract.h"
#include "tool/model/kernel_spec.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace agentic {

/// The tolerance is declared for the project's own contents; other contents made from them may need some multiple.
inline constexpr double kSlack = 8;

/// One output: an argument that is written, or the result.
struct OutputField {
  std::string name; ///< the parameter's; "result"
  GlueParameter::Element element = GlueParameter::Element::Bytes;
  std::size_t elementSize = 1;
  std::size_t bytes = 0;
  /// The change of an element that contraction of a * b + c can make, from the baseline with and without it: 0 = none;
  /// < 0 = not known, then 2 ulp of the output's largest value. With a tolerance: 0 unless the baseline itself leaves
  /// the tolerance by it (a sum of products that cancel); compilers contract some of the places, so a candidate lies
  /// anywhere between.
  double contraction = -1;
  /// The change of an element that rounding explains, whatever the declared tolerance (learnRounding()). 0 in calls
  /// with the project's own contents, for which the tolerance was declared.
  double rounding = 0;
};

/// The permitted difference of floating-point results from the baseline's. All other elements must be equal bit for
/// bit; so must those of classes, whose members are unknown.
struct Exactness {
  enum class Kind {
    Bits,       ///< AGENTIC_FP(strict), a tolerance of 0, or no declaration and a * b + c must not be contracted
    Strict,     ///< no declaration: bit for bit, but for contraction (OutputField::contraction)
    Declared,   ///< the contract's tolerance
    Reassociate ///< any order is permitted and no tolerance declared: 1e-4 of the value plus 1e-7 of the output's
                ///< largest value (double: 1e-10, 1e-15; half: 1e-2, 1e-3), which another order of operations stays
                ///< within and narrower arithmetic does not
  };
  Kind kind = Kind::Strict;
  Tolerance tolerance;
  double factor = 1;           ///< factor on either tolerance
  bool isFinite = false;       ///< the kernel, or a flag, declares that there is no NaN and no infinity
  bool hasNumbersOnly = false; ///< where the baseline's result is one, any other is as good

  bool hasTolerance() const { return kind == Kind::Declared || kind == Kind::Reassociate; }
  Exactness loosened(double by) const { return {kind, tolerance, factor * by, isFinite, hasNumbersOnly}; }
  /// For contents that nobody declared anything for. Those of a kernel without NaNs may be out of its domain: roots of
  /// negative numbers are no results.
  Exactness forMadeContents() const { return {kind, tolerance, factor * kSlack, isFinite, isFinite}; }
  /// Returns one clause for people: "within relative 1e-5", "bit for bit".
  std::string text() const;
};

Exactness exactnessOf(const KernelSpec &spec);

/// Returns the permitted distance of a result from `expected`, of a floating-point type of this size; `largest`: of its
/// whole output. For Strict: if contraction is unknown.
long double allowedDistance(const Exactness &exactness, std::size_t elementSize, long double expected,
                            long double largest);

/// The place of a difference; `count` 0 = none.
struct Difference {
  std::string field;
  std::size_t index = 0; ///< the first element that differs
  std::size_t count = 0, total = 0;
  double largest = 0;         ///< absolute difference of floating-point elements
  bool isNotANumber = false;  ///< a NaN or infinity on one side only
  std::size_t longestRun = 0; ///< most neighbours that differ
  bool isForeign = false;     ///< a differing value is not between the baseline's least and largest

  /// Returns "12 of 4096 elements of 'C' differ (the first at index 77; by up to 0.5)". Never a value.
  std::string text() const;
};

/// Returns all differences, one per field. `expected` and `actual`: the fields' bytes one after the other, each padded
/// to 8; a wrong length of either is a difference of everything. NaN equals NaN, whatever its bits; equal bits are
/// equal; for Bits and Strict, -0 is not 0.
std::vector<Difference> compareOutputs(std::span<const OutputField> fields, std::span<const std::byte> expected,
                                       std::span<const std::byte> actual, const Exactness &exactness);

/// Sets each field's `contraction` from the baseline's results for one call with and without contraction:
/// four times the largest difference in the field, and never less than 2 ulp of its largest value.
void learnContraction(std::span<OutputField> fields, std::span<const std::byte> contracted,
                      std::span<const std::byte> plain);

/// For Declared and Reassociate, in calls with other contents: sets each field's `rounding` from the baseline's results
/// with rounding to nearest and upward: four times the largest difference in the field. Contents with large partial
/// sums can make that more than any tolerance; nobody declared one for them.
void learnRounding(std::span<OutputField> fields, std::span<const std::byte> nearest,
                   std::span<const std::byte> upward);

/// Returns the number of elements that differ, over all fields.
std::size_t differingElements(std::span<const Difference> differences);

/// Returns whether rounding can be the reason: rounding changes single elements here and there, between values that
/// occur. Work that was left out or unwritten looks different.
bool mayBeRounding(std::span<const Difference> differences);

} // namespace agentic
