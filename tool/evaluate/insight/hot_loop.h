// Finds the loop of a disassembly that most of a kernel's time is likely to be spent in. Pure; a guess, by structure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// One instruction; the views refer to the disassembly.
struct AssemblyLine {
  std::uint64_t address = 0;
  std::string_view mnemonic, operands; ///< without prefixes and comments after '#'
  std::uint64_t target = 0;            ///< target of a jump within the object
  bool isJump = false;
};

struct AssemblyFunction {
  std::string_view name;
  std::vector<AssemblyLine> lines; ///< in order of addresses
};

/// Parses the output of `objdump -d --no-show-raw-insn` or llvm-objdump. Linear.
std::vector<AssemblyFunction> parseDisassembly(std::string_view text);

struct HotLoop {
  std::string function;
  std::vector<AssemblyLine> lines; ///< from the target of the back edge to the jump; empty: there is no loop
  int depth = 0;                   ///< loops around it
  int loops = 0;                   ///< number of back-edge targets in the function
};

/// Returns the innermost loop that is nested deepest; among equals the one with the widest vectors, then the longest.
/// It searches `symbol` and the parts that the compiler split off ("symbol.cold"); if those have no loop, all
/// functions. n log n in the instructions.
HotLoop hotLoopOf(const std::vector<AssemblyFunction> &functions, std::string_view symbol);

/// Returns the loop as text, back jumps marked, at most `most` lines: "  30:  vmovups (%rdi,%rax,1),%ymm4".
std::string annotatedLoop(const HotLoop &loop, std::size_t most);

/// Returns the bytes of the widest vector register that an operand names: 64, 32, 16 or 0.
int vectorBytes(std::string_view operands);

} // namespace agentic
