// Instructions of an object file that a kernel must not execute.
#pragma once

#include "tool/base/error.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct ForbiddenUse {
  std::string function;    ///< symbol that holds it; empty if the disassembly names none
  std::string instruction; ///< "rdtsc"
  std::string reason;      ///< "reads a clock or counter"
  std::string feature;     ///< of what is above the level: what it needs; empty otherwise
  bool operator==(const ForbiddenUse &) const = default;
};

/// What an object was compiled for. On x86-64 alone: elsewhere the disassembler does not tell instructions apart finely
/// enough, and the compiler's target is what bounds them.
struct InstructionLimits {
  std::string_view level;    ///< name; empty: instructions are not compared with a level
  std::string_view features; ///< Level::features
  /// Functions that the linker may use for code outside the variant, which runs on every processor: inline functions
  /// and instances of templates. Nothing but what every x86-64 processor has.
  std::set<std::string, std::less<>> shared;
};

/// Each (function, instruction) once, of what is above the level each (function, feature); in order of appearance.
/// `disassembly` is what `objdump -d --no-show-raw-insn` prints of an ELF file for `machine` (e_machine). Pure; linear.
std::vector<ForbiddenUse> forbiddenUses(std::string_view disassembly, std::uint16_t machine,
                                        const InstructionLimits &limits = {});

/// What objdump prints of `objectFile`. Errors as of scanInstructions.
Result<std::string> disassemble(const std::string &objectFile, std::uint16_t machine);

/// Runs objdump, that of the file's machine, on `objectFile`. Error: there is none, it could not read the file, or this
/// tool has no rules for that machine. About 10 ms.
Result<std::vector<ForbiddenUse>> scanInstructions(const std::string &objectFile, std::uint16_t machine,
                                                   const InstructionLimits &limits = {});

} // namespace agentic
