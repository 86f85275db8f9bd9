// The form of what a kernel does with an address: equal forms in the baseline and in a candidate do the same with the
// same objects, so what the baseline does a candidate may do.
//
// The form covers everything that the number made of an address goes through, up to where it ends: a comparison, a
// pointer into the same object, a difference within one object, or a local variable, whose uses then need forms of
// their own. Numbers that end anywhere else (in memory, in a call, as an index, in a switch) have no form: whoever gets
// them there could make anything of them.
#pragma once

#include "ast-checks/address_kinds.h"
#include "ast-checks/kernel_body.h"

#include <optional>
#include <string>

namespace agentic::checks {

struct AddressForm {
  std::string text;                     ///< "(parameter 0:const float * -> unsigned long) + 3 …"
  const clang::Expr *whole = nullptr;   ///< the outermost expression that it covers
  const clang::VarDecl *kept = nullptr; ///< the variable that keeps the number; null if it ends here
  bool saysWhere = false; ///< more than where in one object the addresses are: it says where that object lies
};

/// Of one function, the kernel or a helper, from its body's AST: names of macros, casts' spellings and parentheses play
/// no role.
class AddressForms {
public:
  AddressForms(const clang::FunctionDecl &kernel, const clang::ASTContext &ast);

  /// Returns the form of a cast between pointer and integer, of a comparison or difference of pointers, or of a
  /// reference to a variable that keeps an address; nullopt if it has none. Linear in the expression and in the
  /// definitions of its variables, of which at most some hundred are looked at.
  std::optional<AddressForm> of(const clang::Expr &expression) const;
  /// Returns every reference to a variable, those in lambdas included.
  const std::vector<const clang::DeclRefExpr *> &references(const clang::VarDecl &variable) const;

private:
  class Writer;
  enum class Way { Up, End, Nowhere };
  Way follow(const clang::Expr &value, const clang::Stmt &user, AddressForm &form) const;
  Way followKept(const clang::Expr &target, const clang::Expr &whole, AddressForm &form) const;
  bool saysWhereItLies(const AddressForm &form) const;

  KernelBody body_;
  AddressKinds kinds_;
  const clang::ASTContext &ast_;
};

} // namespace agentic::checks
