// The instructions that a kernel must not execute on processors other than x86, and the disassembler that shows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The way to disassemble objects of a machine (an ELF file's e_machine). Without disassemblers there are no rules, and
/// its objects cannot be judged.
struct InstructionSet {
  std::vector<std::string> disassemblers; ///< the first installed one is used
  std::vector<std::string> options;       ///< added to the usual ones
  std::string package;                    ///< Debian package of the first disassembler
};
InstructionSet instructionSetOf(std::uint16_t machine);

/// Returns why an instruction, as those disassemblers write it, is forbidden; empty if it is allowed.
std::string_view forbiddenOnArm(std::string_view mnemonic, std::string_view operands);
std::string_view forbiddenOnRiscv(std::string_view mnemonic, std::string_view operands);

} // namespace agentic
