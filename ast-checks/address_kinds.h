// Says what the numbers and pointers of a kernel have to do with addresses: none, the address of one object, or more.
//
// The order of two numbers that lie in one object, or the pointer that such a number is turned into, says nothing that
// the pointers themselves do not say. A product of an address, or the difference of two objects, says where they lie.
#pragma once

#include "ast-checks/kernel_body.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/APSInt.h"

#include <cstdint>
#include <map>
#include <optional>

namespace agentic::checks {

inline constexpr std::uint64_t kLargestAlignment = 4096; ///< bytes: a page

struct AddressKind {
  enum class Of {
    Nothing, ///< not known yet
    Number,  ///< no address in it
    LowBits, ///< of an address, as few as an alignment shows, and numbers
    Object,  ///< the address of one object, a number or low bits added
    Mixed    ///< anything else that is made of addresses
  };
  Of of = Of::Nothing;
  const clang::VarDecl *object = nullptr; ///< a pointer parameter, or a local array
  bool operator==(const AddressKind &) const = default;
};

/// Returns whether it shows no more of an address than an alignment does.
inline bool isPlain(const AddressKind &kind) {
  return kind.of == AddressKind::Of::Number || kind.of == AddressKind::Of::LowBits;
}

/// Returns the value if the expression is a constant integer.
std::optional<llvm::APSInt> constantOf(const clang::Expr &expression, const clang::ASTContext &ast);

/// The kinds of all local variables are found first, over all their definitions, whatever their order: a few walks.
class AddressKinds {
public:
  AddressKinds(const KernelBody &body, const clang::ASTContext &ast);

  AddressKind of(const clang::Expr &expression) const;
  AddressKind of(const clang::ValueDecl &variable) const;

private:
  AddressKind ofCast(const clang::CastExpr &cast) const;
  AddressKind ofUnary(const clang::UnaryOperator &operation) const;
  AddressKind ofBinary(const clang::BinaryOperator &operation) const;
  AddressKind masked(const AddressKind &kind, const clang::Expr &mask) const;
  AddressKind remainder(const AddressKind &kind, const clang::Expr &divisor) const;

  const clang::ASTContext &ast_;
  std::map<const clang::VarDecl *, AddressKind> kinds_;
};

} // namespace agentic::checks
