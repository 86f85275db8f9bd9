#include "tool/evaluate/insight/hot_loop.h"

#include "tool/base/text.h"
#include "tool/evaluate/insight/instruction_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

namespace agentic {
namespace {

std::optional<std::uint64_t> hexNumber(std::string_view text) {
  if (text.starts_with("0x"))
    text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

bool isPrefixWord(std::string_view word) {
  return word == "lock" || word == "notrack" || word == "bnd" || word == "data16" || word == "cs" || word == "{vex}" ||
         word.starts_with("rep") || word.starts_with("rex");
}

/// x86: every word that begins with j; elsewhere the branches with a target, calls excepted.
bool isJumpWord(std::string_view word) {
  if (word.starts_with('j'))
    return !word.starts_with("jal");
  return word == "b" || word.starts_with("b.") || word == "cbz" || word == "cbnz" || word == "tbz" || word == "tbnz" ||
         word.starts_with("beq") || word.starts_with("bne") || word.starts_with("blt") || word.starts_with("bge") ||
         word.starts_with("bgt") || word.starts_with("ble");
}

/// "30 <dot+0x30>", "w0, 30 <dot+0x30>".
std::optional<std::uint64_t> targetOf(std::string_view operands) {
  std::string_view place = trim(operands.substr(0, operands.find(" <")));
  const std::size_t last = place.find_last_of(", \t");
  return hexNumber(last == place.npos ? place : place.substr(last + 1));
}

std::optional<AssemblyLine> parseLine(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos)
    return std::nullopt;
  const auto address = hexNumber(trim(line.substr(0, colon)));
  std::string_view rest = trim(line.substr(colon + 1));
  if (!address || rest.empty())
    return std::nullopt;
  AssemblyLine result{.address = *address};
  do {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    result.mnemonic = rest.substr(0, end);
    rest = trim(rest.substr(end));
  } while (isPrefixWord(result.mnemonic) && !rest.empty());
  // Arm writes immediates with '#': a comment has a blank on both sides.
  result.operands = trim(rest.substr(0, std::min(rest.find("# "), rest.size())));
  if (isJumpWord(result.mnemonic))
    if (const auto target = targetOf(result.operands)) {
      result.isJump = true;
      result.target = *target;
    }
  return result;
}

struct Interval {
  std::size_t begin = 0, end = 0; ///< indices of instructions, both inclusive
  int depth = 0;
  bool isInnermost = true;
};

/// Finds one loop per target of backward jumps, with its depth.
std::vector<Interval> loopsOf(const AssemblyFunction &function) {
  std::map<std::size_t, std::size_t> ends; // several jumps to one place are one loop
  for (std::size_t i = 0; i < function.lines.size(); ++i) {
    const AssemblyLine &line = function.lines[i];
    if (!line.isJump || line.target > line.address || function.lines.front().address > line.target)
      continue;
    const auto found = std::ranges::lower_bound(function.lines, line.target, {}, &AssemblyLine::address);
    if (found != function.lines.end() && found->address == line.target)
      ends[static_cast<std::size_t>(found - function.lines.begin())] = i;
  }
  std::vector<Interval> loops;
  std::vector<std::size_t> around;
  for (const auto &[begin, end] : ends) {
    while (!around.empty() && loops[around.back()].end < begin)
      around.pop_back();
    if (!around.empty())
      loops[around.back()].isInnermost = false;
    loops.push_back({begin, end, static_cast<int>(around.size()), true});
    around.push_back(loops.size() - 1);
  }
  return loops;
}

void better(HotLoop &best, std::tuple<int, int, std::size_t> &score, const AssemblyFunction &function) {
  const std::vector<Interval> loops = loopsOf(function);
  // Innermost loops do not overlap, so that all of them together are no longer than the function.
  for (const Interval &loop : loops) {
    const std::size_t length = loop.end - loop.begin + 1;
    if (!loop.isInnermost)
      continue;
    int width = 0;
    for (std::size_t i = loop.begin; i <= loop.end; ++i)
      width = std::max(width, isScalarFloat(function.lines[i]) ? 4 : vectorBytes(function.lines[i].operands));
    const std::tuple now(loop.depth, width, length);
    if (!best.lines.empty() && now <= score)
      continue;
    score = now;
    best = {.function = std::string(function.name),
            .lines = {},
            .depth = loop.depth,
            .loops = static_cast<int>(loops.size())};
    best.lines.assign(function.lines.begin() + static_cast<std::ptrdiff_t>(loop.begin),
                      function.lines.begin() + static_cast<std::ptrdiff_t>(loop.end) + 1);
  }
}

} // namespace

std::vector<AssemblyFunction> parseDisassembly(std::string_view text) {
  std::vector<AssemblyFunction> functions;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::size_t open = line.find('<'); line.ends_with(">:") && open != line.npos) {
      functions.push_back({line.substr(open + 1, line.size() - open - 3), {}});
      continue;
    }
    if (functions.empty())
      continue;
    if (const auto parsed = parseLine(line))
      functions.back().lines.push_back(*parsed);
  }
  return functions;
}

HotLoop hotLoopOf(const std::vector<AssemblyFunction> &functions, std::string_view symbol) {
  HotLoop best;
  std::tuple<int, int, std::size_t> score;
  for (const bool ownOnly : {true, false}) {
    for (const AssemblyFunction &function : functions)
      if (!function.lines.empty() && (!ownOnly || function.name.substr(0, function.name.find('.')) == symbol))
        better(best, score, function);
    if (!best.lines.empty())
      break;
  }
  return best;
}

std::string annotatedLoop(const HotLoop &loop, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, loop.lines.size()); ++i) {
    const AssemblyLine &line = loop.lines[i];
    std::vector<std::string> remarks = remarksOn(line);
    if (line.isJump && line.target == loop.lines.front().address)
      remarks.push_back("back to the start");
    const std::string shown(line.isJump ? line.operands.substr(0, line.operands.find(" <")) : line.operands);
    text += fmt::format("{:>6x}:  {:<12} {}", line.address, line.mnemonic, shown);
    text += remarks.empty() ? "\n" : "   ; " + join(remarks, ", ") + "\n";
  }
  if (loop.lines.size() > most)
    text += fmt::format("        and {} more\n", loop.lines.size() - most);
  return text;
}

int vectorBytes(std::string_view operands) {
  return operands.find("%zmm") != operands.npos   ? 64
         : operands.find("%ymm") != operands.npos ? 32
         : operands.find("%xmm") != operands.npos ? 16
                                                  : 0;
}

} // namespace agentic
