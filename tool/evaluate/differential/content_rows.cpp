#include "tool/evaluate/differential/content_rows.h"

#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/element_type.h"
#include "tool/evaluate/differential/nans.h"
#include "tool/evaluate/differential/neighbour_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>

namespace agentic {
namespace {

/// Lengths of runs. First what a one-byte counter holds, what it does not, and two full ones; then those around blocks
/// and vectors.
constexpr std::size_t kRuns[] = {255, 256, 257, 510, 7,  8,   9,   15,  16,  17,  31,
                                 32,  33,  63,  64,  65, 127, 128, 129, 511, 512, 513};
/// At this distance a special value follows the largest element in the same lane, for every width of a vector and every
/// unroll factor.
constexpr std::size_t kSameLane = 64;
constexpr std::size_t kNanDistance = 3;  ///< no power of two: every lane gets some
constexpr double kMostHalves = 1u << 20; ///< more are no longer exact once they are multiplied

using Random = std::mt19937_64;
template <class T> using Values = std::vector<T>;

template <class T> struct Row {
  std::string text;
  std::function<void(Values<T> &, Random &)> fill;
  bool isSingleChange = false;
};

template <class T> Row<T> everywhere(std::string text, T value) {
  return {std::move(text), [value](Values<T> &values, Random &) { std::ranges::fill(values, value); }};
}

template <class T> T numberOr0(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(value) ? value : T(0); // NaN cannot be ordered
  return value;
}

/// Falls from the largest element to the smallest in equal steps, so that no two are equal; or rises.
template <class T> void makeRamp(Values<T> &values, bool isFalling) {
  std::ranges::transform(values, values.begin(), numberOr0<T>);
  const auto [least, most] = std::ranges::minmax(values);
  const double low = least == most ? double(most) / 2 - 1 : double(least),
               step = (double(most) - low) / double(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(isFalling ? double(most) - step * double(i) : low + step * double(i + 1));
}

/// Returns for each element the next one that is another, from the end on with the first; or itself if all are equal.
template <class T> std::vector<std::size_t> nextOthers(const Values<T> &values) {
  std::vector<std::size_t> next(values.size(), values.size() - 1);
  const auto first = std::ranges::find_if(values, [&](T value) { return value != values.back(); });
  if (first != values.end())
    next.back() = std::size_t(first - values.begin());
  for (std::size_t i = values.size() - 1; i-- > 0;)
    next[i] = values[i + 1] != values[i] ? i + 1 : next[i + 1];
  return next;
}

/// Neighbouring runs differ, or they would be one. Runs longer than half of all are left out: one hides the others.
template <class T> void makeRuns(Values<T> &values) {
  std::vector<std::size_t> lengths;
  std::ranges::copy_if(kRuns, std::back_inserter(lengths), [&](std::size_t run) { return run <= values.size() / 2; });
  if (lengths.empty())
    return;
  const Values<T> own = values;
  const std::vector<std::size_t> others = nextOthers(own);
  std::size_t begin = 0;
  for (std::size_t turn = 0; begin < own.size(); ++turn) {
    const std::size_t end = std::min(own.size(), begin + lengths[turn % lengths.size()]);
    const bool isContinued = begin > 0 && own[begin] == values[begin - 1];
    std::fill(values.begin() + std::ptrdiff_t(begin), values.begin() + std::ptrdiff_t(end),
              own[isContinued ? others[begin] : begin]);
    begin = end;
  }
}

template <class T> void appendOwn(std::vector<Row<T>> &rows) {
  const auto sorted = [](bool isFalling) {
    return [isFalling](Values<T> &values, Random &) {
      std::ranges::transform(values, values.begin(), numberOr0<T>);
      std::ranges::sort(values);
      if (isFalling)
        std::ranges::reverse(values);
    };
  };
  rows.push_back({"its elements in falling order", sorted(true)});
  rows.push_back({"its elements in rising order", sorted(false)});
  rows.push_back({"one of its elements everywhere", [](Values<T> &values, Random &random) {
                    std::ranges::fill(values, T(values[random() % values.size()]));
                  }});
  rows.push_back({"runs of its elements", [](Values<T> &values, Random &) { makeRuns(values); }});
  rows.push_back(everywhere(std::string(kOnlyZeros), T(0)));
}

/// Sets multiples of one half, of both signs and of about the magnitude of the values, in steps of `unit`: of one if
/// that would be out of their range.
template <class T> void fillWithHalves(Values<T> &values, Random &random, double unit, double unitOfOdd) {
  double most = 1;
  for (const T value : values)
    most = std::max(most, double(std::fabs(numberOr0(value))));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double wanted = i % 2 == 0 ? unit : unitOfOdd, one = wanted > most ? 1 : wanted;
    const auto halves = static_cast<int>(std::clamp(2 * most / one, 3.0, kMostHalves));
    values[i] = static_cast<T>(std::uniform_int_distribution<int>(-halves, halves)(random) * 0.5 * one);
  }
}

/// Ordinary numbers that data need not have: rounding shows at halves, and which rounding it is below zero.
template <class T> void appendOrdinary(std::vector<Row<T>> &rows) {
  rows.push_back({"its elements with the other sign", [](Values<T> &values, Random &) {
                    std::ranges::transform(values, values.begin(), std::negate<T>());
                  }});
  rows.push_back({"multiples of one half, of both signs",
                  [](Values<T> &values, Random &random) { fillWithHalves(values, random, 1, 1); }});
}

/// A scalar that elements are multiplied with, or divided by, makes halves of them.
template <class T> void appendScaledHalves(std::vector<Row<T>> &rows, const GlueParameter &parameter, double scale) {
  const double unit = std::fabs(scale);
  if (parameter.element == GlueParameter::Element::Floating && unit != 1 && unit >= 1e-6 && unit <= 1e6)
    rows.push_back({fmt::format("halves times '{0}' and halves divided by '{0}', by turns", parameter.name),
                    [unit](Values<T> &values, Random &random) { fillWithHalves(values, random, 1 / unit, unit); }});
}

template <class T> void appendScalars(std::vector<Row<T>> &rows, const RowRequest &request) {
  for (std::size_t i = 0; i < request.call.arguments.size(); ++i) {
    const GlueParameter &parameter = request.kernel.parameters[i];
    const std::optional<double> value = scalarValue(parameter, request.call.arguments[i].bytes);
    using Limits = std::numeric_limits<T>;
    if (!value || !(*value >= double(Limits::lowest()) && *value <= double(Limits::max())))
      continue;
    if (std::is_integral_v<T> && *value == double(Limits::max()))
      continue; // the double may be out of range, and the largest has a row of its own
    rows.push_back(everywhere("nothing but the value of '" + parameter.name + "'", static_cast<T>(*value)));
    if constexpr (std::is_floating_point_v<T>)
      appendScaledHalves(rows, parameter, *value);
  }
}

template <class T> void appendWild(std::vector<Row<T>> &rows) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    rows.push_back(everywhere("nothing but ones", T(1)));
  } else {
    rows.push_back(everywhere(std::string(kOnlyOnes), static_cast<T>(-1)));
    rows.push_back({"any bits", [](Values<T> &values, Random &random) {
                      std::ranges::generate(values, [&] { return static_cast<T>(random()); });
                    }});
    rows.push_back(everywhere(std::string(kOnlySmallest), Limits::min()));
    rows.push_back(everywhere(std::string(kOnlyLargest), Limits::max()));
  }
}

/// Puts one value behind elements that fall or rise: an extreme that it wipes out does not occur again.
template <class T> Row<T> oneIn(std::string text, bool isFalling, T value) {
  return {std::move(text), [=](Values<T> &values, Random &) {
            makeRamp(values, isFalling);
            values[values.size() > kSameLane ? kSameLane : values.size() / 2] = value;
          }};
}

/// Each NaN has other bits, and there are never two kinds at once: of two that meet, an addition keeps the one or the
/// other, as the compiler orders them.
template <class T> void appendSpecial(std::vector<Row<T>> &rows) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  rows.push_back(oneIn("falling elements and one NaN", true, Nans<T>::usual()));
  rows.push_back(oneIn("rising elements and one negative NaN with all bits set", false, Nans<T>::negative()));
  rows.push_back({"a NaN with all bits set as its first element",
                  [](Values<T> &values, Random &) { values.front() = Nans<T>::largest(); }});
  rows.push_back({"a NaN with the lowest bit set as its last element",
                  [](Values<T> &values, Random &) { values.back() = Nans<T>::lowest(); }});
  rows.push_back(oneIn("falling elements and one infinity", true, kInfinity));
  rows.push_back(oneIn("rising elements and one negative infinity", false, T(-kInfinity)));
  rows.push_back({"NaNs with all bits set among its elements", [](Values<T> &values, Random &) {
                    for (std::size_t i = 0; i < values.size(); i += kNanDistance)
                      values[i] = Nans<T>::largest();
                  }});
  rows.push_back(everywhere("nothing but -0", T(-0.0)));
  rows.push_back({"zeros of both signs", [](Values<T> &values, Random &random) {
                    std::ranges::generate(values, [&] { return random() % 2 == 0 ? T(0) : T(-0.0); });
                  }});
}

template <class T> void appendMagnitudes(std::vector<Row<T>> &rows) {
  using Limits = std::numeric_limits<T>;
  const auto scaled = [](T unit, int most) {
    return [unit, most](Values<T> &values, Random &random) {
      std::uniform_int_distribution<int> units(-most, most);
      std::ranges::generate(values, [&] { return static_cast<T>(units(random)) * unit; });
    };
  };
  rows.push_back({"denormal numbers", scaled(Limits::denorm_min(), 4000)});
  rows.push_back({"tiny numbers", scaled(Limits::min(), 16)});
  rows.push_back({"huge numbers", scaled(Limits::max() / 4096, 4000)});
  rows.push_back({"any bits of a number", [](Values<T> &values, Random &random) {
                    std::ranges::generate(values, [&] {
                      const T value = std::bit_cast<T>(static_cast<typename Nans<T>::Bits>(random()));
                      return std::isnan(value) ? T(0) : value; // NaNs have rows of their own: appendSpecial()
                    });
                  }});
}

/// Behind all that keeps to the data's own values, before what may be further out of range.
template <class T>
void appendSingleChanges(std::vector<Row<T>> &rows, const Values<T> &recorded, const RowRequest &request) {
  for (const NeighbourValue<T> &change : neighbourValues(recorded, request.mostSingleChanges))
    rows.push_back({.text = fmt::format("{} instead of {} in one place", +change.value, +change.recorded),
                    .fill =
                        [change](Values<T> &values, Random &random) {
                          std::vector<std::size_t> places;
                          for (std::size_t i = 0; i < values.size(); ++i)
                            if (values[i] == change.recorded)
                              places.push_back(i);
                          values[places[random() % places.size()]] = change.value;
                        },
                    .isSingleChange = true});
}

template <class T> std::vector<Row<T>> rowsFor(const Values<T> &recorded, const RowRequest &request) {
  const ContentWishes &wishes = request.wishes;
  std::vector<Row<T>> rows;
  if constexpr (std::is_floating_point_v<T>)
    if (wishes.special)
      appendSpecial(rows); // first: they show the most
  appendOwn(rows);
  if (wishes.wild) {
    if constexpr (std::is_floating_point_v<T>)
      appendOrdinary(rows);
    else
      appendSingleChanges(rows, recorded, request);
    appendScalars(rows, request);
    appendWild(rows);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (wishes.magnitudes)
      appendMagnitudes(rows);
  return rows;
}

template <class T> Values<T> valuesIn(const std::vector<std::byte> &bytes) {
  Values<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

} // namespace

std::vector<ContentRow> contentRows(GlueParameter::Element element, std::size_t size,
                                    const std::vector<std::byte> &recorded, const RowRequest &request) {
  std::vector<ContentRow> all;
  if (recorded.size() < size)
    return all;
  withElementType(element, size, [&]<class T>(T) {
    for (Row<T> &row : rowsFor<T>(valuesIn<T>(recorded), request))
      all.push_back({.text = std::move(row.text),
                     .fill =
                         [fill = std::move(row.fill)](std::vector<std::byte> &bytes, Random &random) {
                           Values<T> values = valuesIn<T>(bytes);
                           fill(values, random);
                           std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
                         },
                     .isSingleChange = row.isSingleChange});
  });
  return all;
}

} // namespace agentic
