#include "tool/evaluate/differential/memory_comparison.h"

#include "tool/base/text.h"
#include "tool/evaluate/differential/word_comparison.h"
#include "tool/runner/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace agentic {
namespace {

using Bytes = std::span<const std::byte>;

/// The memory of one side, by address.
class SideMap {
public:
  void add(const ComparedRegion &region) { regions_[region.header.address] = &region; }
  /// Returns the block that an address points into, its end included; null: no known block.
  const ComparedRegion *find(std::uint64_t address) const {
    auto after = regions_.upper_bound(address);
    if (after == regions_.begin())
      return nullptr;
    const ComparedRegion &region = *std::prev(after)->second;
    return address - region.header.address <= region.header.size ? &region : nullptr;
  }

private:
  std::map<std::uint64_t, const ComparedRegion *> regions_;
};

bool isFresh(const ComparedRegion *region) {
  return region && region->header.kind == wire::RegionKind::Fresh;
}

struct Tally {
  std::size_t differing = 0, total = 0;
};

class CallComparison {
public:
  CallComparison(const ComparedCall &call, const GlueDescription &kernel, const Exactness &exactness)
      : call_(call), kernel_(kernel), exactness_(exactness) {}

  std::string run() {
    for (const ComparedRegion &region : call_.regions) {
      const bool isBlock = region.header.kind == wire::RegionKind::Block || isFresh(&region);
      if (isBlock && region.reference)
        references_.add(region);
      if (isBlock && region.candidate)
        candidates_.add(region);
      if (isTyped(region))
        typed_.push_back(&region);
    }
    for (const ComparedRegion *region : typed_)
      compareTyped(*region);
    for (const ComparedRegion &region : call_.regions)
      if (region.reference && region.candidate && !isTyped(region))
        pairs_.push_back({&region, &region, homeOf(region)});
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      compareWords(pairs_[i]);
    for (const auto &[home, tally] : words_)
      if (tally.differing > 0)
        problems_.push_back(fmt::format("{}: {} of {} words differ", home, tally.differing, tally.total));
    return join(problems_, "; ");
  }

private:
  /// Two blocks, which may be the same one, and the path to them.
  struct Pair {
    const ComparedRegion *reference, *candidate;
    std::string home;
  };

  const GlueParameter *parameterOf(const wire::Region &region) const {
    const auto index = static_cast<std::size_t>(region.parameter);
    if (region.kind == wire::RegionKind::Result)
      return &kernel_.result;
    return region.parameter >= 0 && index < kernel_.parameters.size() ? &kernel_.parameters[index] : nullptr;
  }
  static std::size_t elementSizeOf(const GlueParameter &parameter) {
    return parameter.elementSize > 0 ? parameter.elementSize : parameter.size;
  }
  /// Returns whether the elements' type is known, and not just their size.
  bool isTyped(const ComparedRegion &region) const {
    const wire::Region &head = region.header;
    const GlueParameter *parameter = parameterOf(head);
    return (head.kind == wire::RegionKind::Elements || head.kind == wire::RegionKind::Result) && parameter &&
           region.reference && region.candidate && parameter->element != GlueParameter::Element::Bytes &&
           elementSizeOf(*parameter) > 0 && head.size % elementSizeOf(*parameter) == 0;
  }

  std::string homeOf(const ComparedRegion &region) const {
    if (region.header.kind == wire::RegionKind::Result)
      return "the result";
    const GlueParameter *parameter = parameterOf(region.header);
    return parameter ? "memory that '" + parameter->name + "' leads to" : "other memory of the program";
  }

  void compareTyped(const ComparedRegion &region) {
    const GlueParameter &parameter = *parameterOf(region.header);
    const bool isResult = region.header.kind == wire::RegionKind::Result;
    const std::size_t size = elementSizeOf(parameter);
    const OutputField field{isResult ? "result" : parameter.name, parameter.element, size, region.header.size};
    std::vector<std::byte> actual(region.candidate->begin(), region.candidate->end());
    std::vector<std::byte> expected(region.reference->begin(), region.reference->end());
    for (std::size_t i = 0; region.control && i < actual.size(); i += size)
      if (std::memcmp(region.control->data() + i, expected.data() + i, size) != 0)
        std::copy_n(expected.begin() + std::ptrdiff_t(i), size, actual.begin() + std::ptrdiff_t(i));
    expected.resize(wire::padded(expected.size()));
    actual.resize(expected.size());
    for (const Difference &difference : compareOutputs(std::span(&field, 1), expected, actual, exactness_))
      problems_.push_back(difference.text());
  }

  bool isCoveredByTyped(std::uint64_t address, std::size_t size) const {
    return std::ranges::any_of(typed_, [&](const ComparedRegion *region) {
      return address < region->header.address + region->header.size && region->header.address < address + size;
    });
  }

  void compareWords(Pair pair) { // a copy: the list grows
    const Bytes expected = *pair.reference->reference;
    std::vector<std::byte> patched(pair.candidate->candidate->begin(), pair.candidate->candidate->end());
    const std::size_t size = std::min(expected.size(), patched.size());
    const bool isOne = pair.reference == pair.candidate;
    const MemoryPair memory{pair.reference->header.address, expected.first(size), Bytes(patched).first(size)};
    Tally &tally = words_[pair.home];
    for (std::size_t at = 0, step = 0; at < size; at += step) {
      step = std::min<std::size_t>(8 - (memory.address + at) % 8, size - at);
      ++tally.total;
      if (isOne && isCoveredByTyped(memory.address + at, step))
        continue;
      // Fresh memory may have another address; its contents may not differ.
      const bool isFreshAddress = step == 8 && leadsToFresh(expected, at);
      if (isOne && !isFreshAddress && differsByItself(*pair.reference, at, step))
        continue;
      if (step == 8 && leadsToTheSame(pair, expected, patched, at))
        continue;
      if (!isFreshAddress && wordsAgree(memory, at, step, exactness_))
        continue;
      if (!isFreshAddress && isFresh(pair.reference)) { // words that the baseline did not write do not count
        for (std::size_t i = at; i < at + step; ++i)
          if (expected[i] == std::byte{wire::kFreshByte})
            patched[i] = expected[i];
        if (wordsAgree(memory, at, step, exactness_))
          continue;
      }
      ++tally.differing;
    }
  }

  static bool differsByItself(const ComparedRegion &region, std::size_t at, std::size_t size) {
    return region.control && std::memcmp(region.control->data() + at, region.reference->data() + at, size) != 0;
  }

  /// Two addresses, one of which points to fresh memory.
  struct Leads {
    const ComparedRegion *reference = nullptr, *candidate = nullptr;
    std::uint64_t offset = 0, otherOffset = 0; ///< into them
    bool isOne() const { return reference && candidate && (isFresh(reference) || isFresh(candidate)); }
    bool areEnds() const { return offset == reference->header.size && otherOffset == candidate->header.size; }
    bool isInTheSameAs(const Leads &other) const {
      return reference == other.reference && candidate == other.candidate;
    }
  };
  bool leadsToFresh(Bytes expected, std::size_t at) const {
    std::uint64_t address = 0;
    std::memcpy(&address, expected.data() + at, sizeof address);
    return isFresh(references_.find(address));
  }
  Leads leadsOf(Bytes expected, Bytes actual, std::size_t at) const {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, expected.data() + at, sizeof a);
    std::memcpy(&b, actual.data() + at, sizeof b);
    Leads leads{references_.find(a), candidates_.find(b)};
    if (leads.isOne()) {
      leads.offset = a - leads.reference->header.address;
      leads.otherOffset = b - leads.candidate->header.address;
    }
    return leads;
  }

  /// Returns whether both words are addresses, one of fresh memory, at the same offset in blocks that must have the
  /// same contents: those are compared later. A third such word in a row that points to the blocks' ends is a
  /// container's capacity, which may differ.
  bool leadsToTheSame(const Pair &pair, Bytes expected, Bytes actual, std::size_t at) {
    const Leads leads = leadsOf(expected, actual, at);
    if (!leads.isOne())
      return false;
    if (leads.offset != leads.otherOffset)
      return leads.areEnds() && at >= 16 && leads.isInTheSameAs(leadsOf(expected, actual, at - 8)) &&
             leads.isInTheSameAs(leadsOf(expected, actual, at - 16));
    if (seen_.insert({leads.reference, leads.candidate}).second)
      pairs_.push_back({leads.reference, leads.candidate, pair.home});
    return true;
  }

  const ComparedCall &call_;
  const GlueDescription &kernel_;
  const Exactness &exactness_;
  SideMap references_, candidates_;
  std::vector<const ComparedRegion *> typed_;
  std::vector<Pair> pairs_;
  std::set<std::pair<const ComparedRegion *, const ComparedRegion *>> seen_;
  std::map<std::string, Tally> words_;
  std::vector<std::string> problems_;
};

std::string endingText(const wire::Comparison &call) {
  switch (call.candidate) {
  case wire::Ending::Returned:
    return "it returns where the baseline throws an exception";
  case wire::Ending::Threw:
    return "it throws an exception where the baseline returns";
  case wire::Ending::TimedOut:
    return "it takes far longer than the baseline";
  case wire::Ending::Died:
    return call.signal > 0 ? fmt::format("it dies of signal {} where the baseline does not", call.signal)
                           : "it ends the process where the baseline does not";
  case wire::Ending::KeptState:
    return "it changes static memory of its own library, which outlives the call";
  case wire::Ending::NotStarted:
  case wire::Ending::NotLoadable:
    break;
  }
  return "its shared object cannot be loaded";
}

} // namespace

std::string whyNotComparable(const ComparedCall &call) {
  if (call.header.control == wire::Ending::NotStarted || call.header.candidate == wire::Ending::NotStarted)
    return "the program cannot be forked there";
  if (call.header.control == wire::Ending::NotLoadable)
    return "the shared object cannot be loaded there";
  if (call.header.control != call.header.reference)
    return "the unchanged kernel does not get through a call in a fork of the program";
  return {};
}

std::string differenceIn(const ComparedCall &call, const GlueDescription &kernel, const Exactness &exactness) {
  if (call.header.candidate != call.header.reference)
    return endingText(call.header);
  return call.header.reference == wire::Ending::Returned ? CallComparison(call, kernel, exactness).run()
                                                         : std::string();
}

} // namespace agentic
