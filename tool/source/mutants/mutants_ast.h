// Finds the sites of mutants in the AST of a kernel. Includes Clang: only mutants_*.cpp may include this.
#pragma once

#include "tool/source/mutants/mutants_sites.h"
#include "tool/source/nest/ast.h"

#include <optional>
#include <string>
#include <string_view>

namespace agentic::mutants {

using moves::Range;

/// Collects sites, and returns the text of expressions written in the kernel.
class SiteList {
public:
  SiteList(const KernelSpec &spec, const MutantOptions &options, const clang::ASTContext &context,
           const moves::TextMap &map)
      : spec(spec), options(options), context(context), map_(map) {}

  const KernelSpec &spec;
  const MutantOptions &options;
  const clang::ASTContext &context;

  /// Returns whether a token is in the kernel's own text, not in a macro's body or argument.
  bool isWritten(clang::SourceLocation location) const { return location.isFileID() && map_.offset(location); }
  std::optional<std::size_t> offset(clang::SourceLocation location) const { return map_.offset(location); }
  std::optional<Range> range(const clang::Stmt *statement) const {
    return statement ? map_.range(statement->getSourceRange()) : std::nullopt;
  }
  std::string slice(Range range) const { return spec.text.substr(range.begin, range.end - range.begin); }
  /// Returns the expression's text, or nullopt if it is not in the kernel.
  std::optional<std::string> text(const clang::Expr *expression) const;
  /// Returns the text, in parentheses unless it can be beside any operator as it is.
  std::optional<std::string> operand(const clang::Expr *expression) const;

  /// Adds a site at which `what` becomes `with`.
  void replace(MutantKind kind, Range what, const std::string &with, std::string advice, std::optional<int> loop,
               std::string helper = {});
  void add(Site site) { sites_.push_back(std::move(site)); }
  std::vector<Site> take() { return std::move(sites_); }

private:
  const moves::TextMap &map_;
  std::vector<Site> sites_;
};

/// Returns one line, of bounded length, in backquotes.
std::string quoted(std::string_view code);

/// Returns whether an expression of that type can be 0 and be narrowed: a number, not a bool or an enumeration.
bool isNumber(clang::QualType type);

/// Returns the operator that a mistake would write; empty: none.
std::string otherOperator(clang::BinaryOperatorKind kind);
std::string otherComparison(clang::BinaryOperatorKind kind);

/// Adds sites of the function as a whole: results of earlier calls, arguments, early returns.
void addFunctionSites(SiteList &list, const clang::FunctionDecl &function);

/// Adds sites of one loop's range. `depth` 0: outermost.
void addLoopSites(SiteList &list, const clang::ForStmt &loop, int id, int depth);
void addWhileSites(SiteList &list, const clang::WhileStmt &loop, int id, int depth);
void addRangeForSites(SiteList &list, const clang::CXXForRangeStmt &loop, int id);

/// A value to be computed narrower than its type: of `target op= value` if `operation` is not empty.
struct Computed {
  const clang::Expr *target = nullptr; ///< nullptr: returned
  const clang::Expr *value = nullptr;  ///< nullptr: ++target
  std::string operation;               ///< "+"; empty = assigned
  Range whole;                         ///< the assignment, or the value returned
  std::optional<int> loop;
};
void addNarrowedSite(SiteList &list, const Computed &computed);

/// Adds sites of the statements and expressions of the body, and of its loops.
void addBodySites(SiteList &list, const clang::FunctionDecl &function);

} // namespace agentic::mutants
