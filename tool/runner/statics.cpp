#include "tool/runner/statics.h"

#include "tool/runner/wire.h"

#include <cstddef>
#include <link.h>
#include <unistd.h>

namespace agentic {
namespace {

struct Search {
  std::uintptr_t inside;
  std::uint64_t sum;
};

bool holds(const dl_phdr_info &object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && address - object.dlpi_addr - segment.p_vaddr < segment.p_memsz)
      return true;
  }
  return false;
}

int addObject(dl_phdr_info *object, std::size_t, void *at) {
  Search &search = *static_cast<Search *>(at);
  if (!holds(*object, search.inside))
    return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W))
      continue;
    const std::uintptr_t page = static_cast<std::uintptr_t>(::getpagesize()),
                         first = object->dlpi_addr + segment.p_vaddr;
    const std::uintptr_t begin = first / page * page, end = (first + segment.p_memsz + page - 1) / page * page;
    search.sum = search.sum * 31 + wire::hashBytes(reinterpret_cast<const char *>(begin), end - begin);
  }
  return 1;
}

} // namespace

std::uint64_t staticsAround(const void *function) {
  Search search{reinterpret_cast<std::uintptr_t>(function), 0};
  ::dl_iterate_phdr(&addObject, &search);
  return search.sum;
}

} // namespace agentic
