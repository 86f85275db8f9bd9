// What a call writes whatever it finds there, for recorder_audit.h.
#include "tool/runner/recorder_audit.h"

#include "tool/runner/recorder_call.h"
#include "tool/runner/recorder_random.h"
#include "tool/runner/recorder_side.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <sys/mman.h>

namespace agentic::recorder {
namespace {

constexpr std::size_t kMostOutputs = 12, kMostOutputBytes = std::size_t{32} << 20;
constexpr std::size_t kPieces = 8, kPieceBytes = 16;
constexpr double kSearchPatience = 2; ///< for finding them, in seconds

struct Output {
  unsigned char *begin;
  std::size_t size, at; ///< `at`: its offset in a copy of all
};

/// Memory that a call may write: its arguments', and blocks that they lead to.
class Candidates {
public:
  explicit Candidates(const PendingCall &call) {
    Regions &regions = theRegions();
    if (!regions.find(call))
      return;
    for (const SeenRegion &region : regions)
      if (mayBeWritten(call, region, regions))
        add(region);
  }
  const Output *begin() const { return outputs_; }
  const Output *end() const { return outputs_ + count_; }
  std::size_t bytes() const { return bytes_; }

private:
  static bool mayBeWritten(const PendingCall &call, const SeenRegion &region, const Regions &regions) {
    if (region.parameter < 0)
      return false;
    if (region.kind == wire::RegionKind::Elements)
      return call.glue->parameters[region.parameter].direction != AGENTIC_DIRECTION_IN;
    // A block that is an argument's own is there as that already.
    return region.kind == wire::RegionKind::Block &&
           std::none_of(regions.begin(), regions.end(), [&](const auto &other) {
             return other.kind == wire::RegionKind::Elements && other.address - region.address < region.size;
           });
  }
  void add(const SeenRegion &region) {
    if (count_ == kMostOutputs || region.size > kMostOutputBytes - bytes_)
      return;
    outputs_[count_++] = {reinterpret_cast<unsigned char *>(region.address), region.size, bytes_};
    bytes_ += region.size;
  }

  Output outputs_[kMostOutputs];
  std::size_t count_ = 0, bytes_ = 0;
};

/// The call by the unchanged kernel, in a fork.
struct Trial {
  const PendingCall &call;
  const Candidates &outputs;
  const Output *filled;   ///< overwritten before the call; null: nothing is
  std::uint64_t seed;     ///< of what it is overwritten with
  unsigned char inverted; ///< 0xff: with the complement of that
  unsigned char *results; ///< of all outputs after the call
};

int tryCall(void *closure) {
  const Trial &trial = *static_cast<const Trial *>(closure);
  std::uint64_t word = trial.seed | 1;
  if (trial.filled)
    for (std::size_t i = 0; i < trial.filled->size; ++i) {
      word = word * 6364136223846793005u + 1442695040888963407u;
      trial.filled->begin[i] = static_cast<unsigned char>(word >> 56) ^ trial.inverted;
    }
  try {
    callThrough(trial.call.glue, trial.call.function, trial.call.arguments, trial.call.result);
  } catch (...) {
    return 1;
  }
  for (const Output &output : trial.outputs)
    std::memcpy(trial.results + output.at, output.begin, output.size);
  return 0;
}

/// Memory that forks share.
class Shared {
public:
  explicit Shared(std::size_t size) : size_(size) {
    void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    begin_ = memory == MAP_FAILED ? nullptr : static_cast<unsigned char *>(memory);
  }
  ~Shared() {
    if (begin_)
      ::munmap(begin_, size_);
  }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  unsigned char *get() const { return begin_; }

private:
  unsigned char *begin_;
  std::size_t size_;
};

/// Bytes that the call sets to the same value, whatever the memory around them held.
class Written {
public:
  Written(const PendingCall &call, const Candidates &outputs)
      : call_(call), outputs_(outputs), memory_(4 * std::max<std::size_t>(1, outputs.bytes())) {
    results_ = memory_.get(); // then those with one filling, those with the other, and the marks
    if (results_ && run(nullptr, 0, results_))
      find();
  }
  std::size_t count() const { return count_; }
  bool contains(std::size_t at) const { return mark(at) != 0; }

  /// Where most of it does not hold results yet, it does afterwards, as if the call had been made before.
  void settle() const {
    std::size_t others = 0;
    for (const Output &output : outputs_)
      for (std::size_t i = 0; i < output.size; ++i)
        others += contains(output.at + i) && output.begin[i] != results_[output.at + i];
    for (const Output &output : outputs_)
      for (std::size_t i = 0; i < output.size && 2 * others > count_; ++i)
        if (contains(output.at + i))
          output.begin[i] = results_[output.at + i];
  }

private:
  unsigned char &mark(std::size_t at) const { return results_[3 * outputs_.bytes() + at]; }

  bool run(const Output *filled, unsigned char inverted, unsigned char *results) {
    Trial trial{call_, outputs_, filled, seed_, inverted, results};
    return runAside(&tryCall, &trial) == 0;
  }

  void find() {
    unsigned char *const one = results_ + outputs_.bytes(), *const other = one + outputs_.bytes();
    const double until = secondsNow() + kSearchPatience;
    for (const Output &output : outputs_) {
      if (secondsNow() > until)
        break;
      seed_ = randomWord();
      if (!run(&output, 0, one) || !run(&output, 0xff, other))
        continue; // it holds what the call needs to find its way
      for (std::size_t i = output.at; i < output.at + output.size; ++i)
        if (one[i] == other[i] && one[i] == results_[i])
          mark(i) = 1, ++count_;
    }
  }

  const PendingCall &call_;
  const Candidates &outputs_;
  Shared memory_;
  unsigned char *results_ = nullptr;
  std::size_t count_ = 0;
  std::uint64_t seed_ = 0;
};

} // namespace

std::uint32_t overwriteOutputs(const PendingCall &call, bool isAll) {
  const Candidates outputs(call);
  const Written written(call, outputs);
  if (written.count() == 0)
    return 0;
  if (!isAll)
    written.settle();
  // Pieces begin at so many bytes of what is written; a few of them lie where a candidate that looks at some of its
  // results does not look.
  std::size_t begins[kPieces];
  for (std::size_t &begin : begins)
    begin = randomWord() % written.count();
  const auto isMeant = [&](std::size_t number) {
    return isAll || std::any_of(std::begin(begins), std::end(begins),
                                [&](std::size_t begin) { return number - begin < kPieceBytes; });
  };
  std::size_t number = 0;
  std::uint32_t overwritten = 0;
  const unsigned char garbage = static_cast<unsigned char>(0x81u | randomWord());
  for (const Output &output : outputs)
    for (std::size_t i = 0; i < output.size; ++i)
      if (written.contains(output.at + i) && isMeant(number++)) {
        output.begin[i] ^= garbage;
        ++overwritten;
      }
  return overwritten;
}

} // namespace agentic::recorder
