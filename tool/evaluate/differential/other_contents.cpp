#include "tool/evaluate/differential/other_contents.h"

#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

namespace agentic {
namespace {

constexpr std::string_view kOnlyZeros = "nothing but zeros", kOnlyOnes = "elements with all bits set",
                           kOnlySmallest = "nothing but the smallest value",
                           kOnlyLargest = "nothing but the largest value";
constexpr std::string_view kExtremes[] = {kOnlyZeros, kOnlyOnes, kOnlySmallest, kOnlyLargest};
constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
    {kOnlyZeros, kOnlyOnes}, {kOnlyOnes, kOnlyZeros}, {kOnlySmallest, kOnlyLargest}, {kOnlyLargest, kOnlySmallest}};
constexpr std::size_t kRun = 300; ///< more than a one-byte counter can hold
/// At this distance a special value follows the largest element in the same lane, for every width of a vector and every
/// unroll factor.
constexpr std::size_t kSameLane = 64;

using Random = std::mt19937_64;
template <class T> using Values = std::vector<T>;

template <class T> struct Row {
  std::string text; ///< "nothing but zeros"
  std::function<void(Values<T> &, Random &)> fill;
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
  rows.push_back({"long runs of its elements", [](Values<T> &values, Random &) {
                    for (std::size_t i = 0; i < values.size(); ++i)
                      values[i] = values[i / kRun * kRun];
                  }});
  rows.push_back(everywhere(std::string(kOnlyZeros), T(0)));
}

template <class T>
void appendScalars(std::vector<Row<T>> &rows, const RecordedCall &call, const GlueDescription &kernel) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const std::optional<double> value = scalarValue(kernel.parameters[i], call.arguments[i].bytes);
    using Limits = std::numeric_limits<T>;
    if (!value || !(*value >= double(Limits::lowest()) && *value <= double(Limits::max())))
      continue;
    if (std::is_integral_v<T> && *value == double(Limits::max()))
      continue; // the double may be out of range, and the largest has a row of its own
    rows.push_back(everywhere("nothing but the value of '" + kernel.parameters[i].name + "'", static_cast<T>(*value)));
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

template <class T> void appendSpecial(std::vector<Row<T>> &rows) {
  using Limits = std::numeric_limits<T>;
  const T nan = Limits::quiet_NaN(), infinity = Limits::infinity();
  rows.push_back(oneIn("falling elements and one NaN", true, nan));
  rows.push_back(oneIn("rising elements and one NaN", false, nan));
  rows.push_back({"a NaN as its first element", [nan](Values<T> &values, Random &) { values.front() = nan; }});
  rows.push_back({"a NaN as its last element", [nan](Values<T> &values, Random &) { values.back() = nan; }});
  rows.push_back(oneIn("falling elements and one infinity", true, infinity));
  rows.push_back(oneIn("rising elements and one negative infinity", false, T(-infinity)));
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
}

template <class T>
std::vector<Row<T>> rowsFor(const RecordedCall &call, const GlueDescription &kernel, const ContentWishes &wishes) {
  std::vector<Row<T>> rows;
  if constexpr (std::is_floating_point_v<T>)
    if (wishes.special)
      appendSpecial(rows); // first: they show the most
  appendOwn(rows);
  if (wishes.wild) {
    appendScalars(rows, call, kernel);
    appendWild(rows);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (wishes.magnitudes)
      appendMagnitudes(rows);
  return rows;
}

struct MadeArgument {
  PlanPatch patch;
  std::string text;
  std::string member; ///< ".scale" of a struct
};

class Maker {
public:
  Maker(const RecordedCall &call, const GlueDescription &kernel, const ContentWishes &wishes, Random &random)
      : call_(call), kernel_(kernel), wishes_(wishes), random_(random) {}

  std::vector<OtherContents> run(std::size_t most) {
    const std::vector<std::vector<MadeArgument>> made = makeAll();
    std::vector<OtherContents> result;
    std::size_t longest = 0;
    for (const auto &one : made)
      longest = std::max(longest, one.size());
    for (std::size_t row = 0; row < longest; ++row)
      for (const auto &one : made)
        if (row < one.size() && result.size() < most)
          result.push_back({{one[row].patch}, fmt::format("when '{}' holds {}", nameOf(one[row]), one[row].text)});
    for (OtherContents &both : opposites(made))
      if (result.size() < most)
        result.push_back(std::move(both));
    for (std::size_t row = 0; made.size() > 1 && row < longest && result.size() < most; ++row)
      if (std::optional<OtherContents> all = together(made, row);
          all && std::ranges::find(result, all->circumstance, &OtherContents::circumstance) == result.end())
        result.push_back(std::move(*all)); // members of a struct have rows of the same name
    return result;
  }

  std::vector<OtherContents> extremes() {
    isExtremesOnly_ = true;
    const std::vector<std::vector<MadeArgument>> made = makeAll();
    std::vector<OtherContents> result = opposites(made);
    for (const std::string_view text : {kOnlyOnes, kOnlySmallest, kOnlyLargest})
      if (OtherContents all = alike(made, text); !all.patches.empty())
        result.push_back(std::move(all));
    return result;
  }

private:
  std::vector<std::vector<MadeArgument>> makeAll() {
    std::vector<std::vector<MadeArgument>> made;
    for (std::size_t i = 0; i < call_.arguments.size(); ++i)
      if (std::vector<MadeArgument> one = make(i); !one.empty())
        made.push_back(std::move(one));
    return made;
  }

  static std::vector<OtherContents> opposites(const std::vector<std::vector<MadeArgument>> &made) {
    std::vector<OtherContents> result;
    for (const auto &[one, other] : kOpposites)
      if (std::optional<OtherContents> both = opposite(made, one, other))
        result.push_back(std::move(*both));
    return result;
  }

  std::string nameOf(const MadeArgument &made) const {
    return kernel_.parameters[made.patch.argument].name + made.member;
  }

  std::vector<MadeArgument> make(std::size_t index) {
    std::vector<MadeArgument> made;
    const RecordedArgument &argument = call_.arguments[index];
    const GlueParameter &parameter = kernel_.parameters[index];
    const bool isRead = argument.header.role == wire::Role::In || argument.header.role == wire::Role::InOut;
    const bool isArray = parameter.kind == GlueParameter::Kind::Pointer || parameter.kind == GlueParameter::Kind::Range;
    if (!isRead || !isArray || parameter.elementSize == 0 || argument.bytes.size() < parameter.elementSize)
      return made;
    addRows(index, {.name = "", .element = parameter.element, .size = parameter.elementSize}, made);
    std::vector<GlueParameter::Member> members = parameter.members;
    std::erase_if(members, [&](const GlueParameter::Member &member) {
      return member.offset + member.size * member.count > parameter.elementSize;
    });
    if (members.size() > 1)
      addExtremes(index, members, made);
    for (const GlueParameter::Member &member : members)
      addRows(index, member, made);
    return made;
  }

  /// Adds the rows of one number of each element: of all that it is, or of a member.
  void addRows(std::size_t index, const GlueParameter::Member &member, std::vector<MadeArgument> &made) {
    const RecordedArgument &argument = call_.arguments[index];
    withElementType(member.element, member.size, [&]<class T>(T) {
      for (const Row<T> &row : rowsFor<T>(call_, kernel_, wishes_)) {
        if (isExtremesOnly_ && std::ranges::find(kExtremes, row.text) == std::end(kExtremes))
          continue;
        std::vector<std::byte> bytes = argument.bytes;
        fill(row, index, member, bytes);
        add({{index, 0, std::move(bytes)}, row.text, member.name.empty() ? "" : "." + member.name}, made);
      }
    });
  }

  /// Adds extremes of all members at once: sums of products are as large as can be.
  void addExtremes(std::size_t index, const std::vector<GlueParameter::Member> &members,
                   std::vector<MadeArgument> &made) {
    std::vector<std::vector<std::byte>> all(std::size(kExtremes), call_.arguments[index].bytes);
    for (const GlueParameter::Member &member : members)
      withElementType(member.element, member.size, [&]<class T>(T) {
        for (const Row<T> &row : rowsFor<T>(call_, kernel_, wishes_))
          if (const auto *text = std::ranges::find(kExtremes, row.text); text != std::end(kExtremes))
            fill(row, index, member, all[std::size_t(text - kExtremes)]);
      });
    for (std::size_t i = 0; i < all.size(); ++i)
      add({{index, 0, std::move(all[i])}, std::string(kExtremes[i]), ""}, made);
  }

  /// Adds contents that are neither the recorded ones nor there already.
  void add(MadeArgument contents, std::vector<MadeArgument> &made) const {
    const std::vector<std::byte> &bytes = contents.patch.bytes;
    if (bytes != call_.arguments[contents.patch.argument].bytes &&
        std::ranges::none_of(made, [&](const MadeArgument &other) { return other.patch.bytes == bytes; }))
      made.push_back(std::move(contents));
  }

  /// Writes a row into `bytes`, as the member of all elements. It is made of the recorded numbers.
  template <class T>
  void fill(const Row<T> &row, std::size_t index, const GlueParameter::Member &member, std::vector<std::byte> &bytes) {
    const std::vector<std::byte> &own = call_.arguments[index].bytes;
    const std::size_t stride = kernel_.parameters[index].elementSize, elements = own.size() / stride;
    Values<T> values(elements * member.count);
    for (std::size_t i = 0; i < elements; ++i)
      std::memcpy(values.data() + i * member.count, own.data() + i * stride + member.offset, member.count * sizeof(T));
    row.fill(values, random_);
    for (std::size_t i = 0; i < elements; ++i)
      std::memcpy(bytes.data() + i * stride + member.offset, values.data() + i * member.count,
                  member.count * sizeof(T));
  }

  /// Sets one contents and another in the arrays by turns: all elements of the first differ as much as can be from
  /// those of the second, which neither does alone.
  static std::optional<OtherContents> opposite(const std::vector<std::vector<MadeArgument>> &made,
                                               std::string_view even, std::string_view odd) {
    OtherContents all;
    for (const auto &one : made)
      if (const auto found = std::ranges::find(one, all.patches.size() % 2 == 0 ? even : odd, &MadeArgument::text);
          found != one.end())
        all.patches.push_back(found->patch);
    all.circumstance = fmt::format("when the inputs by turns hold {} and {}", even, odd);
    return all.patches.size() > 1 ? std::optional(std::move(all)) : std::nullopt;
  }

  /// Sets the same contents in all arrays that have them.
  static OtherContents alike(const std::vector<std::vector<MadeArgument>> &made, std::string_view text) {
    OtherContents all{{}, fmt::format("when the inputs hold {}", text)};
    for (const auto &one : made)
      if (const auto same = std::ranges::find(one, text, &MadeArgument::text); same != one.end())
        all.patches.push_back(same->patch);
    return all;
  }

  /// Sets what the first array has in a row in all arrays, if there are several.
  static std::optional<OtherContents> together(const std::vector<std::vector<MadeArgument>> &made, std::size_t row) {
    if (row >= made.front().size())
      return std::nullopt;
    OtherContents all = alike(made, made.front()[row].text);
    return all.patches.size() > 1 ? std::optional(std::move(all)) : std::nullopt;
  }

  const RecordedCall &call_;
  const GlueDescription &kernel_;
  const ContentWishes &wishes_;
  Random &random_;
  bool isExtremesOnly_ = false;
};

} // namespace

std::vector<OtherContents> otherContents(const RecordedCall &call, const GlueDescription &kernel,
                                         const ContentWishes &wishes, std::size_t most, std::mt19937_64 &random) {
  return Maker(call, kernel, wishes, random).run(most);
}

std::vector<OtherContents> extremeContents(const RecordedCall &call, const GlueDescription &kernel,
                                           std::mt19937_64 &random) {
  const ContentWishes wishes{.wild = true};
  return Maker(call, kernel, wishes, random).extremes();
}

} // namespace agentic
