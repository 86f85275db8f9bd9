#include "tool/build/elf.h"

#include "tool/base/files.h"

#include <elf.h>

#include <cstring>

namespace agentic {
namespace {

std::unexpected<Error> broken(const std::string &what, const std::string &reason) {
  return userError(what + ": not a valid ELF file: " + reason, "delete it and build it again");
}

/// Reads a T at `offset`; nullopt when it does not lie inside `bytes`.
template <class T> std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::optional<std::string_view> range(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size)
    return std::nullopt;
  return bytes.substr(offset, size);
}

std::optional<std::string> stringAt(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size())
    return std::nullopt;
  const std::size_t end = table.find('\0', offset);
  if (end == std::string_view::npos)
    return std::nullopt;
  return std::string(table.substr(offset, end - offset));
}

Result<void> readSections(ElfFile &file, const Elf64_Ehdr &header, const std::string &what) {
  const std::string_view bytes(file.bytes.data(), file.bytes.size());
  if (header.e_shoff == 0)
    return {};
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    return broken(what, "section header size");
  const auto first = at<Elf64_Shdr>(bytes, header.e_shoff);
  if (!first)
    return broken(what, "section headers outside the file");
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first->sh_size;
  const std::uint64_t names = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first->sh_link;
  if (count > bytes.size() / sizeof(Elf64_Shdr) || names >= count)
    return broken(what, "section count");
  std::vector<Elf64_Shdr> headers(count);
  const auto table = range(bytes, header.e_shoff, count * sizeof(Elf64_Shdr));
  if (!table)
    return broken(what, "section headers outside the file");
  std::memcpy(headers.data(), table->data(), table->size());
  const auto nameTable = range(bytes, headers[names].sh_offset, headers[names].sh_size);
  if (!nameTable)
    return broken(what, "section names outside the file");
  for (const Elf64_Shdr &section : headers) {
    ElfSection out;
    const auto name = stringAt(*nameTable, section.sh_name);
    if (!name)
      return broken(what, "section name");
    out.name = *name;
    out.type = section.sh_type;
    out.flags = section.sh_flags;
    out.size = section.sh_size;
    out.link = section.sh_link;
    out.info = section.sh_info;
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL) {
      const auto content = range(bytes, section.sh_offset, section.sh_size);
      if (!content)
        return broken(what, "section '" + out.name + "' outside the file");
      out.bytes = *content;
    }
    file.sections.push_back(std::move(out));
  }
  return {};
}

/// Section index of symbol `index` when st_shndx says that it is too large for its field.
std::optional<std::uint32_t> extendedIndex(const ElfFile &file, std::size_t symbolTable, std::size_t index) {
  for (const ElfSection &section : file.sections)
    if (section.type == SHT_SYMTAB_SHNDX && section.link == symbolTable)
      return at<std::uint32_t>(section.bytes, index * sizeof(std::uint32_t));
  return std::nullopt;
}

Result<void> readSymbols(ElfFile &file, std::size_t tableIndex, const std::string &what) {
  const ElfSection &table = file.sections[tableIndex];
  if (table.link >= file.sections.size() || table.bytes.size() % sizeof(Elf64_Sym) != 0)
    return broken(what, "symbol table");
  const std::string_view names = file.sections[table.link].bytes;
  const std::size_t count = table.bytes.size() / sizeof(Elf64_Sym);
  for (std::size_t i = 0; i < count; ++i) {
    const Elf64_Sym raw = *at<Elf64_Sym>(table.bytes, i * sizeof(Elf64_Sym));
    ElfSymbol symbol;
    if (raw.st_name != 0) {
      const auto name = stringAt(names, raw.st_name);
      if (!name)
        return broken(what, "symbol name");
      symbol.name = *name;
    }
    symbol.binding = ELF64_ST_BIND(raw.st_info);
    symbol.type = ELF64_ST_TYPE(raw.st_info);
    symbol.visibility = ELF64_ST_VISIBILITY(raw.st_other);
    symbol.section = raw.st_shndx;
    if (raw.st_shndx == SHN_XINDEX) {
      const auto extended = extendedIndex(file, tableIndex, i);
      if (!extended)
        return broken(what, "extended section index");
      symbol.section = *extended;
    }
    const bool reserved = raw.st_shndx >= SHN_LORESERVE && raw.st_shndx != SHN_XINDEX;
    if (!reserved && symbol.section >= file.sections.size())
      return broken(what, "section of symbol '" + symbol.name + "'");
    symbol.value = raw.st_value;
    symbol.size = raw.st_size;
    file.symbols.push_back(std::move(symbol));
  }
  return {};
}

Result<void> readRelocations(ElfFile &file, const ElfSection &table, const std::string &what) {
  if (table.info >= file.sections.size() || table.bytes.size() % sizeof(Elf64_Rela) != 0)
    return broken(what, "relocation table '" + table.name + "'");
  for (std::size_t offset = 0; offset < table.bytes.size(); offset += sizeof(Elf64_Rela)) {
    const Elf64_Rela raw = *at<Elf64_Rela>(table.bytes, offset);
    ElfRelocation relocation;
    relocation.section = table.info;
    relocation.offset = raw.r_offset;
    relocation.type = static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info));
    relocation.symbol = static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info));
    relocation.addend = raw.r_addend;
    if (relocation.symbol >= file.symbols.size() || relocation.offset >= file.sections[table.info].size)
      return broken(what, "relocation in '" + table.name + "'");
    file.relocations.push_back(relocation);
  }
  return {};
}

} // namespace

Result<ElfFile> parseElf(std::vector<char> bytes, const std::string &what) {
  ElfFile file;
  file.bytes = std::move(bytes);
  const auto header = at<Elf64_Ehdr>(std::string_view(file.bytes.data(), file.bytes.size()), 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return broken(what, "no ELF header");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return broken(what, "not 64-bit little-endian");
  file.type = header->e_type;
  file.machine = header->e_machine;
  TRY(readSections(file, *header, what));
  std::optional<std::size_t> symbolTable;
  for (std::size_t i = 0; i < file.sections.size(); ++i) {
    if (file.sections[i].type != SHT_SYMTAB)
      continue;
    if (symbolTable)
      return broken(what, "two symbol tables");
    symbolTable = i;
    TRY(readSymbols(file, i, what));
  }
  if (file.type != ET_REL)
    return file;
  for (const ElfSection &section : file.sections) {
    if (section.type == SHT_REL)
      return broken(what, "relocations without addends");
    if (section.type != SHT_RELA)
      continue;
    if (!symbolTable || section.link != *symbolTable)
      return broken(what, "relocations of an unknown symbol table");
    TRY(readRelocations(file, section, what));
  }
  return file;
}

Result<ElfFile> readElf(const std::string &path) {
  auto text = TRY(readFile(path));
  return parseElf(std::vector<char>(text.begin(), text.end()), path);
}

Result<ElfDynamic> elfDynamic(const ElfFile &file, const std::string &what) {
  ElfDynamic out;
  std::string legacyPath;
  for (const ElfSection &section : file.sections) {
    if (section.type != SHT_DYNAMIC)
      continue;
    if (section.link >= file.sections.size())
      return broken(what, "dynamic string table");
    const std::string_view names = file.sections[section.link].bytes;
    for (std::size_t offset = 0; offset + sizeof(Elf64_Dyn) <= section.bytes.size(); offset += sizeof(Elf64_Dyn)) {
      const Elf64_Dyn entry = *at<Elf64_Dyn>(section.bytes, offset);
      if (entry.d_tag == DT_NULL)
        break;
      if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RUNPATH && entry.d_tag != DT_RPATH)
        continue;
      const auto text = stringAt(names, entry.d_un.d_val);
      if (!text)
        return broken(what, "dynamic string");
      if (entry.d_tag == DT_NEEDED)
        out.needed.push_back(*text);
      else
        (entry.d_tag == DT_RUNPATH ? out.runPath : legacyPath) = *text;
    }
  }
  if (out.runPath.empty())
    out.runPath = legacyPath;
  return out;
}

} // namespace agentic
