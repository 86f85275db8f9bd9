// Finds uses of addresses as numbers: pointers turned into integers, differences between arrays.
#pragma once

#include "ast-checks/check.h"
#include "ast-checks/pointer_bases.h"
#include "ast-checks/read_through.h"

#include <map>
#include <set>
#include <vector>

namespace agentic::checks {

class AddressesAsNumbers : public Check {
public:
  void declaration(const clang::Decl &, Context &) override;
  void statement(const clang::Stmt &, Context &) override;
  void finish(Context &) override;

private:
  struct Difference {
    clang::SourceLocation location;
    const clang::Expr *left = nullptr, *right = nullptr;
    bool isTested = false; ///< compared with one value: `p == q + 64`
  };

  void lowBits(const clang::Expr &expression);
  void seeMask(const clang::BinaryOperator &operation, Context &context);
  void seeCast(const clang::CastExpr &cast, Context &context);
  void seeCall(const clang::CallExpr &call, Context &context);
  void seeEquality(const clang::BinaryOperator &operation);
  void difference(clang::SourceLocation location, const clang::Expr &left, const clang::Expr &right, Context &context);
  void judge(const Difference &difference, Context &context);
  bool isOneArray(const std::map<Base, const clang::ValueDecl *> &bases, Context &context, int depth) const;

  PointerBases bases_;
  ReadThrough reads_;
  std::vector<const clang::CastExpr *> casts_; ///< address → integer
  std::set<const clang::Expr *> lowBits_;      ///< casts and variables of which only low bits are used
  std::set<const clang::Expr *> prefetched_;
  std::map<const clang::Expr *, const clang::ValueDecl *> keptIn_;
  std::map<const clang::ValueDecl *, std::vector<const clang::Expr *>> uses_;
  std::vector<Difference> differences_;
};

} // namespace agentic::checks
