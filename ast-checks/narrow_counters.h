// Notes counters of 32 bits or fewer where the kernel's sizes or results have 64: they are wrong in calls larger than
// any that is tried.
#pragma once

#include "ast-checks/check.h"

#include "clang/AST/Expr.h"

#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace agentic::checks {

class NarrowCounters : public Check {
public:
  void statement(const clang::Stmt &, Context &) override;
  void finish(Context &) override;

private:
  void seeLoop(const clang::Stmt &part, bool isInLoop);
  void judge(const clang::BinaryOperator &comparison, Context &context);
  void report(const clang::VarDecl &variable, clang::SourceLocation location, std::string_view what, Context &context);

  std::set<const clang::VarDecl *> counted_; ///< added to in a loop
  std::set<const clang::VarDecl *> fresh_;   ///< declared or set anew in a loop: they count a block
  std::map<const clang::VarDecl *, clang::SourceLocation> widened_; ///< become part of a 64-bit value
  std::vector<const clang::BinaryOperator *> comparisons_;
};

} // namespace agentic::checks
