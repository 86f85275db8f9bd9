// What a candidate's object may refer to, contain and execute. Tables only; audit.cpp applies them.
#pragma once

#include <string>
#include <string_view>

namespace agentic {

/// Symbols that the compiler itself or pure computation needs: the memcpy family, libm, run-time support of the
/// compiler.
bool isAllowedUndefined(std::string_view symbol);

/// Why a forbidden external symbol is forbidden and what to write instead: "allocates memory; use a fixed-size …".
std::string undefinedSymbolAdvice(std::string_view symbol);

/// Why instructions are forbidden.
namespace instruction_reasons {
inline constexpr std::string_view kKernelCall = "enters the operating system";
inline constexpr std::string_view kClock = "reads a clock or counter";
inline constexpr std::string_view kMode = "changes a processor mode that outlives the call";
inline constexpr std::string_view kMachine = "depends on the machine's state, not on the arguments";
inline constexpr std::string_view kCache = "manipulates caches or waits instead of computing";
} // namespace instruction_reasons

/// Of x86: reason for which an instruction is forbidden; empty if it is allowed. Others: instruction_rules.h.
std::string_view forbiddenInstruction(std::string_view mnemonic);

/// Whether an instruction writes past the caches, in an order of its own: an object that has one needs a fence.
bool isUnorderedStore(std::string_view mnemonic);
bool isFence(std::string_view mnemonic);

/// "_ZN6vendor4fastIfEET_S1_" → "vendor::fast": the qualified name alone, for lists of names.
std::string functionName(const std::string &symbol);

/// "_ZSt4sortIPiEvT_S1_" → "void std::sort<int*>(int*, int*)"; names that are not mangled come back unchanged.
std::string demangle(const std::string &symbol);

} // namespace agentic
