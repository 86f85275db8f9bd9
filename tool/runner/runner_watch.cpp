#include "tool/runner/runner_watch.h"

#include <algorithm>
#include <cstdint>
#include <sys/mman.h>

namespace agentic::runner {
namespace {

constexpr std::size_t kMostBytes = 64u << 20; // watching costs a fault per page, and a mapping per run of opened pages

} // namespace

void OutputWatch::arm(const std::vector<Region *> &regions) {
  wasRead_ = false;
  regions_.clear();
  std::size_t bytes = 0;
  for (const Region *region : regions)
    bytes += region->openBytes;
  if (bytes > kMostBytes)
    return;
  for (Region *region : regions)
    if (region->openBytes > 0 && ::mprotect(region->open, region->openBytes, PROT_NONE) == 0)
      regions_.push_back(region);
}

void OutputWatch::disarm() {
  for (const Region *region : regions_)
    ::mprotect(region->open, region->openBytes, PROT_READ | PROT_WRITE);
  regions_.clear();
}

bool OutputWatch::onAccess(const char *address, bool isWrite) {
  const bool isWatched = std::ranges::any_of(regions_, [&](const Region *region) {
    return address >= region->open && address < region->open + region->openBytes;
  });
  if (!isWatched)
    return false;
  wasRead_ = wasRead_ || !isWrite;
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(address) / pageBytes() * pageBytes();
  return ::mprotect(reinterpret_cast<void *>(page), pageBytes(), PROT_READ | PROT_WRITE) == 0;
}

} // namespace agentic::runner
