// Values that stand beside those of the data: ':' behind the digits, '@' before the letters. A test for a class that is
// one too wide or too narrow shows there only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace agentic {

template <class T> struct NeighbourValue {
  T recorded = 0, value = 0; ///< `value` is one more, or one less, and not in the data
};

/// Values that follow one another without a gap.
template <class T> struct ValueClass {
  T least = 0, most = 0;

  double width() const { return double(most) - double(least); }
};

inline constexpr std::size_t kMostSingleValues = 8; ///< classes such as ',' and ' ' between numbers
inline constexpr std::size_t kPlacesOfEach = 4;

/// Returns the classes of the values, the widest first. Sparse ones, as most of more than 2 bytes are, are one class.
template <class T> std::vector<ValueClass<T>> valueClasses(std::vector<T> values) {
  std::ranges::sort(values);
  std::vector<ValueClass<T>> classes;
  for (const T value : values) {
    const bool isNext = !classes.empty() && (sizeof(T) > 2 || value == classes.back().most ||
                                             value == static_cast<T>(classes.back().most + 1));
    if (isNext)
      classes.back().most = value;
    else
      classes.push_back({value, value});
  }
  const bool isSparse = classes.size() > kMostSingleValues &&
                        std::ranges::all_of(classes, [](const ValueClass<T> &one) { return one.width() == 0; });
  if (isSparse)
    return {{values.front(), values.back()}};
  std::ranges::sort(classes, {}, [](const ValueClass<T> &one) { return std::pair(-one.width(), one.least); });
  return classes;
}

/// Returns at most so many changes: above and below each class in turn, and again from the first on, for another place
/// may show what the first does not. Wide values have one place for each.
template <class T> std::vector<NeighbourValue<T>> neighbourValues(const std::vector<T> &values, std::size_t most) {
  std::vector<NeighbourValue<T>> once;
  if (most == 0)
    return once;
  for (const ValueClass<T> &one : valueClasses(values)) {
    if (one.most < std::numeric_limits<T>::max())
      once.push_back({one.most, static_cast<T>(one.most + 1)});
    if (one.least > std::numeric_limits<T>::min())
      once.push_back({one.least, static_cast<T>(one.least - 1)});
  }
  std::vector<NeighbourValue<T>> changes;
  const std::size_t count = std::min(most, once.size() * (sizeof(T) > 2 ? 1 : kPlacesOfEach));
  for (std::size_t i = 0; i < count; ++i)
    changes.push_back(once[i % once.size()]);
  return changes;
}

} // namespace agentic
