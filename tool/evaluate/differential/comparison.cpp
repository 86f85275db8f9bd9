#include "tool/evaluate/differential/comparison.h"

#include "tool/runner/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace agentic {
namespace {

constexpr double kSpreads = 4, kLeastUlps = 2; // differences that contraction and rounding explain
constexpr std::size_t kLongestRun = 32;        ///< twice the longest run of chaotic iterations without fusing

/// IEEE 754 half precision: every supported compiler has a type for it, each another one.
double halfValue(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

/// Value of a floating-point element; long double is wide enough for all of them.
long double valueAt(const std::byte *bytes, std::size_t size) {
  if (size == 2) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return halfValue(bits);
  }
  if (size == sizeof(float)) {
    float value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  if (size == sizeof(double)) {
    double value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  long double value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

bool isComparedAsNumber(const OutputField &field) {
  return field.element == GlueParameter::Element::Floating &&
         (field.elementSize == 2 || field.elementSize == sizeof(float) || field.elementSize == sizeof(double) ||
          field.elementSize == sizeof(long double));
}

bool isNumber(const OutputField &field) {
  const bool isInteger =
      field.element == GlueParameter::Element::Signed || field.element == GlueParameter::Element::Unsigned;
  return isComparedAsNumber(field) || (isInteger && field.elementSize >= 1 && field.elementSize <= 8);
}

/// Distance from `value` to the next number of its type away from zero.
long double unitInLastPlace(long double value, std::size_t size) {
  const int digits = size == 2 ? 11 : size == sizeof(float) ? 24 : size == sizeof(double) ? 53 : 64;
  const int smallest = size == 2 ? -14 : size == sizeof(float) ? -126 : size == sizeof(double) ? -1022 : -16382;
  const int exponent = value == 0 ? smallest : std::max(smallest, std::ilogb(value));
  return std::ldexp(1.0L, exponent - digits + 1);
}

/// The default tolerance of a type: relative to the value, and to the largest value in the output.
struct DefaultTolerance {
  long double ofValue, ofLargest;
};
DefaultTolerance defaultTolerance(std::size_t size) {
  if (size == 2)
    return {1e-2L, 1e-3L};
  return size == sizeof(float) ? DefaultTolerance{1e-4L, 1e-7L} : DefaultTolerance{1e-10L, 1e-15L};
}

long double largestValue(const OutputField &field, const std::byte *bytes) {
  long double largest = 0;
  for (std::size_t i = 0; i + field.elementSize <= field.bytes; i += field.elementSize)
    if (const long double value = std::fabs(valueAt(bytes + i, field.elementSize)); std::isfinite(value))
      largest = std::max(largest, value);
  return largest;
}

/// Returns the largest difference of an element of the field at `at`; nullopt if it is not compared as numbers, or not
/// in both.
std::optional<long double> spreadOf(const OutputField &field, std::span<const std::byte> left,
                                    std::span<const std::byte> right, std::size_t at) {
  if (!isComparedAsNumber(field) || at + field.bytes > std::min(left.size(), right.size()))
    return std::nullopt;
  long double spread = 0;
  for (std::size_t i = 0; i + field.elementSize <= field.bytes; i += field.elementSize)
    if (const long double distance = std::fabs(valueAt(left.data() + at + i, field.elementSize) -
                                               valueAt(right.data() + at + i, field.elementSize));
        std::isfinite(distance))
      spread = std::max(spread, distance);
  return spread;
}

/// A bound for |actual - expected|: `fixed` + `ofValue` * |expected|.
struct LinearBound {
  double fixed = 0, ofValue = 0;
};

/// Returns allowedDistance() if that is such a bound; else, and for Bits, a bound that permits nothing.
LinearBound linearBound(const Exactness &exactness, std::size_t size, long double largest) {
  if (exactness.kind == Exactness::Kind::Reassociate) {
    const DefaultTolerance tolerance = defaultTolerance(size);
    return {double(exactness.factor * tolerance.ofLargest * largest), double(exactness.factor * tolerance.ofValue)};
  }
  const double value = exactness.factor * exactness.tolerance.value;
  if (exactness.kind == Exactness::Kind::Declared && exactness.tolerance.kind == Tolerance::Kind::Absolute)
    return {value, 0};
  if (exactness.kind == Exactness::Kind::Declared && exactness.tolerance.kind == Tolerance::Kind::Relative)
    return {0, value};
  return {};
}

/// Whether both have the same bits, or are so near that long double would agree. If false, the comparison in long
/// double decides. Most elements of most outputs end here, at a tenth of the cost.
template <class Number, class Bits>
bool isSurelyAlike(const std::byte *expectedBytes, const std::byte *actualBytes, LinearBound bound) {
  // Rounding moves either side by some 1e-16 of it, except values that are nearly zero or overflow.
  constexpr double kSure = 1 - 1e-12, kLeast = 1e-290, kMost = 1e290;
  Number expected, actual;
  std::memcpy(&expected, expectedBytes, sizeof expected);
  std::memcpy(&actual, actualBytes, sizeof actual);
  const double allowed = bound.fixed + bound.ofValue * std::fabs(double(expected));
  const bool isNear = std::fabs(double(actual) - double(expected)) <= kSure * allowed;
  return (std::bit_cast<Bits>(expected) == std::bit_cast<Bits>(actual)) |
         (isNear & (allowed >= kLeast) & (allowed <= kMost));
}

/// Returns the first element from `begin` on that is not surely alike.
template <class Number, class Bits>
std::size_t skipAlike(const std::byte *expected, const std::byte *actual, std::size_t begin, std::size_t end,
                      LinearBound bound) {
  constexpr std::size_t kBlock = 32; // no branch inside, so that the compiler can vectorize it
  const auto isAlike = [&](std::size_t i) {
    return isSurelyAlike<Number, Bits>(expected + i * sizeof(Number), actual + i * sizeof(Number), bound);
  };
  std::size_t i = begin;
  for (bool areAlike = true; areAlike && end - i >= kBlock; i += areAlike ? kBlock : 0)
    for (std::size_t k = 0; k < kBlock; ++k)
      areAlike &= isAlike(i + k);
  while (i < end && isAlike(i))
    ++i;
  return i;
}

class FieldComparison {
public:
  FieldComparison(const OutputField &field, const Exactness &exactness, const std::byte *expected,
                  const std::byte *actual)
      : field_(field), exactness_(exactness), expected_(expected), actual_(actual) {}

  Difference run() {
    const std::size_t size = std::max<std::size_t>(1, field_.elementSize);
    Difference difference{.field = field_.name, .total = field_.bytes / size};
    if (std::memcmp(expected_, actual_, field_.bytes) == 0)
      return difference;
    const bool asNumbers = isComparedAsNumber(field_);
    if (asNumbers && (exactness_.kind == Exactness::Kind::Reassociate || exactness_.kind == Exactness::Kind::Strict))
      largest_ = largestValue(field_, expected_);
    bound_ = linearBound(exactness_, size, largest_);
    std::size_t run = 0;
    for (std::size_t i = 0; i < difference.total; ++i) {
      if (const std::size_t next = skip(i, difference.total); next != i) {
        run = 0;
        if ((i = next) == difference.total)
          break;
      }
      const std::byte *expected = expected_ + i * size, *actual = actual_ + i * size;
      if (std::memcmp(expected, actual, size) == 0 || (asNumbers && isNear(expected, actual, difference))) {
        run = 0;
        continue;
      }
      if (difference.count++ == 0)
        difference.index = i;
      difference.longestRun = std::max(difference.longestRun, ++run);
      difference.isForeign = difference.isForeign || isForeign(actual);
    }
    return difference;
  }

private:
  std::size_t skip(std::size_t begin, std::size_t end) const {
    if (isComparedAsNumber(field_) && field_.elementSize == sizeof(float))
      return skipAlike<float, std::uint32_t>(expected_, actual_, begin, end, bound_);
    if (isComparedAsNumber(field_) && field_.elementSize == sizeof(double))
      return skipAlike<double, std::uint64_t>(expected_, actual_, begin, end, bound_);
    return begin;
  }

  bool isForeign(const std::byte *actual) {
    if (!isNumber(field_))
      return false;
    if (!range_) {
      range_ = {std::numeric_limits<long double>::infinity(), -std::numeric_limits<long double>::infinity()};
      for (std::size_t i = 0; i + field_.elementSize <= field_.bytes; i += field_.elementSize)
        if (const long double value = numberAt(expected_ + i); std::isfinite(value))
          range_ = {std::min(range_->first, value), std::max(range_->second, value)};
    }
    const long double value = numberAt(actual);
    return !(value >= range_->first && value <= range_->second); // true for a NaN, too
  }
  long double numberAt(const std::byte *bytes) const {
    if (field_.element == GlueParameter::Element::Floating)
      return valueAt(bytes, field_.elementSize);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, field_.elementSize);
    if (field_.element == GlueParameter::Element::Unsigned)
      return static_cast<long double>(value);
    const std::size_t unused = 64 - 8 * field_.elementSize;
    return static_cast<long double>(static_cast<std::int64_t>(value << unused) >> unused);
  }

  bool isNear(const std::byte *expectedBytes, const std::byte *actualBytes, Difference &difference) const {
    const long double expected = valueAt(expectedBytes, field_.elementSize);
    const long double actual = valueAt(actualBytes, field_.elementSize);
    if (std::isnan(expected) && std::isnan(actual))
      return true; // the bits of a NaN do not matter
    if (exactness_.hasNumbersOnly && !std::isfinite(expected))
      return true;
    if (!std::isfinite(expected) || !std::isfinite(actual)) {
      difference.isNotANumber |= !(expected == actual);
      return expected == actual;
    }
    const long double distance = std::fabs(actual - expected);
    if (exactness_.kind != Exactness::Kind::Bits && distance <= allowed(expected) && !isOtherZero(expected, actual))
      return true;
    difference.largest = std::max(difference.largest, static_cast<double>(distance));
    return false;
  }

  long double allowed(long double expected) const {
    if (exactness_.kind == Exactness::Kind::Strict && field_.contraction >= 0)
      return field_.contraction;
    const long double explained = exactness_.hasTolerance() ? std::max(field_.rounding, field_.contraction) : 0;
    return std::max(allowedDistance(exactness_, field_.elementSize, expected, largest_), explained);
  }
  bool isOtherZero(long double expected, long double actual) const {
    return exactness_.kind == Exactness::Kind::Strict && expected == 0 && actual == 0; // their bits differ
  }

  const OutputField &field_;
  const Exactness &exactness_;
  const std::byte *expected_, *actual_;
  long double largest_ = 0;
  LinearBound bound_;
  std::optional<std::pair<long double, long double>> range_; ///< range of the expected values
};

} // namespace

std::string Exactness::text() const {
  switch (kind) {
  case Kind::Bits:
    return "bit for bit";
  case Kind::Declared:
    return "within " + toleranceText(tolerance);
  case Kind::Strict:
    return "bit for bit";
  case Kind::Reassociate:
    break;
  }
  return "within what another order of operations explains";
}

Exactness exactnessOf(const KernelSpec &spec) {
  const Contract &contract = spec.contract;
  Exactness exactness;
  exactness.isFinite = !hasSpecialValues(spec);
  if (contract.tolerance) {
    exactness.kind = contract.tolerance->value > 0 ? Exactness::Kind::Declared : Exactness::Kind::Bits;
    exactness.tolerance = *contract.tolerance;
  } else if (mayReassociate(spec)) {
    exactness.kind = Exactness::Kind::Reassociate;
  } else {
    exactness.kind = mayContract(spec) ? Exactness::Kind::Strict : Exactness::Kind::Bits;
  }
  return exactness;
}

long double allowedDistance(const Exactness &exactness, std::size_t elementSize, long double expected,
                            long double largest) {
  if (exactness.kind == Exactness::Kind::Bits)
    return 0;
  if (exactness.kind == Exactness::Kind::Strict)
    return exactness.factor * kLeastUlps * unitInLastPlace(largest, elementSize);
  if (exactness.kind == Exactness::Kind::Reassociate) {
    const DefaultTolerance tolerance = defaultTolerance(elementSize);
    return exactness.factor * (tolerance.ofValue * std::fabs(expected) + tolerance.ofLargest * largest);
  }
  const long double value = exactness.factor * static_cast<long double>(exactness.tolerance.value);
  switch (exactness.tolerance.kind) {
  case Tolerance::Kind::Absolute:
    return value;
  case Tolerance::Kind::Relative:
    return value * std::fabs(expected);
  case Tolerance::Kind::Ulp:
    return value * unitInLastPlace(expected, elementSize);
  }
  return 0;
}

std::string Difference::text() const {
  std::string text =
      total == 1 ? fmt::format("'{}' differs", field)
                 : fmt::format("{} of {} elements of '{}' differ (the first at index {})", count, total, field, index);
  if (isNotANumber)
    text += ", NaN or infinity on one side only";
  else if (largest > 0)
    text += fmt::format(", by up to {:.3g}", largest);
  return text;
}

std::vector<Difference> compareOutputs(std::span<const OutputField> fields, std::span<const std::byte> expected,
                                       std::span<const std::byte> actual, const Exactness &exactness) {
  std::size_t bytes = 0;
  for (const OutputField &field : fields)
    bytes += wire::padded(field.bytes);
  if (expected.size() != bytes || actual.size() != bytes)
    return {Difference{.field = "all outputs", .count = 1, .total = 1}};
  std::vector<Difference> differences;
  std::size_t at = 0;
  for (const OutputField &field : fields) {
    Difference difference = FieldComparison(field, exactness, expected.data() + at, actual.data() + at).run();
    if (difference.count > 0)
      differences.push_back(std::move(difference));
    at += wire::padded(field.bytes);
  }
  return differences;
}

void learnContraction(std::span<OutputField> fields, std::span<const std::byte> contracted,
                      std::span<const std::byte> plain) {
  std::size_t at = 0;
  for (OutputField &field : fields) {
    field.contraction = 0;
    if (const auto spread = spreadOf(field, contracted, plain, at)) {
      const long double least =
          kLeastUlps * unitInLastPlace(largestValue(field, contracted.data() + at), field.elementSize);
      field.contraction = static_cast<double>(std::max(kSpreads * *spread, least));
    }
    at += wire::padded(field.bytes);
  }
}

void learnRounding(std::span<OutputField> fields, std::span<const std::byte> nearest,
                   std::span<const std::byte> upward) {
  std::size_t at = 0;
  for (OutputField &field : fields) {
    field.rounding = static_cast<double>(kSpreads * spreadOf(field, nearest, upward, at).value_or(0));
    at += wire::padded(field.bytes);
  }
}

std::size_t differingElements(std::span<const Difference> differences) {
  std::size_t count = 0;
  for (const Difference &difference : differences)
    count += difference.count;
  return count;
}

bool mayBeRounding(std::span<const Difference> differences) {
  return std::ranges::none_of(differences, [](const Difference &difference) {
    return difference.isForeign || difference.longestRun > kLongestRun;
  });
}

} // namespace agentic
