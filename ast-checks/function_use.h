// Finds the function that an expression uses, and the meaning of the use. Shared by the checks calls, threads,
// allocation, io-and-clocks and self-call, so that exactly one of them reports each use.
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
  bool isLibrary = false; ///< neither from the unit nor from the baseline's project
};

/// Returns the function that this one expression (not its children) calls or takes the address of; nullopt if there is
/// none.
std::optional<FunctionUse> functionUse(const clang::Stmt &statement, const Context &context);

/// Returns the location of the use.
clang::SourceLocation useLocation(const clang::Stmt &statement);

/// Returns whether `function` carries the marker.
bool isMarked(const clang::FunctionDecl &function);

/// Returns whether `function` is the kernel itself, in the unit or in its original form.
bool isKernel(const clang::FunctionDecl &function, const Context &context);

} // namespace agentic::checks
