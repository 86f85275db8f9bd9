#include "tool/build/instructions.h"

#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/audit_rules.h"

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
  void line(std::string_view text) {
    if (text.ends_with(">:")) {
      const std::size_t open = text.find('<');
      if (open != std::string_view::npos)
        function_ = text.substr(open + 1, text.size() - open - 3);
      return;
    }
    const std::size_t tab = text.find(":\t");
    if (tab != std::string_view::npos)
      instruction(trim(text.substr(tab + 2)));
  }
  std::vector<ForbiddenUse> take() {
    if (!isFenced_)
      for (const auto &[function, store] : stores_)
        add(function, store, "writes past the cache and no sfence or mfence follows");
    return std::move(uses_);
  }

private:
  void instruction(std::string_view text) {
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
  }
  void add(std::string_view function, std::string_view instruction, std::string_view reason) {
    ForbiddenUse use{std::string(function), std::string(instruction), std::string(reason)};
    if (std::find(uses_.begin(), uses_.end(), use) == uses_.end())
      uses_.push_back(std::move(use));
  }

  std::string_view function_;
  std::vector<std::pair<std::string_view, std::string_view>> stores_; ///< function and instruction
  bool isFenced_ = false;
  std::vector<ForbiddenUse> uses_;
};

} // namespace

std::vector<ForbiddenUse> forbiddenUses(std::string_view disassembly) {
  Scanner scanner;
  while (!disassembly.empty()) {
    const std::size_t end = std::min(disassembly.find('\n'), disassembly.size());
    scanner.line(disassembly.substr(0, end));
    disassembly.remove_prefix(std::min(end + 1, disassembly.size()));
  }
  return scanner.take();
}

Result<std::vector<ForbiddenUse>> scanInstructions(const std::string &objectFile) {
  const auto objdump = findProgram("objdump");
  if (!objdump)
    return userError("objdump is not in PATH: the instructions of candidates cannot be checked",
                     "install the package 'binutils'");
  ProcessSpec spec;
  spec.argv = {*objdump, "-d", "--no-show-raw-insn", "-w", objectFile};
  spec.addedEnvironment = {{"LC_ALL", "C"}};
  spec.outputCapBytes = std::size_t{64} << 20;
  spec.timeoutSeconds = 30;
  spec.limits.addressSpaceBytes = std::uint64_t{2} << 30;
  auto result = runProcess(spec);
  if (!result)
    return std::unexpected(result.error());
  if (!result->ok() || result->truncated)
    return userError("objdump could not disassemble '" + objectFile + "': it " +
                         (result->truncated ? std::string("printed more than 64 MiB") : result->describe()),
                     "simplify the candidate, or update binutils");
  return forbiddenUses(result->out);
}

} // namespace agentic
