#include "tool/evaluate/differential/compared_calls.h"

#include "tool/evaluate/differential/record_reader.h"
#include "tool/runner/wire.h"

namespace agentic {
namespace {

std::unexpected<Error> brokenComparison(std::string_view what) {
  return bugError("compared calls cannot be read: " + std::string(what));
}

Result<ComparedCall> readComparedCall(const wire::Comparison &header, std::string_view body) {
  ComparedCall call{header, {}};
  RecordReader reader(body);
  for (const wire::Ending ending : {header.reference, header.candidate, header.control})
    if (ending > wire::Ending::KeptState)
      return brokenComparison("a call ended in no known way");
  for (std::uint32_t i = 0; i < header.regionCount; ++i) {
    ComparedRegion region;
    wire::Region &head = region.header;
    if (!reader.read(head) || head.kind > wire::RegionKind::Fresh || head.sides > 7 ||
        head.address + head.size < head.address)
      return brokenComparison("a region is of no known kind");
    std::optional<std::span<const std::byte>> *const sides[] = {&region.reference, &region.candidate, &region.control};
    for (unsigned side = 0; side < 3; ++side)
      if (head.sides & 1u << side)
        if (*sides[side] = reader.payload(head.size); !*sides[side])
          return brokenComparison("a region is longer than its call");
    call.regions.push_back(std::move(region));
  }
  if (reader.left() != 0)
    return brokenComparison("a call's parts and its length contradict each other");
  return call;
}

} // namespace

Result<std::vector<ComparedCall>> readComparisons(std::string_view bytes) {
  return readRecords<wire::Comparison, ComparedCall>(bytes, wire::kComparisonsMagic, readComparedCall,
                                                     brokenComparison);
}

} // namespace agentic
