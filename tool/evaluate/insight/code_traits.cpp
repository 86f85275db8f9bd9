#include "tool/evaluate/insight/code_traits.h"

#include "tool/build/elf.h"
#include "tool/build/instructions.h"
#include "tool/evaluate/insight/instruction_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <elf.h>

namespace agentic {
namespace {

bool looksUp(const AssemblyLine &line) {
  constexpr std::string_view kLookUps[] = {"gather", "pshufb",  "vpermd",  "vpermps",   "vpermb",
                                           "vpermw", "vpermi2", "vpermt2", "vpermilps", "vpermilpd"};
  return std::ranges::any_of(kLookUps, [&](std::string_view part) { return line.mnemonic.find(part) != part.npos; }) &&
         line.operands.find('$') != 0; // a constant order of lanes is no table
}

} // namespace

std::vector<std::string> codeTraits(const HotLoop &loop) {
  if (loop.lines.empty())
    return {};
  const InstructionMix mix = mixOf(loop.lines);
  const int moved = mix.loads + mix.stores - mix.spillLoads - mix.spillStores;
  std::vector<std::string> traits = {5 * moved >= 2 * mix.instructions ? "memory" : "compute"};
  traits.push_back(mix.widestVector > 0 ? fmt::format("vectors of {}", mix.widestVector) : "scalar");
  if (std::ranges::any_of(loop.lines, looksUp))
    traits.emplace_back("table");
  if (loop.depth >= 2)
    traits.emplace_back("blocks");
  if (mix.branches <= 1)
    traits.emplace_back("no branches");
  return traits;
}

Result<std::vector<std::string>> codeTraitsOf(const std::string &objectFile, const std::string &symbol) {
  const auto file = TRY(readElf(objectFile));
  if (file.machine != EM_X86_64)
    return std::vector<std::string>();
  const std::string disassembly = TRY(disassemble(objectFile, file.machine));
  return codeTraits(hotLoopOf(parseDisassembly(disassembly), symbol));
}

} // namespace agentic
