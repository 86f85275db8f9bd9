// A small reader of 64-bit little-endian ELF files. The input is hostile: every offset, size, index and string is
// checked against the file before it is used, and a file that contradicts itself is an error, never a crash.
#pragma once

#include "tool/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct ElfSection {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0, info = 0;
  std::string_view bytes; ///< into ElfFile::bytes; empty for SHT_NOBITS
};

struct ElfSymbol {
  std::string name;
  unsigned char binding = 0, type = 0, visibility = 0;
  std::uint32_t section = 0; ///< index; SHN_UNDEF, SHN_ABS, SHN_COMMON as in the standard
  std::uint64_t value = 0, size = 0;
};

struct ElfRelocation {
  std::uint32_t section = 0; ///< the section that is patched
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0; ///< index into ElfFile::symbols
  std::int64_t addend = 0;
};

/// Owns the file's bytes; not copyable, because the sections point into them.
struct ElfFile {
  ElfFile() = default;
  ElfFile(ElfFile &&) = default;
  ElfFile &operator=(ElfFile &&) = default;
  ElfFile(const ElfFile &) = delete;
  ElfFile &operator=(const ElfFile &) = delete;

  std::vector<char> bytes;
  std::uint16_t type = 0, machine = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;         ///< of SHT_SYMTAB (relocatable files)
  std::vector<ElfRelocation> relocations; ///< of SHT_RELA sections that use SHT_SYMTAB
};

/// Parses an ELF file; `what` names it in errors. Cost: one pass over the headers and symbols.
Result<ElfFile> parseElf(std::vector<char> bytes, const std::string &what);
Result<ElfFile> readElf(const std::string &path);

/// The data by which the loader finds libraries: DT_NEEDED and the search path of DT_RUNPATH or DT_RPATH.
struct ElfDynamic {
  std::vector<std::string> needed;
  std::string runPath;
};
Result<ElfDynamic> elfDynamic(const ElfFile &file, const std::string &what);

} // namespace agentic
