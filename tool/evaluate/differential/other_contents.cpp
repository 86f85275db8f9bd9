#include "tool/evaluate/differential/other_contents.h"

#include "tool/evaluate/differential/content_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace agentic {
namespace {

constexpr std::string_view kExtremes[] = {kOnlyZeros, kOnlyOnes, kOnlySmallest, kOnlyLargest};
constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
    {kOnlyZeros, kOnlyOnes}, {kOnlyOnes, kOnlyZeros}, {kOnlySmallest, kOnlyLargest}, {kOnlyLargest, kOnlySmallest}};
constexpr std::size_t kMostSingleChanges = 16; ///< in the quick plan, a third of its contents
constexpr std::size_t kSingleChangeShare = 3;

using Random = std::mt19937_64;

struct MadeArgument {
  PlanPatch patch;
  std::string text;
  std::string member; ///< ".scale" of a struct
  bool isSingleChange = false;
};

class Maker {
public:
  Maker(const RecordedCall &call, const GlueDescription &kernel, const ContentWishes &wishes, Random &random)
      : call_(call), kernel_(kernel), wishes_(wishes), random_(random) {}

  std::vector<OtherContents> run(std::size_t most) {
    mostSingleChanges_ = std::min(kMostSingleChanges, most / kSingleChangeShare);
    const std::vector<std::vector<MadeArgument>> made = makeAll();
    std::vector<OtherContents> result;
    std::size_t longest = 0, singleChanges = 0;
    for (const auto &one : made)
      longest = std::max(longest, one.size());
    for (std::size_t row = 0; row < longest; ++row)
      for (const auto &one : made) {
        if (row >= one.size())
          continue;
        const bool isSingle = one[row].isSingleChange;
        if (isSingle ? singleChanges == mostSingleChanges_ : result.size() - singleChanges == most)
          continue;
        singleChanges += isSingle ? 1 : 0;
        result.push_back({{one[row].patch}, fmt::format("when '{}' holds {}", nameOf(one[row]), one[row].text)});
      }
    most += singleChanges;
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
    isExtremesOnly_ = true; // and no single changes
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

  std::vector<ContentRow> rowsOf(std::size_t index, const GlueParameter::Member &member) const {
    return contentRows(member.element, member.size, numbersOf(index, member),
                       {call_, kernel_, wishes_, mostSingleChanges_});
  }

  /// Adds the rows of one number of each element: of all that it is, or of a member.
  void addRows(std::size_t index, const GlueParameter::Member &member, std::vector<MadeArgument> &made) {
    for (const ContentRow &row : rowsOf(index, member)) {
      if (isExtremesOnly_ && std::ranges::find(kExtremes, row.text) == std::end(kExtremes))
        continue;
      std::vector<std::byte> bytes = call_.arguments[index].bytes;
      fill(row, index, member, bytes);
      add({{index, 0, std::move(bytes)}, row.text, member.name.empty() ? "" : "." + member.name, row.isSingleChange},
          made);
    }
  }

  /// Adds extremes of all members at once: sums of products are as large as can be.
  void addExtremes(std::size_t index, const std::vector<GlueParameter::Member> &members,
                   std::vector<MadeArgument> &made) {
    std::vector<std::vector<std::byte>> all(std::size(kExtremes), call_.arguments[index].bytes);
    for (const GlueParameter::Member &member : members)
      for (const ContentRow &row : rowsOf(index, member))
        if (const auto *text = std::ranges::find(kExtremes, row.text); text != std::end(kExtremes))
          fill(row, index, member, all[std::size_t(text - kExtremes)]);
    for (std::size_t i = 0; i < all.size(); ++i)
      add({{index, 0, std::move(all[i])}, std::string(kExtremes[i]), ""}, made);
  }

  /// Adds contents that are neither the recorded ones nor there already.
  void add(MadeArgument contents, std::vector<MadeArgument> &made) const {
    PlanPatch &patch = contents.patch;
    const std::vector<std::byte> &recorded = call_.arguments[patch.argument].bytes;
    if (patch.bytes == recorded)
      return;
    if (contents.isSingleChange)
      keepWhatDiffers(patch, recorded);
    if (std::ranges::none_of(made, [&](const MadeArgument &other) {
          return other.patch.offset == patch.offset && other.patch.bytes == patch.bytes;
        }))
      made.push_back(std::move(contents));
  }

  /// A plan of single changes need not hold the array for each.
  void keepWhatDiffers(PlanPatch &patch, const std::vector<std::byte> &recorded) const {
    const auto first = std::ranges::mismatch(patch.bytes, recorded).in1;
    const std::size_t stride = kernel_.parameters[patch.argument].elementSize;
    patch.offset = std::size_t(first - patch.bytes.begin()) / stride * stride;
    const auto element = patch.bytes.begin() + std::ptrdiff_t(patch.offset);
    patch.bytes = std::vector<std::byte>(element, element + std::ptrdiff_t(stride));
  }

  /// Returns the recorded numbers of all elements, one behind the other.
  std::vector<std::byte> numbersOf(std::size_t index, const GlueParameter::Member &member) const {
    const std::vector<std::byte> &own = call_.arguments[index].bytes;
    const std::size_t stride = kernel_.parameters[index].elementSize, size = member.size * member.count;
    std::vector<std::byte> numbers(own.size() / stride * size);
    for (std::size_t i = 0; i < own.size() / stride; ++i)
      std::memcpy(numbers.data() + i * size, own.data() + i * stride + member.offset, size);
    return numbers;
  }

  /// Writes a row into `bytes`, as the member of all elements. It is made of the recorded numbers.
  void fill(const ContentRow &row, std::size_t index, const GlueParameter::Member &member,
            std::vector<std::byte> &bytes) {
    std::vector<std::byte> numbers = numbersOf(index, member);
    row.fill(numbers, random_);
    const std::size_t stride = kernel_.parameters[index].elementSize, size = member.size * member.count;
    for (std::size_t i = 0; i < bytes.size() / stride; ++i)
      std::memcpy(bytes.data() + i * stride + member.offset, numbers.data() + i * size, size);
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
    if (made.front()[row].isSingleChange)
      return std::nullopt;
    OtherContents all = alike(made, made.front()[row].text);
    return all.patches.size() > 1 ? std::optional(std::move(all)) : std::nullopt;
  }

  const RecordedCall &call_;
  const GlueDescription &kernel_;
  const ContentWishes &wishes_;
  Random &random_;
  bool isExtremesOnly_ = false;
  std::size_t mostSingleChanges_ = 0;
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
