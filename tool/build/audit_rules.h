// The symbols that a candidate's object may refer to, and the instructions that it may execute. Tables only; audit.cpp
// applies them.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

/// Returns whether the compiler itself or pure computation needs the symbol: the memcpy family, libm, run-time support
/// of the compiler.
bool isAllowedUndefined(std::string_view symbol);

/// Returns why an external symbol is forbidden and what to write instead: "allocates memory; use a fixed-size …".
std::string undefinedSymbolAdvice(std::string_view symbol);

/// The reasons for which instructions are forbidden.
namespace instruction_reasons {
inline constexpr std::string_view kKernelCall = "enters the operating system";
inline constexpr std::string_view kClock = "reads a clock or counter";
inline constexpr std::string_view kMode = "changes a processor mode that outlives the call";
inline constexpr std::string_view kMachine = "depends on the machine's state, not on the arguments";
inline constexpr std::string_view kCache = "manipulates caches or waits instead of computing";
} // namespace instruction_reasons

/// Returns why an x86 instruction is forbidden; empty if it is allowed. Other processors: instruction_rules.h.
std::string_view forbiddenInstruction(std::string_view mnemonic);

/// Returns whether an instruction writes past the caches, in an order of its own: an object with one needs a fence.
bool isUnorderedStore(std::string_view mnemonic);
bool isFence(std::string_view mnemonic);

/// Returns the qualified name alone, for lists of names: "_ZN6vendor4fastIfEET_S1_" → "vendor::fast".
std::string functionName(const std::string &symbol);

/// Demangles "_ZSt4sortIPiEvT_S1_" to "void std::sort<int*>(int*, int*)"; returns unmangled names unchanged.
std::string demangle(const std::string &symbol);

} // namespace agentic
