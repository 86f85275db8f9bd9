// The loop of a disassembly that most of a kernel's time is likely to be spent in. Pure; a guess, by structure alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// One instruction; the views are of the disassembly.
struct AssemblyLine {
  std::uint64_t address = 0;
  std::string_view mnemonic, operands; ///< without prefixes, comments behind '#' cut off
  std::uint64_t target = 0;            ///< of a jump within the object
  bool isJump = false;
};

struct AssemblyFunction {
  std::string_view name;
  std::vector<AssemblyLine> lines; ///< in order of addresses
};

/// As `objdump -d --no-show-raw-insn` prints it, or llvm-objdump. Linear.
std::vector<AssemblyFunction> parseDisassembly(std::string_view text);

struct HotLoop {
  std::string function;
  std::vector<AssemblyLine> lines; ///< from the target of the back edge to the jump; empty: there is no loop
  int depth = 0;                   ///< loops around it
  int loops = 0;                   ///< back-edge targets in the function
};

/// The innermost loop that is nested deepest, among those the one with the widest vectors, then the longest; of
/// `symbol` and the parts that the compiler split off ("symbol.cold"), or, if those have no loop, of any function.
/// n log n in the instructions.
HotLoop hotLoopOf(const std::vector<AssemblyFunction> &functions, std::string_view symbol);

/// The loop as text, jumps back marked, at most `most` lines: "  30:  vmovups (%rdi,%rax,1),%ymm4".
std::string annotatedLoop(const HotLoop &loop, std::size_t most);

/// Bytes of the widest vector register that an operand names: 64, 32, 16 or 0.
int vectorBytes(std::string_view operands);

} // namespace agentic
