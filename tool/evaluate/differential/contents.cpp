#include "tool/evaluate/differential/contents.h"

#include "tool/evaluate/differential/element_type.h"
#include "tool/evaluate/differential/nans.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace agentic {
namespace {

template <class T> void sortAs(std::vector<std::byte> &bytes, bool descending) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  if constexpr (std::is_floating_point_v<T>) // NaN cannot be ordered
    std::ranges::replace_if(values, [](T value) { return std::isnan(value); }, T(0));
  std::ranges::sort(values);
  if (descending)
    std::ranges::reverse(values);
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
}

void sortElements(const ElementKind &kind, std::vector<std::byte> &bytes, bool descending) {
  withElementType(kind.element, kind.size, [&]<class T>(T) { sortAs<T>(bytes, descending); });
}

void addSpecialValues(const ElementKind &kind, std::vector<std::byte> &bytes, std::mt19937_64 &random) {
  withElementType(kind.element, kind.size, [&]<class T>(T) {
    std::vector<T> values;
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
      if (kind.specialValues)
        values = {Nans<T>::any(random), Limits::infinity(), -Limits::infinity(), T(-0.0),
                  Limits::denorm_min(), Limits::max()};
    } else if (kind.extremes) {
      values = {Limits::min(), Limits::max(), T(0), T(-1)};
    }
    const std::size_t count = bytes.size() / sizeof(T);
    for (std::size_t i = 0; i < values.size() && count > 0; ++i)
      std::memcpy(bytes.data() + std::uniform_int_distribution<std::size_t>(0, count - 1)(random) * sizeof(T),
                  &values[i], sizeof(T));
  });
}

void mixMagnitudes(const ElementKind &kind, std::vector<std::byte> &bytes, std::mt19937_64 &random) {
  if (!kind.extremes)
    return;
  withElementType(kind.element, kind.size, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) {
      const std::size_t count = bytes.size() / sizeof(T);
      constexpr std::size_t kBits = 8 * sizeof(T);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t later = i < count / 4 ? 0 : i - count / 4;
        const std::size_t length = std::min(kBits, 2 + kBits * 2 * later / count);
        const auto bits = static_cast<std::make_unsigned_t<T>>(random());
        const T value = static_cast<T>(static_cast<std::make_unsigned_t<T>>(bits >> (kBits - length)));
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
      }
    }
  });
}

/// Writes one element at a random place.
template <class T> void place(std::vector<std::byte> &bytes, T value, std::mt19937_64 &random) {
  const std::size_t count = bytes.size() / sizeof(T);
  std::memcpy(bytes.data() + std::uniform_int_distribution<std::size_t>(0, count - 1)(random) * sizeof(T), &value,
              sizeof(T));
}

template <class T> void fillWith(std::vector<std::byte> &bytes, T value) {
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T))
    std::memcpy(bytes.data() + i, &value, sizeof(T));
}

void fillWithScalar(const ElementKind &kind, std::vector<std::byte> &bytes) {
  withElementType(kind.element, kind.size, [&]<class T>(T) {
    using Limits = std::numeric_limits<T>;
    const bool fits =
        std::is_floating_point_v<T> || (kind.scalar >= double(Limits::lowest()) && kind.scalar < double(Limits::max()));
    fillWith<T>(bytes, fits ? static_cast<T>(kind.scalar) : T(0));
  });
}

/// Adds a single value that changes what follows, or numbers that are all too small for a full fraction.
void addAlone(Content content, const ElementKind &kind, std::vector<std::byte> &bytes, std::mt19937_64 &random) {
  if (!kind.specialValues)
    return;
  withElementType(kind.element, kind.size, [&]<class T>(T) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
      if (content == Content::OneNan)
        return place<T>(bytes, Nans<T>::any(random), random);
      if (content == Content::OneInfinity)
        return place<T>(bytes, random() % 2 == 0 ? Limits::infinity() : -Limits::infinity(), random);
      std::uniform_int_distribution<int> units(-4000, 4000);
      for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
        const T value = static_cast<T>(units(random)) * Limits::denorm_min();
        std::memcpy(bytes.data() + i, &value, sizeof(T));
      }
    }
  });
}

} // namespace

void arrange(std::vector<std::byte> &bytes, Content content, const ElementKind &kind, std::mt19937_64 &random) {
  if (bytes.size() < kind.size)
    return;
  switch (content) {
  case Content::Ascending:
  case Content::Descending:
    return sortElements(kind, bytes, content == Content::Descending);
  case Content::EqualEnds:
    std::memcpy(bytes.data() + bytes.size() - kind.size, bytes.data(), kind.size);
    return;
  case Content::Special:
    return addSpecialValues(kind, bytes, random);
  case Content::Mixed:
    return mixMagnitudes(kind, bytes, random);
  case Content::Scalar:
    return fillWithScalar(kind, bytes);
  case Content::OneNan:
  case Content::OneInfinity:
  case Content::Denormals:
    return addAlone(content, kind, bytes, random);
  case Content::Recorded:
  case Content::Rotated:
  case Content::Constant:
    return;
  }
}

} // namespace agentic
