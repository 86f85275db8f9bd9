// Finds casts whose result is only read through: `_mm_loadu_si128((__m128i *)constant)` is usual C and changes nothing.
// Gets every statement in the traversal's order, parents first.
#pragma once

#include <set>

namespace clang {
class Expr;
class Stmt;
} // namespace clang

namespace agentic::checks {

class ReadThrough {
public:
  void see(const clang::Stmt &statement);
  bool isOnlyRead(const clang::Expr &cast) const { return reads_.contains(&cast); }

private:
  void add(const clang::Expr &expression);
  std::set<const clang::Expr *> reads_;
};

} // namespace agentic::checks
