// Instructions of an object file that a kernel must not execute.
#pragma once

#include "tool/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct ForbiddenUse {
  std::string function;    ///< symbol that holds it; empty if the disassembly names none
  std::string instruction; ///< "rdtsc"
  std::string reason;      ///< "reads a clock or counter"
  bool operator==(const ForbiddenUse &) const = default;
};

/// Each (function, instruction) once, in order of appearance. `disassembly` is what
/// `objdump -d --no-show-raw-insn` prints of an ELF file for `machine` (e_machine). Pure; linear.
std::vector<ForbiddenUse> forbiddenUses(std::string_view disassembly, std::uint16_t machine);

/// Runs objdump, that of the file's machine, on `objectFile`. Error: there is none, it could not read the file, or this
/// tool has no rules for that machine. About 10 ms.
Result<std::vector<ForbiddenUse>> scanInstructions(const std::string &objectFile, std::uint16_t machine);

} // namespace agentic
