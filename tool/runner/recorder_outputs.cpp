#include "tool/runner/recorder_outputs.h"

#include "tool/runner/recorder_call.h"
#include "tool/runner/recorder_random.h"
#include "tool/runner/recorder_side.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <sys/mman.h>

namespace agentic::recorder {
namespace {

constexpr std::size_t kMostOutputBytes = std::size_t{32} << 20, kPieces = 8, kPieceBytes = 16;
constexpr double kSearchPatience = 2; ///< for finding them, in seconds

bool mayBeWritten(const PendingCall &call, const SeenRegion &region, const Regions &regions) {
  if (region.parameter < 0)
    return false;
  if (region.kind == wire::RegionKind::Elements)
    return call.glue->parameters[region.parameter].direction != AGENTIC_DIRECTION_IN;
  // A block that is an argument's own is there as that already.
  return region.kind == wire::RegionKind::Block && std::none_of(regions.begin(), regions.end(), [&](const auto &other) {
           return other.kind == wire::RegionKind::Elements && other.address - region.address < region.size;
         });
}

void fill(unsigned char *begin, std::size_t size, std::uint64_t seed, unsigned char inverted) {
  for (std::size_t i = 0; i < size; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    begin[i] = static_cast<unsigned char>(seed >> 56) ^ inverted;
  }
}

} // namespace

Outputs::Outputs(const PendingCall &call) {
  Regions &regions = theRegions();
  if (!regions.find(call))
    return;
  for (const SeenRegion &region : regions)
    if (mayBeWritten(call, region, regions))
      add(region);
  if (bytes_ == 0)
    return;
  void *memory = ::mmap(nullptr, 4 * bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  memory_ = static_cast<unsigned char *>(memory);
  find(call);
}

Outputs::~Outputs() {
  if (memory_)
    ::munmap(memory_, 4 * bytes_);
}

void Outputs::add(const SeenRegion &region) {
  if (count_ == kMost || region.size > kMostOutputBytes - bytes_)
    return;
  parts_[count_++] = {reinterpret_cast<unsigned char *>(region.address), region.size, bytes_};
  bytes_ += region.size;
}

int Outputs::tryCall(void *closure) {
  const Trial &trial = *static_cast<const Trial *>(closure);
  if (trial.filled)
    fill(trial.filled->begin, trial.filled->size, trial.seed, trial.inverted);
  try {
    callThrough(trial.call.glue, trial.call.function, trial.call.arguments, trial.call.result);
  } catch (...) {
    return 1;
  }
  for (const Part &part : trial.outputs)
    std::memcpy(trial.results + part.at, part.begin, part.size);
  return 0;
}

bool Outputs::run(const PendingCall &call, const Part *filled, std::uint64_t seed, unsigned char inverted,
                  unsigned char *results) const {
  Trial trial{*this, call, filled, seed, inverted, results};
  return runAside(&tryCall, &trial) == 0;
}

void Outputs::find(const PendingCall &call) {
  const double until = secondsNow() + kSearchPatience;
  if (!run(call, nullptr, 0, 0, results()))
    return;
  unsigned char *const one = results() + bytes_, *const other = one + bytes_;
  for (const Part &part : *this) {
    if (secondsNow() > until)
      break;
    const std::uint64_t seed = randomWord();
    if (!run(call, &part, seed, 0, one) || !run(call, &part, seed, 0xff, other))
      continue; // it holds what the call needs to find its way
    for (std::size_t i = part.at; i < part.at + part.size; ++i)
      if (one[i] == other[i] && one[i] == results()[i])
        mark(i) = 1, ++written_;
  }
}

/// Where most of it does not hold results yet, it does afterwards, as if the call had been made before.
void Outputs::putResults() const {
  std::size_t others = 0;
  for (const Part &part : *this)
    for (std::size_t i = 0; i < part.size; ++i)
      others += mark(part.at + i) && part.begin[i] != results()[part.at + i];
  if (2 * others <= written_)
    return;
  for (const Part &part : *this)
    for (std::size_t i = 0; i < part.size; ++i)
      if (mark(part.at + i))
        part.begin[i] = results()[part.at + i];
}

std::uint32_t Outputs::overwrite(bool isAll) const {
  if (written_ == 0)
    return 0;
  if (!isAll)
    putResults();
  // Pieces begin at so many bytes of what is written; a few of them lie where a candidate that looks at some of its
  // results does not look.
  std::size_t begins[kPieces];
  for (std::size_t &begin : begins)
    begin = randomWord() % written_;
  const auto isMeant = [&](std::size_t number) {
    return isAll || std::any_of(std::begin(begins), std::end(begins),
                                [&](std::size_t begin) { return number - begin < kPieceBytes; });
  };
  std::size_t number = 0;
  std::uint32_t overwritten = 0;
  const unsigned char garbage = static_cast<unsigned char>(0x81u | randomWord());
  for (const Part &part : *this)
    for (std::size_t i = 0; i < part.size; ++i)
      if (mark(part.at + i) && isMeant(number++)) {
        part.begin[i] ^= garbage;
        ++overwritten;
      }
  return overwritten;
}

} // namespace agentic::recorder
