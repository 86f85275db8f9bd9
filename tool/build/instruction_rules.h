// What instructions a kernel must not execute where it is not x86, and which disassembler shows them.
#pragma once

#include <cstdint>
#include <string_view>

namespace agentic {

/// Of an ELF file's e_machine: the prefix of the GNU tools for it ("aarch64-linux-gnu-"), empty for the machine that
/// this runs on. `known` is false for machines without rules: nothing can be said about their objects.
struct InstructionSet {
  bool known = false;
  std::string_view toolPrefix; ///< Debian's
  std::string_view package;    ///< that holds them
};
InstructionSet instructionSetOf(std::uint16_t machine);

/// Reason for which an instruction is forbidden, empty if it is allowed; as the GNU disassembler writes it.
std::string_view forbiddenOnArm(std::string_view mnemonic, std::string_view operands);
std::string_view forbiddenOnRiscv(std::string_view mnemonic, std::string_view operands);

} // namespace agentic
