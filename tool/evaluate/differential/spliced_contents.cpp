#include "tool/evaluate/differential/spliced_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace agentic {
namespace {

using ByteVector = std::vector<std::byte>;

constexpr std::size_t kBorders[] = {16, 32, 64, 128, 256, 512, 1024}; ///< of vectors and of the blocks in use
constexpr std::size_t kLongest = 64;                                  ///< of what is copied
constexpr std::size_t kTimesLonger = 4;                               ///< a long input is so many times the short one

bool isBytesThatAreRead(const RecordedArgument &argument, const GlueParameter &parameter) {
  const bool isRead = argument.header.role == wire::Role::In || argument.header.role == wire::Role::InOut;
  const bool isArray = parameter.kind == GlueParameter::Kind::Pointer || parameter.kind == GlueParameter::Kind::Range;
  return isRead && isArray && parameter.elementSize == 1;
}

/// Returns where `size` bytes begin that end at a border, lie across it or begin at it, and at the end of `length`.
std::set<std::size_t> placesFor(std::size_t size, std::size_t length) {
  std::set<std::size_t> places = {length - size};
  for (const std::size_t border : kBorders)
    for (const std::size_t place : {border - std::min(border, size), border - 1, border})
      if (place + size <= length)
        places.insert(place);
  return places;
}

std::byte mostFrequent(const ByteVector &bytes) {
  std::array<std::size_t, 256> counts{};
  for (const std::byte byte : bytes)
    ++counts[std::to_integer<std::size_t>(byte)];
  return std::byte(std::ranges::max_element(counts) - counts.begin());
}

OtherContents spliced(std::size_t argument, const std::string &name, const ByteVector &part, std::size_t place) {
  return {{{argument, place, part}}, fmt::format("when '{}' holds a shorter recorded input at byte {}", name, place)};
}

/// Leaves it among equal bytes, which a loop over blocks may pass over.
void makeRestEqual(OtherContents &one, const RecordedCall &call) {
  PlanPatch &patch = one.patches.front();
  const ByteVector &whole = call.arguments[patch.argument].bytes;
  ByteVector bytes(whole.size(), mostFrequent(whole));
  std::ranges::copy(patch.bytes, bytes.begin() + std::ptrdiff_t(patch.offset));
  patch.bytes = std::move(bytes);
  patch.offset = 0;
  one.circumstance += " and equal bytes elsewhere";
}

} // namespace

std::vector<OtherContents> splicedContents(const RecordedCall &call, const GlueDescription &kernel,
                                           const std::vector<const RecordedCall *> &recorded, std::size_t most,
                                           std::mt19937_64 &random) {
  std::vector<OtherContents> all;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const ByteVector &whole = call.arguments[i].bytes;
    if (!isBytesThatAreRead(call.arguments[i], kernel.parameters[i]))
      continue;
    std::set<ByteVector> parts;
    for (const RecordedCall *other : recorded)
      if (const ByteVector &part = other->arguments[i].bytes;
          !part.empty() && part.size() <= kLongest && part.size() * kTimesLonger <= whole.size())
        parts.insert(part);
    for (const ByteVector &part : parts)
      for (const std::size_t place : placesFor(part.size(), whole.size()))
        all.push_back(spliced(i, kernel.parameters[i].name, part, place));
  }
  std::ranges::shuffle(all, random); // a limit must not keep to the first input or the first border
  if (all.size() > most)
    all.resize(most);
  for (std::size_t i = 1; i < all.size(); i += 2)
    makeRestEqual(all[i], call);
  return all;
}

} // namespace agentic
