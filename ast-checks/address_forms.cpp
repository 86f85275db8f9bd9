#include "ast-checks/address_forms.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

namespace agentic::checks {
namespace {

using Of = AddressKind::Of;

constexpr std::size_t kLongest = 2000; // bytes of a form
constexpr int kMostParts = 400;        // expressions in a form, definitions included

std::string typeText(clang::QualType type) {
  return type.getCanonicalType().getUnqualifiedType().getAsString();
}

/// Returns the local variable that an expression names, no more and no less.
const clang::VarDecl *named(const clang::Expr &expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParens());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

bool isOfPointers(const clang::BinaryOperator &operation) {
  return operation.getLHS()->getType()->isPointerType() && operation.getRHS()->getType()->isPointerType();
}

/// `if (x)` of C, where x is no bool.
bool isCondition(const clang::Stmt &user, const clang::Expr &value) {
  const clang::Stmt *condition = nullptr;
  if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(&user))
    condition = branch->getCond();
  else if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(&user))
    condition = loop->getCond();
  return condition && llvm::isa<clang::Expr>(condition) &&
         llvm::cast<clang::Expr>(condition)->IgnoreParens() == value.IgnoreParens();
}

} // namespace

/// Writes an expression as text that is equal only if the values are.
class AddressForms::Writer {
public:
  /// `isExact`: every variable has one definition, so that the values cannot be moved about.
  Writer(const AddressForms &forms, bool isExact) : forms_(forms), isExact_(isExact) {}

  std::optional<std::string> write(const AddressForm &form) {
    std::string text = expression(*form.whole);
    if (form.kept && forms_.body_.initialised(*form.whole))
      text = declared(*form.kept) + " = " + text;
    if (form.kept && isExact_ && !hasOneDefinition(*form.kept))
      isBroken_ = true;
    return isBroken_ || text.size() > kLongest ? std::nullopt : std::optional(text);
  }

private:
  std::string broken() {
    isBroken_ = true;
    return {};
  }

  std::string expression(const clang::Expr &expression) {
    const clang::Expr &part = *expression.IgnoreParens();
    if (isBroken_ || ++parts_ > kMostParts)
      return broken();
    if (const auto value = constantOf(part, forms_.ast_))
      return llvm::toString(*value, 10);
    if (const auto *whole = llvm::dyn_cast<clang::FullExpr>(&part))
      return this->expression(*whole->getSubExpr());
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&part))
      return this->cast(*cast);
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&part))
      return variable(*reference->getDecl());
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&part))
      return this->unary(*unary);
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&part)) {
      if (binary->getOpcode() == clang::BO_Comma || binary->isPtrMemOp() || binary->isLogicalOp())
        return broken();
      const clang::VarDecl *set = binary->getOpcode() == clang::BO_Assign ? named(*binary->getLHS()) : nullptr;
      return "(" + (set ? declared(*set) : this->expression(*binary->getLHS())) + " " + binary->getOpcodeStr().str() +
             " " + this->expression(*binary->getRHS()) + ")";
    }
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(&part))
      return "(" + this->expression(*choice->getCond()) + " ? " + this->expression(*choice->getTrueExpr()) + " : " +
             this->expression(*choice->getFalseExpr()) + ")";
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(&part); list && list->getNumInits() == 1)
      return this->expression(*list->getInit(0));
    return broken(); // calls, and what is loaded from memory: it may be anything
  }

  std::string cast(const clang::CastExpr &cast) {
    switch (cast.getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_ArrayToPointerDecay:
      return expression(*cast.getSubExpr());
    case clang::CK_NoOp:
    case clang::CK_BitCast:
    case clang::CK_IntegralCast:
    case clang::CK_PointerToIntegral:
    case clang::CK_IntegralToPointer:
    case clang::CK_IntegralToBoolean:
    case clang::CK_PointerToBoolean:
      return "(" + expression(*cast.getSubExpr()) + " -> " + typeText(cast.getType()) + ")";
    default:
      return broken();
    }
  }

  std::string unary(const clang::UnaryOperator &operation) {
    const clang::Expr &part = *operation.getSubExpr()->IgnoreParens();
    if (operation.isIncrementDecrementOp() || (operation.isArithmeticOp() && operation.getOpcode() != clang::UO_LNot))
      return std::string(operation.isPostfix() ? "post" : "") +
             clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str() + expression(part);
    const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&part);
    if (operation.getOpcode() == clang::UO_AddrOf && element)
      return "(" + expression(*element->getBase()) + " + " + expression(*element->getIdx()) + ")";
    return broken();
  }

  bool hasOneDefinition(const clang::VarDecl &variable) const {
    const LocalUse *use = forms_.body_.local(variable);
    return use && use->definitions.size() == (llvm::isa<clang::ParmVarDecl>(variable) ? 0 : 1);
  }

  /// A pointer into one object may be moved; what a number is, all of its definitions say.
  std::string variable(const clang::ValueDecl &decl) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
    const LocalUse *use = variable ? forms_.body_.local(*variable) : nullptr;
    if (!use || use->isEscaped)
      return broken();
    std::string text = declared(*variable);
    const clang::QualType type = variable->getType();
    if (type->isArrayType())
      return text;
    if (isExact_ && !hasOneDefinition(*variable))
      return broken();
    if (!isExact_ && type->isPointerType()) {
      const AddressKind kind = forms_.kinds_.of(*variable);
      return kind.of == Of::Object ? text + " in " + place(*kind.object) : broken();
    }
    if (!type->isPointerType() && !type->isIntegralOrEnumerationType())
      return broken();
    if (!writing_.insert(variable).second)
      return isExact_ ? broken() : text;
    std::vector<std::string> definitions;
    for (const clang::Expr *definition : use->definitions)
      definitions.push_back(expression(*definition));
    writing_.erase(variable);
    std::ranges::sort(definitions);
    for (const std::string &definition : definitions)
      text += "{" + definition + "}";
    return text.size() > kLongest ? broken() : text;
  }

  static std::string place(const clang::VarDecl &variable) {
    const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable);
    return parameter ? "parameter " + std::to_string(parameter->getFunctionScopeIndex()) : variable.getNameAsString();
  }

  static std::string declared(const clang::VarDecl &variable) {
    return place(variable) + ":" + typeText(variable.getType());
  }

  const AddressForms &forms_;
  const bool isExact_;
  bool isBroken_ = false;
  int parts_ = 0;
  std::set<const clang::VarDecl *> writing_;
};

AddressForms::AddressForms(const clang::FunctionDecl &kernel, const clang::ASTContext &ast)
    : body_(kernel), kinds_(body_, ast), ast_(ast) {}

/// The number goes into a variable of the kernel, and nowhere else.
AddressForms::Way AddressForms::followKept(const clang::Expr &target, const clang::Expr &whole,
                                           AddressForm &form) const {
  const clang::VarDecl *variable = named(target);
  if (!variable || !body_.local(*variable) || !variable->getType()->isIntegralOrEnumerationType() ||
      !body_.isDiscarded(whole))
    return Way::Nowhere;
  form.whole = &whole;
  form.kept = variable;
  return Way::End;
}

/// Looks at who uses a number that is made of an address.
AddressForms::Way AddressForms::follow(const clang::Expr &value, const clang::Stmt &user, AddressForm &form) const {
  const auto *expression = llvm::dyn_cast<clang::Expr>(&user);
  form.whole = expression;
  if (llvm::isa<clang::FullExpr>(user))
    return Way::Up;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&user))
    switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_IntegralCast:
    case clang::CK_PointerToIntegral:
      return Way::Up;
    case clang::CK_IntegralToBoolean:
      return Way::End;
    case clang::CK_IntegralToPointer:
      return kinds_.of(*cast).of == Of::Object ? Way::End : Way::Nowhere;
    default:
      return Way::Nowhere;
    }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&user))
    return unary->isIncrementDecrementOp() ? followKept(*unary->getSubExpr(), *unary, form)
           : unary->isArithmeticOp() && unary->getOpcode() != clang::UO_LNot ? Way::Up
                                                                             : Way::Nowhere;
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&user)) {
    if (binary->isAssignmentOp())
      return followKept(*binary->getLHS(), *binary, form);
    if (binary->isComparisonOp())
      return binary->getOpcode() == clang::BO_Cmp ? Way::Nowhere : Way::End;
    if (!binary->getType()->isIntegralOrEnumerationType() || binary->isLogicalOp() ||
        binary->getOpcode() == clang::BO_Comma)
      return Way::Nowhere;
    return kinds_.of(*binary).of == Of::LowBits ? Way::End : Way::Up;
  }
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(&user))
    return choice->getCond() == &value ? Way::Nowhere : Way::Up;
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(&user))
    return list->getNumInits() == 1 && list->getType()->isScalarType() ? Way::Up : Way::Nowhere;
  form.whole = &value;
  form.kept = body_.initialised(value);
  const bool isKept = form.kept && form.kept->getType()->isIntegralOrEnumerationType();
  return isKept || isCondition(user, value) ? Way::End : Way::Nowhere;
}

/// Returns whether the end depends on more than where in one object the addresses are, so that moved pointers could
/// find out, step by step, where the object lies.
bool AddressForms::saysWhereItLies(const AddressForm &form) const {
  const clang::Expr *whole = form.whole->IgnoreParens();
  if (form.kept)
    return kinds_.of(*form.whole).of == Of::Mixed;
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(whole);
  if (binary && binary->isComparisonOp()) {
    const AddressKind left = kinds_.of(*binary->getLHS()), right = kinds_.of(*binary->getRHS());
    const bool isOrder = left.of == Of::Object && right.of == Of::Object; // legal for pointers, too
    return !isOrder && !(isPlain(left) && isPlain(right));
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(whole);
      cast && cast->getCastKind() == clang::CK_IntegralToBoolean)
    return !isPlain(kinds_.of(*cast->getSubExpr()));
  if (whole->getType()->isPointerType())
    return false; // follow() has seen that it is one object's
  return !isPlain(kinds_.of(*whole));
}

std::optional<AddressForm> AddressForms::of(const clang::Expr &expression) const {
  if (!body_.evaluates(expression))
    return std::nullopt;
  const clang::Expr *value = &expression;
  AddressForm form;
  Way way = Way::Up;
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(&expression);
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  if (cast && cast->getCastKind() == clang::CK_IntegralToPointer)
    way = follow(*cast->getSubExpr(), expression, form);
  else if (operation &&
           (operation->isComparisonOp() || (operation->getOpcode() == clang::BO_Sub && isOfPointers(*operation))))
    way = follow(*operation->getLHS(), expression, form);
  else if (!(cast && cast->getCastKind() == clang::CK_PointerToIntegral) && !llvm::isa<clang::DeclRefExpr>(expression))
    return std::nullopt;
  while (way == Way::Up) {
    const clang::Stmt *user = body_.around(*value);
    if (!user)
      return std::nullopt;
    way = follow(*value, *user, form);
    value = llvm::dyn_cast<clang::Expr>(user);
    if (way == Way::Up && !value)
      return std::nullopt;
  }
  if (way == Way::Nowhere)
    return std::nullopt;
  form.saysWhere = saysWhereItLies(form);
  std::optional<std::string> text = Writer(*this, form.saysWhere).write(form);
  if (!text)
    return std::nullopt;
  form.text = std::move(*text);
  return form;
}

const std::vector<const clang::DeclRefExpr *> &AddressForms::references(const clang::VarDecl &variable) const {
  static const std::vector<const clang::DeclRefExpr *> kNone;
  const LocalUse *use = body_.local(variable);
  return use ? use->references : kNone;
}

} // namespace agentic::checks
