#include "tool/runner/recorder_regions.h"

#include "tool/runner/wire.h"

#include <algorithm>
#include <cstring>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace agentic::recorder {
namespace {

constexpr std::size_t kMostBlocks = std::size_t{1} << 20, kMostRegions = kMostBlocks + 4096;
constexpr std::size_t kMostStack = std::size_t{1} << 20, kMostStatic = std::size_t{16} << 20;

template <class T> bool reserve(T *&list, std::size_t count) {
  if (list)
    return true;
  void *memory = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1, 0); // the system provides pages as they are touched
  if (memory == MAP_FAILED)
    return false;
  list = static_cast<T *>(memory);
  return true;
}

/// Returns whether all of it is mapped: an extent can be wrong.
bool isMapped(const void *address, std::size_t size) {
  const std::uintptr_t page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address) / page * page;
  std::uintptr_t end = 0;
  return !__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(address), size, &end) &&
         ::msync(reinterpret_cast<void *>(begin), end - begin, MS_ASYNC) == 0;
}

struct StaticSearch {
  const void *glue; ///< its library is skipped, and the recorder's
  struct {
    const void *address;
    std::size_t size;
  } found[64];
  unsigned count = 0;
  std::size_t bytes = 0;
};

bool isSystems(const char *name) {
  for (const char *folder : {"/lib/", "/lib64/", "/usr/", "linux-vdso"})
    if (std::strncmp(name, folder, std::strlen(folder)) == 0)
      return true;
  return false;
}

int noteWritable(dl_phdr_info *object, std::size_t, void *data) {
  StaticSearch &search = *static_cast<StaticSearch *>(data);
  const auto holds = [&](const ElfW(Phdr) & segment, const void *address) {
    return reinterpret_cast<std::uintptr_t>(address) - (object->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
  };
  for (int i = 0; i < object->dlpi_phnum; ++i)
    if (const ElfW(Phdr) &segment = object->dlpi_phdr[i];
        *object->dlpi_name && segment.p_type == PT_LOAD &&
        (holds(segment, search.glue) || holds(segment, reinterpret_cast<const void *>(&noteWritable))))
      return 0;
  if (isSystems(object->dlpi_name))
    return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W) || search.count == 64 ||
        segment.p_memsz > kMostStatic - search.bytes)
      continue;
    search.bytes += segment.p_memsz;
    search.found[search.count++] = {reinterpret_cast<const void *>(object->dlpi_addr + segment.p_vaddr),
                                    segment.p_memsz};
  }
  return 0;
}

} // namespace

Regions &theRegions() {
  static Regions regions;
  return regions;
}

bool Regions::find(const PendingCall &call) {
  HeapBlock *blocks = nullptr;
  if (!reserve(regions_, kMostRegions) || !reserve(known_, kMostBlocks) || !reserve(queue_, kMostBlocks) ||
      !reserve(blocks, kMostBlocks))
    return false;
  count_ = bytes_ = queued_ = 0;
  isPartial_ = false;
  knownCount_ = heapBlocks(blocks, kMostBlocks, false);
  std::sort(blocks, blocks + knownCount_, [](const HeapBlock &a, const HeapBlock &b) { return a.address < b.address; });
  for (std::size_t i = 0; i < knownCount_; ++i)
    known_[i] = {blocks[i], -1, false};
  ::munmap(blocks, kMostBlocks * sizeof *blocks);

  if (call.result && call.glue->result.size > 0)
    add(wire::RegionKind::Result, -1, call.result, call.glue->result.size);
  for (unsigned i = 0; i < call.glue->parameterCount; ++i)
    addArgument(call, i);
  reachAll();
  addStack(call);
  addStatic(call);
  for (std::size_t i = 0; i < knownCount_; ++i)
    if (!known_[i].isReached)
      add(wire::RegionKind::Block, -1, reinterpret_cast<const void *>(known_[i].block.address), known_[i].block.size);
  return true;
}

bool Regions::add(wire::RegionKind kind, std::int32_t parameter, const void *address, std::size_t size) {
  if (size == 0)
    return true;
  if (count_ == kMostRegions || size > kMostBytes - bytes_) {
    isPartial_ = true;
    return false;
  }
  const Known *known = knownAt(reinterpret_cast<std::uintptr_t>(address));
  regions_[count_++] = {
      kind, parameter, reinterpret_cast<std::uintptr_t>(address), size, known ? known->block : HeapBlock{0, 0}, bytes_};
  bytes_ = std::min(kMostBytes, bytes_ + wire::padded(size));
  return true;
}

void Regions::addArgument(const PendingCall &call, unsigned index) {
  const agentic_parameter &parameter = call.glue->parameters[index];
  const auto number = static_cast<std::int32_t>(index);
  void *const argument = call.arguments[index];
  reach(argument, parameter.size, number);
  if (parameter.kind == AGENTIC_POINTER) {
    const void *elements = *static_cast<void *const *>(argument);
    const long long count = elements && parameter.extent ? parameter.extent(call.arguments) : 0;
    std::size_t bytes = elements && !parameter.extent ? heapRest(elements) : 0;
    if (count > 0 && __builtin_mul_overflow(static_cast<std::size_t>(count), parameter.elementSize, &bytes))
      return;
    if (bytes == 0 && elements && isMapped(elements, parameter.elementSize)) // an object in the caller's frame
      reach(elements, parameter.elementSize, number);
    if (bytes <= kMostBytes && isMapped(elements, bytes))
      add(wire::RegionKind::Elements, number, elements, bytes / parameter.elementSize * parameter.elementSize);
  } else if (parameter.kind == AGENTIC_RANGE) {
    const void *elements = nullptr;
    unsigned long count = 0;
    parameter.view(argument, &elements, &count);
    if (elements && count <= kMostBytes)
      add(wire::RegionKind::Elements, number, elements, count * parameter.elementSize);
    if (parameter.isReference)
      add(wire::RegionKind::Memory, number, argument, parameter.size);
  } else if (parameter.isReference && parameter.size > 0) {
    add(parameter.kind == AGENTIC_SCALAR ? wire::RegionKind::Elements : wire::RegionKind::Memory, number, argument,
        parameter.size);
  }
}

Regions::Known *Regions::knownAt(std::uintptr_t address) {
  Known *end = known_ + knownCount_;
  Known *after = std::upper_bound(known_, end, address,
                                  [](std::uintptr_t a, const Known &known) { return a < known.block.address; });
  if (after == known_)
    return nullptr;
  Known *known = after - 1;
  return address - known->block.address < known->block.size ? known : nullptr;
}

void Regions::reach(const void *memory, std::size_t size, std::int32_t parameter) {
  if (knownCount_ == 0)
    return;
  const HeapBlock &last = known_[knownCount_ - 1].block;
  const std::uintptr_t least = known_[0].block.address, most = last.address + last.size;
  const std::size_t skipped = (8 - reinterpret_cast<std::uintptr_t>(memory) % 8) % 8;
  for (std::size_t at = skipped; at + 8 <= size; at += 8) {
    std::uintptr_t word;
    std::memcpy(&word, static_cast<const char *>(memory) + at, sizeof word);
    if (word < least || word >= most)
      continue;
    Known *known = knownAt(word);
    if (!known || known->isReached)
      continue;
    known->isReached = true;
    known->parameter = parameter;
    queue_[queued_++] = static_cast<std::uint32_t>(known - known_);
  }
}

void Regions::reachAll() {
  for (std::size_t i = 0; i < queued_; ++i) {
    const Known &known = known_[queue_[i]];
    const void *memory = reinterpret_cast<const void *>(known.block.address);
    if (add(wire::RegionKind::Block, known.parameter, memory, known.block.size))
      reach(memory, known.block.size, known.parameter);
  }
}

void Regions::addStack(const PendingCall &call) {
  pthread_attr_t attributes;
  void *low = nullptr;
  std::size_t size = 0;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
    return;
  ::pthread_attr_getstack(&attributes, &low, &size);
  ::pthread_attr_destroy(&attributes);
  // From the frame that holds the arguments' addresses: the memory below is the call's own.
  const auto begin = reinterpret_cast<std::uintptr_t>(call.arguments);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(low) + size;
  // The system keeps its own data about a thread that is not the first one on its stack, too: they differ by fork.
  const auto own = static_cast<std::uintptr_t>(::pthread_self());
  if (own >= reinterpret_cast<std::uintptr_t>(low) && own < end)
    return;
  if (begin >= reinterpret_cast<std::uintptr_t>(low) && begin < end)
    add(wire::RegionKind::Memory, -1, call.arguments, std::min<std::size_t>(end - begin, kMostStack));
}

void Regions::addStatic(const PendingCall &call) {
  StaticSearch search{.glue = call.glue, .found = {}};
  ::dl_iterate_phdr(&noteWritable, &search);
  for (unsigned i = 0; i < search.count; ++i)
    add(wire::RegionKind::Memory, -1, search.found[i].address, search.found[i].size);
}

} // namespace agentic::recorder
