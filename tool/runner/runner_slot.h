// The memory of one slot in one layout: the arguments of its last call between guards. It stays until the slot is used
// again or evicted, so that the same arguments get the same addresses, and late writes are seen.
#pragma once

#include "tool/runner/runner_memory.h"
#include "tool/runner/runner_plan.h"

#include <map>
#include <memory>
#include <vector>

namespace agentic::runner {

struct Span {
  const char *data = nullptr;
  std::size_t bytes = 0;
};

class Slot {
public:
  Slot(const agentic_glue &glue, std::size_t guardBytes, wire::Layout layout);
  Slot(const Slot &) = delete;
  Slot &operator=(const Slot &) = delete;
  ~Slot();

  /// Places and fills everything for one call. Alignments follow the types; if the contract's requirements do not hold
  /// with them, the recorded address modulo 64, then modulo a page.
  void prepare(const PlannedCall &call, const PlannedStep &step);
  /// Fills the memory that the kernel writes once more, for the next of many calls of the same step.
  void refill();
  bool needsRefill() const;

  void *const *arguments() const { return handed_.data(); }

  /// Write-protects the memory that the call must not write, and remembers the bytes beside the memory that it may
  /// write.
  void protect();
  /// Returns wire::kInputs and kMargins if they apply.
  std::uint32_t check() const;
  /// Returns the regions that hold Out elements and nothing else, for OutputWatch.
  std::vector<Region *> outputRegions();
  /// Returns the elements of every Out and InOut argument as they are now.
  std::vector<Span> outputs() const;

  /// Ends a call: the slot's content must not change any more.
  void seal();
  /// Returns whether the content changed since seal(); false if nothing was sealed.
  bool hasChanged() const;

  /// Finds the argument of an address; leaves `argument` at -1 if it is in none of the buffers and guards. Safe in a
  /// signal handler.
  void locate(const char *address, std::int64_t &argument, std::int64_t &offset) const;

  std::size_t mappedBytes() const;
  std::uint64_t lastUse = 0;

private:
  /// An argument in the present call.
  struct Argument {
    const agentic_parameter *parameter = nullptr;
    const PlannedArgument *planned = nullptr;
    wire::Role role = wire::Role::Value;
    char *placed = nullptr;   ///< payload's place in its region; null for values
    char *elements = nullptr; ///< the elements that the kernel sees: for containers a copy of `placed`
    void *object = nullptr;   ///< object of a range
    bool isContainer = false;
    std::size_t firstBlock = 0, blockCount = 0; ///< blocks of the heap: the object, then its elements
  };
  /// Bytes that must stay as they are during a call.
  struct Watched {
    const char *address;
    std::vector<char> before;
    bool isInput;
  };

  void place(const Group &group, std::size_t leastAlignment);
  void fill(bool onlyWritten);
  void fillOut(std::uint32_t number);
  void applyPatches(bool onlyWritten);
  void hand();
  void makeRange(Argument &argument);
  void endRanges();
  void watch(const Region &region, const std::vector<std::uint32_t> &arguments);
  void watchBlocks(const Argument &argument);
  void watchBytes(const char *begin, const char *end, bool isInput);
  bool isWritten(const Argument &argument) const;
  std::uint64_t hash() const;

  const agentic_glue &glue_;
  const std::size_t guardBytes_;
  const wire::Layout layout_;
  const PlannedCall *call_ = nullptr;
  const PlannedStep *step_ = nullptr;
  std::map<std::uint32_t, Region> regions_;              ///< key: the group's first argument
  std::map<std::uint32_t, const char *> previousPlaces_; ///< places of the previous call's arguments with memory
  std::vector<Argument> arguments_;
  std::vector<std::vector<std::max_align_t>> values_; ///< storage of arguments passed by value
  std::vector<void *> handed_;
  GuardedHeap heap_;
  std::vector<Watched> watched_;
  std::uint64_t sealed_ = 0;
  bool isSealed_ = false;
};

} // namespace agentic::runner
