// Places of a parsed unit. Includes Clang: only coverage_*.cpp may include this.
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

/// Offsets of a range of the unit, as written.
struct Written {
  std::size_t begin = 0, end = 0;
  friend auto operator<=>(const Written &, const Written &) = default;
};

/// Locations of the unit to offsets; nullopt: in another file, or in a macro's body or arguments. Ends of ranges are
/// behind their last token; a statement's behind its semicolon.
class Places {
public:
  explicit Places(const clang::ASTContext &context) : context_(context) {}
  std::optional<std::size_t> offset(clang::SourceLocation location) const;
  std::optional<Written> range(clang::SourceRange range) const;
  std::optional<Written> statement(const clang::Stmt *statement) const;
  const clang::ASTContext &context() const { return context_; }

private:
  const clang::ASTContext &context_;
};

/// How a condition can come out, over all instantiations.
struct Outcomes {
  bool canBeTrue = false, canBeFalse = false;
  bool isConstant = true; ///< in each of them
};

/// What the instantiations and constant expressions say about the patterns.
struct Reach {
  std::map<Written, Outcomes> conditions;
  std::set<std::size_t> functions; ///< beginnings of bodies that run time can reach

  Outcomes of(std::optional<Written> condition) const {
    const auto found = condition ? conditions.find(*condition) : conditions.end();
    return found == conditions.end() ? Outcomes{true, true, false} : found->second;
  }
};

/// Whether a variable's initializer is evaluated by the compiler.
bool isConstantInitialised(const clang::VarDecl &variable, const clang::ASTContext &context);
/// A function's body as written, a function-try-block's inner one; null if there is none.
const clang::Stmt *bodyOf(const clang::FunctionDecl &function);
/// Every declaration at namespace scope that begins in the unit itself.
void forEachOwn(const clang::ASTContext &context, const std::function<void(clang::Decl *)> &visit);

Reach findReach(const clang::ASTContext &context);

/// A text that is put in at `at`. `peer` is the other end of what it encloses.
struct Insertion {
  std::size_t at = 0, peer = 0;
  bool closes = false;
  std::string text;
};

struct Found {
  struct Place {
    std::size_t at = 0; ///< where people look for it
    std::string what;
    Written guarded;
  };
  std::vector<Place> places; ///< number = index + 1: 0 is for what does not count
  std::vector<Insertion> insertions;
  std::vector<std::size_t> unmeasured; ///< offsets
  std::vector<std::size_t> hidden;     ///< offsets of uses of the candidate's own macros
};

/// `isOwn`: whether the candidate wrote what stands at that offset.
Found findPlaces(const clang::ASTContext &context, const Reach &reach, const std::function<bool(std::size_t)> &isOwn,
                 const std::function<unsigned(std::size_t)> &lineOf);

} // namespace agentic::coverage
