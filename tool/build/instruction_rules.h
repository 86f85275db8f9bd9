// What instructions a kernel must not execute where it is not x86, and which disassembler shows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// How objects of a machine (an ELF file's e_machine) are read. No disassemblers: there are no rules for it, so nothing
/// can be said about its objects.
struct InstructionSet {
  std::vector<std::string> disassemblers; ///< the first that is installed
  std::vector<std::string> options;       ///< besides the usual ones
  std::string package;                    ///< Debian's, that holds the first
};
InstructionSet instructionSetOf(std::uint16_t machine);

/// Reason for which an instruction is forbidden, empty if it is allowed; as those disassemblers write it.
std::string_view forbiddenOnArm(std::string_view mnemonic, std::string_view operands);
std::string_view forbiddenOnRiscv(std::string_view mnemonic, std::string_view operands);

} // namespace agentic
