#include "tool/evaluate/insight/instruction_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace agentic {
namespace {

bool holdsOneOf(std::string_view word, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return word.find(part) != word.npos; });
}

/// Returns the text after the last comma outside parentheses: AT&T's destination.
std::string_view lastOperand(std::string_view operands) {
  int depth = 0;
  for (std::size_t i = operands.size(); i-- > 0;) {
    depth += operands[i] == ')' ? 1 : operands[i] == '(' ? -1 : 0;
    if (operands[i] == ',' && depth == 0)
      return operands.substr(i + 1);
  }
  return operands;
}

struct Access {
  bool loads = false, stores = false, isStack = false;
};

Access accessOf(const AssemblyLine &line) {
  const std::string_view word = line.mnemonic;
  if (line.operands.find('(') == line.operands.npos || word.starts_with("lea") || word.starts_with("nop") ||
      word.starts_with("prefetch") || line.isJump)
    return {};
  Access access;
  access.isStack = line.operands.find("(%rsp") != line.operands.npos;
  const std::string_view last = lastOperand(line.operands);
  const bool intoMemory = last.find('(') != last.npos;
  const bool onlyReads = word.starts_with("cmp") || word.starts_with("test") || word.starts_with("call") ||
                         holdsOneOf(word, {"comis"}) || last.size() == line.operands.size();
  const bool onlyWrites = word.starts_with("mov") || word.starts_with("vmov") || word.starts_with("set") ||
                          holdsOneOf(word, {"extract", "pextr", "scatter", "compress", "vpmov"});
  access.stores = intoMemory && !onlyReads;
  access.loads = !access.stores || !onlyWrites;
  return access;
}

/// Returns the bytes of one element: 4 or 8; 0 if the word is not float arithmetic.
int floatBytes(std::string_view word) {
  return word.ends_with("ps") || word.ends_with("ss") ? 4 : word.ends_with("pd") || word.ends_with("sd") ? 8 : 0;
}

double flopsOf(const AssemblyLine &line) {
  const std::string_view word = line.mnemonic;
  const int element = floatBytes(word);
  if (!element)
    return 0;
  const double lanes = isScalarFloat(line) ? 1 : double(vectorBytes(line.operands)) / element;
  if (holdsOneOf(word, {"fmadd", "fmsub", "fnmadd", "fnmsub"}))
    return 2 * lanes;
  return holdsOneOf(word, {"add", "sub", "mul", "div", "min", "max", "sqrt"}) ? lanes : 0;
}

double bytesOf(const AssemblyLine &line) {
  if (isScalarFloat(line) || line.mnemonic.ends_with("broadcastss") || line.mnemonic.ends_with("broadcastsd"))
    return floatBytes(line.mnemonic);
  if (const int vector = vectorBytes(line.operands))
    return vector;
  return line.operands.find("%r") != line.operands.npos && line.operands.find("%e") == line.operands.npos ? 8 : 4;
}

bool isDivision(std::string_view word) {
  return holdsOneOf(word, {"div", "sqrt"});
}

bool isShuffle(const AssemblyLine &line) {
  return vectorBytes(line.operands) > 0 &&
         holdsOneOf(line.mnemonic, {"shuf", "perm", "unpck", "punpck", "broadcast", "extract", "insert", "pack",
                                    "align", "movhl", "movlh", "pextr", "pinsr"});
}

} // namespace

bool isScalarFloat(const AssemblyLine &line) {
  const std::string_view word = line.mnemonic;
  return (word.ends_with("ss") || word.ends_with("sd")) && !word.ends_with("broadcastss") &&
         !word.ends_with("broadcastsd") && line.operands.find("%xmm") != line.operands.npos;
}

InstructionMix mixOf(std::span<const AssemblyLine> lines) {
  InstructionMix mix;
  for (const AssemblyLine &line : lines) {
    const int width = vectorBytes(line.operands);
    const bool isScalar = isScalarFloat(line);
    ++mix.instructions;
    mix.scalarFloat += isScalar;
    mix.vector += width > 0 && !isScalar;
    if (!isScalar)
      mix.widestVector = std::max(mix.widestVector, width);
    mix.branches += line.isJump || line.mnemonic.starts_with('j');
    mix.calls += line.mnemonic.starts_with("call");
    mix.divisions += isDivision(line.mnemonic);
    mix.shuffles += isShuffle(line);
    mix.flops += flopsOf(line);
    const Access access = accessOf(line);
    mix.loads += access.loads;
    mix.stores += access.stores;
    if (access.isStack) {
      mix.spillLoads += access.loads;
      mix.spillStores += access.stores;
    } else if (access.loads || access.stores) {
      mix.bytes += bytesOf(line) * (int(access.loads) + int(access.stores));
    }
  }
  return mix;
}

std::string mixText(const InstructionMix &mix) {
  std::string text = fmt::format(
      "{} instructions: {} vector{}, {} scalar float, {} loads, {} stores, {} branches, {} calls, "
      "{} divisions or roots, {} shuffles\n",
      mix.instructions, mix.vector, mix.widestVector ? fmt::format(" (at most {} bits)", 8 * mix.widestVector) : "",
      mix.scalarFloat, mix.loads, mix.stores, mix.branches, mix.calls, mix.divisions, mix.shuffles);
  text += fmt::format("spills: {} loads from and {} stores to the stack\n", mix.spillLoads, mix.spillStores);
  text += fmt::format("one pass: {:g} floating-point operations, {:g} bytes loaded or stored\n", mix.flops, mix.bytes);
  return text;
}

std::vector<std::string> remarksOn(const AssemblyLine &line) {
  std::vector<std::string> remarks;
  const Access access = accessOf(line);
  if (access.isStack)
    remarks.push_back(access.stores ? "stack store" : "stack load");
  if (isDivision(line.mnemonic))
    remarks.push_back("division or root");
  if (isScalarFloat(line))
    remarks.push_back("scalar float");
  if (isShuffle(line))
    remarks.push_back("shuffle");
  if (line.mnemonic.starts_with("call"))
    remarks.push_back("call");
  return remarks;
}

} // namespace agentic
