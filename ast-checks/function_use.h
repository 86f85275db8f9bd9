// Which function an expression uses, and what using it means. Shared by the checks calls, threads, allocation,
// io-and-clocks and self-call, so that each use is reported by exactly one of them.
#pragma once

#include <optional>
#include <string>

namespace clang {
class FunctionDecl;
class NamedDecl;
class SourceLocation;
class Stmt;
} // namespace clang

namespace agentic::checks {

class Context;

enum class Use { Legal, Self, Thread, Allocation, Io, Unlisted, Forbidden };

struct FunctionUse {
  Use use = Use::Legal;
  std::string name;       ///< qualified
  bool isLibrary = false; ///< neither of the unit nor of the baseline's project
};

/// The function that this one expression (not its children) calls or takes the address of; nullopt if there is none.
std::optional<FunctionUse> functionUse(const clang::Stmt &statement, const Context &context);

/// Where the use stands.
clang::SourceLocation useLocation(const clang::Stmt &statement);

/// Whether `function` carries the marker.
bool isMarked(const clang::FunctionDecl &function);

/// Whether `function` is the kernel itself, in the unit or in its original form.
bool isKernel(const clang::FunctionDecl &function, const Context &context);

} // namespace agentic::checks
