// Finds the places of a parsed unit. Includes Clang: only coverage_*.cpp may include this.
#pragma once

#include "tool/source/coverage/coverage.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace agentic::coverage {

/// The offsets of a range of the unit, as written.
struct Written {
  std::size_t begin = 0, end = 0;
  friend auto operator<=>(const Written &, const Written &) = default;
};

/// Maps locations of the unit to offsets; nullopt for a location in another file, or in a macro's body or arguments.
/// The end of a range is after its last token, of a statement after its semicolon.
class Places {
public:
  explicit Places(const clang::ASTContext &context) : context_(context) {}
  std::optional<std::size_t> offset(clang::SourceLocation location) const;
  std::optional<Written> range(clang::SourceRange range) const;
  std::optional<Written> statement(const clang::Stmt *statement) const;
  /// Returns the begin of the first of the lines of `#pragma` directly in front of a statement that begins at `at`:
  /// they must stay there, also those that Clang does not know; `at` if there are none.
  std::size_t withPragmas(std::size_t at) const;
  const clang::ASTContext &context() const { return context_; }

private:
  const clang::ASTContext &context_;
};

/// The possible results of a condition, over all instantiations.
struct Outcomes {
  bool canBeTrue = false, canBeFalse = false;
  bool isConstant = true; ///< in each instantiation
};

/// The facts from instantiations and constant expressions about the patterns.
struct Reach {
  std::map<Written, Outcomes> conditions;
  std::set<std::size_t> functions; ///< begins of bodies that can run at run time

  Outcomes of(std::optional<Written> condition) const {
    const auto found = condition ? conditions.find(*condition) : conditions.end();
    return found == conditions.end() ? Outcomes{true, true, false} : found->second;
  }
};

/// Returns whether the compiler evaluates a variable's initializer.
bool isConstantInitialised(const clang::VarDecl &variable, const clang::ASTContext &context);
/// Returns a function's body as written, the inner one of a function-try-block; null if there is none.
const clang::Stmt *bodyOf(const clang::FunctionDecl &function);
/// Visits every declaration at namespace scope that begins in the unit itself.
void forEachOwn(const clang::ASTContext &context, const std::function<void(clang::Decl *)> &visit);

Reach findReach(const clang::ASTContext &context);

/// A text to insert at `at`. `peer` is the insertion at the other end of the enclosed text.
struct Insertion {
  std::size_t at = 0, peer = 0;
  bool closes = false;
  std::string text;
};

struct Found {
  struct Place {
    std::size_t at = 0; ///< the offset to show to people
    std::string what;
    Written guarded;
  };
  std::vector<Place> places; ///< number = index + 1: 0 marks code that does not count
  std::vector<Insertion> insertions;
  std::vector<std::size_t> unmeasured; ///< offsets
  std::vector<std::size_t> hidden;     ///< offsets of uses of the candidate's own macros
};

/// Finds the places. `isOwn` returns whether the candidate wrote the text at an offset.
Found findPlaces(const clang::ASTContext &context, const Reach &reach, const std::function<bool(std::size_t)> &isOwn,
                 const std::function<unsigned(std::size_t)> &lineOf);

} // namespace agentic::coverage
