// Whether a candidate's results are the baseline's, element by element and as exactly as the contract asks. Pure.
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

/// What one output is made of: an argument that is written, or the result.
struct OutputField {
  std::string name; ///< the parameter's; "result"
  GlueParameter::Element element = GlueParameter::Element::Bytes;
  std::size_t elementSize = 1;
  std::size_t bytes = 0;
  /// How far contraction of a * b + c can take an element, as the baseline with and without it shows: 0 = not at all;
  /// < 0 = not known, then 2 ulp of the output's largest value.
  double contraction = -1;
};

/// How far floating-point results may be from the baseline's. All other elements must be equal bit for bit; so must
/// those of classes, whose members are not known.
struct Exactness {
  enum class Kind {
    Bits,       ///< AGENTIC_FP(strict), a tolerance of 0, or nothing is said and a * b + c must not be contracted
    Strict,     ///< nothing is said: bit for bit, but for what contraction explains (OutputField::contraction)
    Declared,   ///< the contract's tolerance
    Reassociate ///< any order is permitted and no tolerance declared: 1e-4 of the value plus 1e-7 of the output's
                ///< largest value (double: 1e-10, 1e-15; half: 1e-2, 1e-3), which another order of operations stays
                ///< within and narrower arithmetic does not
  };
  Kind kind = Kind::Strict;
  Tolerance tolerance;
  double factor = 1; ///< of either tolerance

  Exactness loosened(double by) const { return {kind, tolerance, factor * by}; }
  /// One clause for people: "within relative 1e-5", "bit for bit".
  std::string text() const;
};

Exactness exactnessOf(const KernelSpec &spec);

/// How far from `expected`, of a floating-point type of this size, a result may be; `largest`: of its whole output. Of
/// Strict: where nothing is known of contraction.
long double allowedDistance(const Exactness &exactness, std::size_t elementSize, long double expected,
                            long double largest);

/// Where results differ; `count` 0 = they do not.
struct Difference {
  std::string field;
  std::size_t index = 0; ///< of the first element that differs
  std::size_t count = 0, total = 0;
  double largest = 0;         ///< absolute difference of floating-point elements
  bool isNotANumber = false;  ///< a NaN or infinity on one side only
  std::size_t longestRun = 0; ///< most neighbours that differ
  bool isForeign = false;     ///< one that differs is no value between the least and the largest of the baseline's

  /// "12 of 4096 elements of 'C' differ (the first at index 77; by up to 0.5)". Never a value.
  std::string text() const;
};

/// `expected` and `actual`: the fields' bytes one after the other, each padded to 8. All differences, one per field; a
/// wrong length of either is a difference of everything. NaN equals NaN, whatever its bits; equal bits are equal; of
/// Bits and Strict, -0 is not 0.
std::vector<Difference> compareOutputs(std::span<const OutputField> fields, std::span<const std::byte> expected,
                                       std::span<const std::byte> actual, const Exactness &exactness);

/// Of Strict: sets each field's `contraction` from what the baseline gives for one call with and without contraction:
/// four times the largest difference in the field, and never less than 2 ulp of its largest value.
void learnContraction(std::span<OutputField> fields, std::span<const std::byte> contracted,
                      std::span<const std::byte> plain);

/// Elements that differ, over all fields.
std::size_t differingElements(std::span<const Difference> differences);

/// Whether rounding can be the reason: where it decides, it does so for an element here and there, between values that
/// occur. What was left out, or left unwritten, looks otherwise.
bool mayBeRounding(std::span<const Difference> differences);

} // namespace agentic
