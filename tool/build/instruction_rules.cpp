#include "tool/build/instruction_rules.h"

#include "tool/base/text.h"
#include "tool/build/audit_rules.h"

#include <elf.h>

#include <algorithm>
#include <initializer_list>

namespace agentic {
namespace {

constexpr std::string_view kThread = "accesses thread-local memory";

bool startsWithOneOf(std::string_view word, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return word.starts_with(prefix); });
}
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace

InstructionSet instructionSetOf(std::uint16_t machine) {
#if defined(__aarch64__)
  constexpr std::uint16_t kHere = EM_AARCH64;
#elif defined(__riscv)
  constexpr std::uint16_t kHere = EM_RISCV;
#else
  constexpr std::uint16_t kHere = EM_X86_64;
#endif
  // GNU's reads the instructions of a region with another target as data, since the file as a whole does not name them.
  if (machine == EM_RISCV)
    return {{"llvm-objdump-19", "llvm-objdump-18", "llvm-objdump-17", "llvm-objdump-16", "llvm-objdump"},
            {"--mattr=+v"},
            "llvm-19"};
  if (machine == kHere)
    return {{"objdump"}, {"-w"}, "binutils"};
  if (machine == EM_AARCH64)
    return {{"aarch64-linux-gnu-objdump"}, {"-w"}, "binutils-aarch64-linux-gnu"};
  if (machine == EM_X86_64)
    return {{"x86_64-linux-gnu-objdump"}, {"-w"}, "binutils-x86-64-linux-gnu"};
  return {};
}

std::string_view forbiddenOnArm(std::string_view mnemonic, std::string_view operands) {
  if (isOneOf(mnemonic, {"svc", "hvc", "smc", "eret", "drps", "dcps1", "dcps2", "dcps3"}))
    return instruction_reasons::kKernelCall;
  if (mnemonic == "mrs") {
    if (contains(operands, "tpidr"))
      return kThread;
    if (contains(operands, "cntvct") || contains(operands, "cntpct") || contains(operands, "pmccntr") ||
        contains(operands, "pmevcntr"))
      return instruction_reasons::kClock;
    return contains(operands, "nzcv") ? std::string_view() : instruction_reasons::kMachine;
  }
  if (mnemonic == "msr")
    return contains(operands, "nzcv") ? std::string_view() : instruction_reasons::kMode;
  if (isOneOf(mnemonic, {"smstart", "smstop", "tstart", "tcancel", "tcommit"}))
    return instruction_reasons::kMode;
  if (isOneOf(mnemonic, {"dc", "ic", "at", "tlbi", "sys", "sysl", "wfe", "wfi", "wfet", "wfit", "sev", "sevl"}))
    return instruction_reasons::kCache;
  if (isOneOf(mnemonic, {"hlt", "udf", ".inst", "ttest"}))
    return instruction_reasons::kMachine;
  return {};
}

std::string_view forbiddenOnRiscv(std::string_view mnemonic, std::string_view operands) {
  if (isOneOf(mnemonic, {"ecall", "mret", "sret", "uret"}))
    return instruction_reasons::kKernelCall;
  if (startsWithOneOf(mnemonic, {"rdcycle", "rdtime", "rdinstret"}))
    return instruction_reasons::kClock;
  if (mnemonic == "csrr" || mnemonic == "csrrs") // a stack frame of scalable vectors reads vlenb
    return operands.ends_with("vlenb") ? std::string_view() : instruction_reasons::kMachine;
  if (isOneOf(mnemonic, {"frcsr", "frrm", "frflags"}))
    return instruction_reasons::kMachine;
  if (mnemonic.starts_with("csr") || startsWithOneOf(mnemonic, {"fscsr", "fsrm", "fsflags"}))
    return instruction_reasons::kMode;
  if (startsWithOneOf(mnemonic, {"fence.i", "sfence", "hfence", "cbo.", "wfi", "wrs.", "pause"}))
    return instruction_reasons::kCache;
  if (startsWithOneOf(mnemonic, {"<unknown>", ".insn", ".2byte", ".4byte", ".8byte"}))
    return instruction_reasons::kMachine;
  if (operands.ends_with("(tp)") || operands.ends_with(", tp") || contains(operands, ", tp,"))
    return kThread;
  return {};
}

} // namespace agentic
