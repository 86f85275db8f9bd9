#include "tool/source/symbols/symbolizer.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/ObjectFile.h>

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace agentic {
namespace {

/// Where a part of the file is in memory, as the file itself sees it.
struct Segment {
  std::uint64_t offset = 0, size = 0, address = 0;
};

template <class T> bool readAt(std::ifstream &file, std::uint64_t offset, T &value) {
  file.seekg(static_cast<std::streamoff>(offset));
  return bool(file.read(reinterpret_cast<char *>(&value), sizeof value));
}

/// Empty for what is no 64-bit ELF file of this machine's byte order. LLVM's reader of headers is not for C++23.
std::vector<Segment> segmentsOf(const std::string &path) {
  std::vector<Segment> segments;
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file || !readAt(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
    return segments;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    if (!readAt(file, header.e_phoff + i * sizeof part, part))
      break;
    if (part.p_type == PT_LOAD)
      segments.push_back({part.p_offset, part.p_filesz, part.p_vaddr});
  }
  return segments;
}

std::string known(const std::string &text) {
  return text == llvm::DILineInfo::BadString || text == llvm::DILineInfo::Addr2LineBadString ? std::string() : text;
}

SymbolFrame frameOf(const llvm::DILineInfo &info) {
  SymbolFrame frame;
  frame.linkageName = withoutCloneSuffix(known(info.FunctionName));
  frame.name = llvm::demangle(frame.linkageName);
  const std::string start = known(info.StartFileName);
  frame.file = start.empty() ? known(info.FileName) : start;
  if (!frame.file.empty())
    frame.file = std::filesystem::path(frame.file).lexically_normal().string();
  frame.line = frame.file.empty() ? 0 : info.StartLine;
  return frame;
}

} // namespace

struct Symbolizer::State {
  State() : symbolizer(options()) {}

  static llvm::symbolize::LLVMSymbolizer::Options options() {
    llvm::symbolize::LLVMSymbolizer::Options options;
    options.Demangle = false; // names are matched as compilers write them
    return options;
  }

  std::optional<std::uint64_t> addressOf(const std::string &file, std::uint64_t offset) {
    auto [entry, isNew] = segments.try_emplace(file);
    if (isNew)
      entry->second = segmentsOf(file);
    for (const Segment &segment : entry->second)
      if (segment.offset <= offset && offset - segment.offset < segment.size)
        return segment.address + (offset - segment.offset);
    return std::nullopt;
  }

  llvm::symbolize::LLVMSymbolizer symbolizer;
  std::map<std::string, std::vector<Segment>> segments;
};

Symbolizer::Symbolizer() : state_(std::make_unique<State>()) {}
Symbolizer::~Symbolizer() = default;

std::vector<SymbolFrame> Symbolizer::framesAt(const std::string &file, std::uint64_t offset) {
  std::vector<SymbolFrame> frames;
  const std::optional<std::uint64_t> address = state_->addressOf(file, offset);
  if (!address)
    return frames;
  auto inlined = state_->symbolizer.symbolizeInlinedCode(
      file, {*address, static_cast<std::uint64_t>(llvm::object::SectionedAddress::UndefSection)});
  if (!inlined) {
    llvm::consumeError(inlined.takeError());
    return frames;
  }
  for (std::uint32_t i = 0; i < inlined->getNumberOfFrames(); ++i)
    frames.push_back(frameOf(inlined->getFrame(i)));
  return frames;
}

std::string withoutCloneSuffix(const std::string &linkageName) {
  const std::size_t dot = linkageName.find('.');
  return dot == std::string::npos || dot == 0 ? linkageName : linkageName.substr(0, dot);
}

} // namespace agentic
