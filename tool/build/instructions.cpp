#include "tool/build/instructions.h"

#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/audit_rules.h"
#include "tool/build/instruction_rules.h"
#include "tool/build/level_instructions.h"

#include <elf.h>

#include <algorithm>
#include <array>

namespace agentic {
namespace {

constexpr std::array<std::string_view, 19> kPrefixes = {"lock", "rep",    "repz",   "repe", "repnz", "repne", "notrack",
                                                        "bnd",  "data16", "addr32", "cs",   "ds",    "es",    "ss",
                                                        "fs",   "gs",     "rex.W",  "rex",  "{vex}"};

bool isPrefix(std::string_view word) {
  return word.starts_with("rex.") || std::find(kPrefixes.begin(), kPrefixes.end(), word) != kPrefixes.end();
}

/// Thread-local memory through a segment register keeps state; only the stack protector's guard is read that way.
bool touchesSegment(std::string_view operands) {
  for (std::string_view segment : {"%fs", "%gs"}) {
    const std::size_t position = operands.find(segment);
    if (position != std::string_view::npos && !operands.substr(position).starts_with("%fs:0x28"))
      return true;
  }
  return false;
}

class Scanner {
public:
  Scanner(std::uint16_t machine, const InstructionLimits &limits) : machine_(machine), limits_(limits) {}
  void line(std::string_view text) {
    if (text.ends_with(">:")) {
      const std::size_t open = text.find('<');
      if (open != std::string_view::npos)
        function_ = text.substr(open + 1, text.size() - open - 3);
      // A compiler's own parts of a function are "f.cold", "f.part.0".
      isShared_ = limits_.shared.contains(function_.substr(0, function_.find('.')));
      return;
    }
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view address = trim(text.substr(0, colon));
    if (!address.empty() && address.find_first_not_of("0123456789abcdef") == std::string_view::npos)
      instruction(trim(text.substr(colon + 1)));
  }
  std::vector<ForbiddenUse> take() {
    if (!isFenced_)
      for (const auto &[function, store] : stores_)
        add(function, store, "writes past the cache and no sfence or mfence follows");
    return std::move(uses_);
  }

private:
  void instruction(std::string_view text) {
    if (machine_ == EM_X86_64)
      return x86(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    std::string_view operands = trim(text.substr(end));
    for (std::string_view comment : {"//", "\t;", "#"}) // Arm writes immediates with #
      if (comment != "#" || machine_ != EM_AARCH64)
        operands = trim(operands.substr(0, std::min(operands.find(comment), operands.size())));
    const std::string_view reason =
        machine_ == EM_AARCH64 ? forbiddenOnArm(word, operands) : forbiddenOnRiscv(word, operands);
    if (!reason.empty())
      add(function_, word, reason);
  }
  void x86(std::string_view text) {
    std::string_view word;
    do {
      const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
      word = text.substr(0, end);
      text = trim(text.substr(end));
    } while (isPrefix(word) && !text.empty());
    if (const std::string_view reason = forbiddenInstruction(word); !reason.empty())
      add(function_, word, reason);
    else if (isUnorderedStore(word))
      stores_.emplace_back(function_, word);
    else if (isFence(word))
      isFenced_ = true;
    else if (touchesSegment(text.substr(0, std::min(text.find('#'), text.size()))))
      add(function_, word, "accesses thread-local memory through a segment register");
    else if (!limits_.level.empty())
      compare(word, text.substr(0, std::min(text.find('#'), text.size())));
  }
  void compare(std::string_view word, std::string_view operands) {
    const std::string_view feature = x86FeatureOf(word, operands);
    if (isFeatureOf(feature, isShared_ ? std::string_view() : limits_.features))
      return;
    const auto isKnown = [&](const ForbiddenUse &use) { return use.function == function_ && use.feature == feature; };
    if (std::ranges::any_of(uses_, isKnown))
      return;
    std::string reason = "needs " + std::string(feature);
    reason += isShared_
                  ? ", but the linker may use this function for code that runs on every processor; call a function "
                    "of the candidate's own instead"
                  : ", which is not in " + std::string(limits_.level);
    uses_.push_back({std::string(function_), std::string(word), std::move(reason), std::string(feature)});
  }
  void add(std::string_view function, std::string_view instruction, std::string_view reason) {
    ForbiddenUse use{std::string(function), std::string(instruction), std::string(reason), {}};
    if (std::find(uses_.begin(), uses_.end(), use) == uses_.end())
      uses_.push_back(std::move(use));
  }

  const std::uint16_t machine_;
  const InstructionLimits &limits_;
  std::string_view function_;
  bool isShared_ = false;
  std::vector<std::pair<std::string_view, std::string_view>> stores_; ///< function and instruction
  bool isFenced_ = false;
  std::vector<ForbiddenUse> uses_;
};

} // namespace

std::vector<ForbiddenUse> forbiddenUses(std::string_view disassembly, std::uint16_t machine,
                                        const InstructionLimits &limits) {
  Scanner scanner(machine, limits);
  while (!disassembly.empty()) {
    const std::size_t end = std::min(disassembly.find('\n'), disassembly.size());
    scanner.line(disassembly.substr(0, end));
    disassembly.remove_prefix(std::min(end + 1, disassembly.size()));
  }
  return scanner.take();
}

Result<std::string> disassemble(const std::string &objectFile, std::uint16_t machine) {
  const InstructionSet set = instructionSetOf(machine);
  if (set.disassemblers.empty())
    return userError("'" + objectFile + "' is for a machine (ELF number " + std::to_string(machine) +
                         ") whose instructions this tool has no rules for",
                     "tune for x86-64, aarch64 or riscv64");
  std::optional<std::string> objdump;
  for (const std::string &name : set.disassemblers)
    if (!objdump)
      objdump = findProgram(name);
  const std::string &name = set.disassemblers.front();
  if (!objdump)
    return userError(name + " is not in PATH: the instructions of candidates cannot be checked",
                     "install the package '" + set.package + "'");
  ProcessSpec spec;
  spec.argv = {*objdump, "-d", "--no-show-raw-insn"};
  spec.argv.insert(spec.argv.end(), set.options.begin(), set.options.end());
  spec.argv.push_back(objectFile);
  spec.addedEnvironment = {{"LC_ALL", "C"}};
  spec.outputCapBytes = std::size_t{64} << 20;
  spec.timeoutSeconds = 30;
  spec.limits.addressSpaceBytes = std::uint64_t{2} << 30;
  auto result = TRY(runProcess(spec));
  if (!result.ok() || result.truncated)
    return userError(name + " could not disassemble '" + objectFile + "': it " +
                         (result.truncated ? std::string("printed more than 64 MiB") : result.describe()),
                     "simplify the candidate, or update binutils");
  return std::move(result.out);
}

Result<std::vector<ForbiddenUse>> scanInstructions(const std::string &objectFile, std::uint16_t machine,
                                                   const InstructionLimits &limits) {
  const std::string text = TRY(disassemble(objectFile, machine));
  return forbiddenUses(text, machine, limits);
}

} // namespace agentic
