// Finds uses of addresses as numbers: pointers turned into integers, differences between arrays and their order.
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
  enum class Relation {
    Difference,  ///< `p - q`
    OneDistance, ///< `p == q + 64`
    Order        ///< `p < q`; an overlap test if one of them is not the beginning of its array
  };
  struct Pair {
    Relation relation = Relation::Difference;
    clang::SourceLocation location;
    const clang::Expr *left = nullptr, *right = nullptr;
    const clang::Expr *operation = nullptr; ///< null for a call
  };
  /// An address's low bits, compared with a constant.
  struct LowBitsTest {
    const clang::BinaryOperator *operation = nullptr;
    const clang::Expr *bits = nullptr;
  };

  void lowBits(const clang::Expr &expression);
  void seeMask(const clang::BinaryOperator &operation, Context &context);
  void seeCast(const clang::CastExpr &cast, Context &context);
  void seeCall(const clang::CallExpr &call, Context &context);
  void seeEquality(const clang::BinaryOperator &operation, Context &context);
  void pair(const Pair &pair, Context &context);
  void judge(const Pair &pair, Context &context);
  void judge(const LowBitsTest &test, Context &context);
  void judgeUses(Context &context);
  std::map<Base, const clang::ValueDecl *> basesOf(const Pair &pair) const;
  bool areBeginnings(const Pair &pair) const;
  bool isBesideAnOverlapTest(const std::map<Base, const clang::ValueDecl *> &bases) const;
  bool isMasked(const clang::Expr &bits, int depth) const;
  bool isAddress(const clang::Expr &number) const;
  bool isOneArray(const std::map<Base, const clang::ValueDecl *> &bases, Context &context, int depth) const;

  PointerBases bases_;
  ReadThrough reads_;
  std::vector<const clang::CastExpr *> casts_; ///< address → integer
  std::set<const clang::Expr *> lowBits_;      ///< casts and variables of which only low bits are used
  std::set<const clang::Expr *> prefetched_;
  std::map<const clang::Expr *, const clang::ValueDecl *> keptIn_;
  std::map<const clang::ValueDecl *, std::vector<const clang::Expr *>> uses_;
  std::vector<Pair> pairs_;
  std::vector<LowBitsTest> lowBitsTests_;
  std::vector<const clang::VarDecl *> kept_; ///< variables that a permitted form leaves an address in
};

} // namespace agentic::checks
