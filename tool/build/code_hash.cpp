#include "tool/build/code_hash.h"

#include "tool/base/hash.h"

#include <elf.h>

#include <algorithm>
#include <tuple>

namespace agentic {
namespace {

bool isCode(const ElfSection &section) {
  return (section.flags & SHF_ALLOC) != 0 &&
         (section.name.starts_with(".text") || section.name.starts_with(".rodata") ||
          section.name.starts_with(".data.rel.ro"));
}

} // namespace

std::string codeHash(const ElfFile &file) {
  HashBuilder hash;
  for (std::size_t i = 0; i < file.sections.size(); ++i) {
    const ElfSection &section = file.sections[i];
    if (!isCode(section) || section.size == 0)
      continue;
    hash.add(section.name).add(section.bytes);
    std::vector<ElfRelocation> relocations;
    std::copy_if(file.relocations.begin(), file.relocations.end(), std::back_inserter(relocations),
                 [&](const ElfRelocation &r) { return r.section == i; });
    std::sort(relocations.begin(), relocations.end(), [](const ElfRelocation &a, const ElfRelocation &b) {
      return std::tie(a.offset, a.type, a.symbol, a.addend) < std::tie(b.offset, b.type, b.symbol, b.addend);
    });
    for (const ElfRelocation &relocation : relocations) {
      const ElfSymbol &symbol = file.symbols[relocation.symbol];
      const bool local = symbol.binding == STB_LOCAL && symbol.section < file.sections.size();
      hash.add(std::to_string(relocation.offset)).add(std::to_string(relocation.type));
      hash.add(local ? file.sections[symbol.section].name : symbol.name);
      hash.add(std::to_string(relocation.addend + (local ? static_cast<std::int64_t>(symbol.value) : 0)));
    }
  }
  return hash.hex();
}

std::size_t codeBytes(const ElfFile &file) {
  std::size_t bytes = 0;
  for (const ElfSection &section : file.sections)
    bytes += isCode(section) ? section.bytes.size() : 0;
  return bytes;
}

} // namespace agentic
