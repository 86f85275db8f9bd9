#include "ast-checks/pointer_bases.h"

#include "ast-checks/pointer_types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace agentic::checks {
namespace {

bool mayLead(const clang::Expr &argument) {
  const clang::QualType type = argument.IgnoreParenImpCasts()->getType();
  return !type.isNull() && (type->isArrayType() || holdsPointer(type));
}

const clang::ValueDecl *rootDecl(const clang::Expr &expression) {
  const clang::Expr *found = pointerRoot(&expression);
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(found))
    return reference->getDecl();
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(found);
  return member ? member->getMemberDecl() : nullptr;
}

/// Returns the arguments: members, operator() of a lambda among them, get the object first.
std::vector<const clang::Expr *> argumentsOf(const clang::CallExpr &call) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  const bool hasObject = llvm::isa<clang::CXXOperatorCallExpr>(call) && method && method->isInstance();
  return {call.arg_begin() + (hasObject ? 1 : 0), call.arg_end()};
}

void findReturns(const clang::Stmt *statement, std::vector<const clang::Expr *> &values) {
  if (!statement || llvm::isa<clang::LambdaExpr>(statement))
    return;
  if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement); result && result->getRetValue())
    values.push_back(result->getRetValue());
  for (const clang::Stmt *child : statement->children())
    findReturns(child, values);
}

} // namespace

const clang::VarDecl *variableOf(const clang::Expr &expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

const clang::Expr *pointerRoot(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      expression = unary->getSubExpr();
    else if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
      expression = element->getBase();
    else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression); binary && binary->isAdditiveOp())
      expression = binary->getLHS()->getType()->isPointerType() ? binary->getLHS() : binary->getRHS();
    else
      return expression;
  }
}

void PointerBases::add(const clang::Expr &target, const clang::Expr &source) {
  if (const clang::ValueDecl *decl = rootDecl(target))
    sources_[decl].insert(&source);
}

void PointerBases::see(const clang::Decl &decl) {
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl)) {
    if (variable->getInit() && !llvm::isa<clang::ParmVarDecl>(variable) && holdsPointer(variable->getType()))
      sources_[variable].insert(variable->getInit());
  } else if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&decl)) {
    for (const clang::CXXCtorInitializer *initializer : constructor->inits())
      if (const clang::FieldDecl *field = initializer->getMember(); field && holdsPointer(field->getType()))
        sources_[field].insert(initializer->getInit());
  }
}

void PointerBases::see(const clang::Stmt &statement) {
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    if (binary->getOpcode() == clang::BO_Assign && holdsPointer(binary->getType()))
      add(*binary->getLHS(), *binary->getRHS());
    else if (binary->isCompoundAssignmentOp() && binary->getType()->isPointerType())
      moved_.insert(rootDecl(*binary->getLHS()));
  } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
    if (unary->isIncrementDecrementOp() && unary->getType()->isPointerType())
      moved_.insert(rootDecl(*unary->getSubExpr()));
  } else if (const auto *made = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    call(*made);
  } else if (const auto *object = llvm::dyn_cast<clang::CXXConstructExpr>(&statement)) {
    construct(*object);
  } else if (const auto *values = llvm::dyn_cast<clang::InitListExpr>(&statement)) {
    list(*values);
  }
}

void PointerBases::call(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return;
  const auto arguments = argumentsOf(call);
  calls_[callee->getCanonicalDecl()].push_back(arguments);
  // A function that has a pointer's address may set it to any of the other arguments: std::swap.
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const clang::QualType parameter =
        i < callee->getNumParams() ? callee->getParamDecl(static_cast<unsigned>(i))->getType() : clang::QualType();
    const bool isChangeable = !parameter.isNull() && (parameter->isReferenceType() || parameter->isPointerType()) &&
                              !parameter->getPointeeType().isConstQualified() &&
                              holdsPointer(parameter->getPointeeType());
    for (const clang::Expr *other : arguments)
      if (isChangeable && other != arguments[i] && mayLead(*other))
        add(*arguments[i], *other);
  }
}

void PointerBases::construct(const clang::CXXConstructExpr &construct) {
  const clang::CXXConstructorDecl &constructor = *construct.getConstructor();
  for (unsigned i = 0; i < construct.getNumArgs() && i < constructor.getNumParams(); ++i)
    if (mayLead(*construct.getArg(i)))
      sources_[constructor.getParamDecl(i)].insert(construct.getArg(i));
}

void PointerBases::list(const clang::InitListExpr &list) {
  const clang::RecordDecl *record = list.getType().isNull() ? nullptr : list.getType()->getAsRecordDecl();
  if (!record || !list.isSemanticForm() || record->isUnion())
    return;
  auto field = record->field_begin();
  for (const clang::Expr *value : list.inits()) {
    if (mayLead(*value) && field != record->field_end() && holdsPointer(field->getType()))
      sources_[*field].insert(value);
    if (field != record->field_end())
      ++field;
  }
}

class PointerBases::Search {
public:
  explicit Search(const PointerBases &known) : known_(known) {}
  void expression(const clang::Expr &expression);
  std::map<Base, const clang::ValueDecl *> found;

private:
  void variable(const clang::ValueDecl &variable);
  void member(const clang::MemberExpr &member);
  void call(const clang::CallExpr &call);
  template <class Range> void all(const Range &parts, const clang::Expr &whole) {
    bool isAny = false;
    for (const clang::Expr *part : parts)
      if (part && mayLead(*part))
        isAny = true, expression(*part);
    if (!isAny)
      found.emplace(&whole, nullptr);
  }

  const PointerBases &known_;
  std::set<const void *> visited_;
  std::set<const clang::FunctionDecl *> walked_;
  std::set<const clang::FunctionDecl *> *functions_ = &walked_; ///< each is walked once, at any depth
};

void PointerBases::Search::expression(const clang::Expr &start) {
  const clang::Expr *expression = pointerRoot(&start);
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expression) || !visited_.insert(expression).second)
    return;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    variable(*reference->getDecl());
  else if (const auto *part = llvm::dyn_cast<clang::MemberExpr>(expression))
    member(*part);
  else if (const auto *choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression))
    this->expression(*choice->getTrueExpr()), this->expression(*choice->getFalseExpr());
  else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
           binary && (binary->getOpcode() == clang::BO_Comma || binary->isAssignmentOp()))
    this->expression(binary->getOpcode() == clang::BO_Comma ? *binary->getRHS() : *binary->getLHS());
  else if (const auto *opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(expression); opaque && opaque->getSourceExpr())
    this->expression(*opaque->getSourceExpr());
  else if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression))
    this->expression(*list->getSubExpr());
  else if (const auto *made = llvm::dyn_cast<clang::CallExpr>(expression))
    call(*made);
  else if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(expression))
    all(construct->arguments(), *expression);
  else if (const auto *values = llvm::dyn_cast<clang::InitListExpr>(expression))
    all(values->inits(), *expression);
  else if (llvm::isa<clang::CXXThisExpr>(expression))
    found.emplace(expression->getType()->getPointeeType()->getAsRecordDecl(), nullptr);
  else if (const clang::Expr *inner = expression->IgnoreUnlessSpelledInSource(); inner != expression)
    this->expression(*inner); // temporaries, default arguments, replaced template parameters
  else
    found.emplace(expression, nullptr);
}

void PointerBases::Search::variable(const clang::ValueDecl &variable) {
  if (!visited_.insert(&variable).second)
    return;
  if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(&variable); binding && binding->getBinding())
    return expression(*binding->getBinding());
  const auto sources = known_.sources_.find(&variable);
  const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable);
  const bool isOfConstructor = parameter && llvm::isa<clang::CXXConstructorDecl>(parameter->getDeclContext());
  if (sources == known_.sources_.end() || (parameter && !isOfConstructor))
    found.emplace(variable.getCanonicalDecl(), &variable);
  if (sources != known_.sources_.end())
    for (const clang::Expr *source : sources->second)
      expression(*source);
}

void PointerBases::Search::member(const clang::MemberExpr &member) {
  const clang::ValueDecl &decl = *member.getMemberDecl();
  if (llvm::isa<clang::FieldDecl>(decl) && !known_.sources_.contains(&decl))
    expression(*member.getBase());
  else
    variable(decl);
}

void PointerBases::Search::call(const clang::CallExpr &call) {
  // A parameter has the bases of its arguments.
  bool isAny = false;
  for (const clang::Expr *part : call.arguments())
    if (part && mayLead(*part))
      isAny = true, expression(*part);
  if (const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
      method && method->getImplicitObjectArgument())
    isAny = true, expression(*method->getImplicitObjectArgument());
  const clang::FunctionDecl *callee = call.getDirectCallee(), *definition = nullptr;
  if (callee && callee->hasBody(definition) && functions_->insert(definition).second &&
      !definition->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation())) {
    std::vector<const clang::Expr *> returned;
    findReturns(definition->getBody(), returned);
    Search inside(known_);
    inside.functions_ = functions_;
    for (const clang::Expr *value : returned)
      inside.expression(*value);
    for (const auto &[base, variable] : inside.found) {
      const auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
      if (parameter && parameter->getDeclContext() == definition)
        continue;
      isAny = true, found.emplace(base, variable);
    }
  }
  if (!isAny)
    found.emplace(&call, nullptr);
}

std::map<Base, const clang::ValueDecl *> PointerBases::of(const clang::Expr &pointer) const {
  Search search(*this);
  search.expression(pointer);
  return std::move(search.found);
}

bool PointerBases::isBeginning(const clang::Expr &pointer) const {
  std::set<const clang::ValueDecl *> seen;
  for (const clang::Expr *part = &pointer;;) {
    part = part->IgnoreParenCasts();
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(part);
    const clang::ValueDecl *decl = reference ? reference->getDecl() : member ? member->getMemberDecl() : nullptr;
    if (!decl || moved_.contains(decl) || !seen.insert(decl).second)
      return false;
    const auto sources = sources_.find(decl);
    if (sources == sources_.end())
      return true;
    if (sources->second.size() != 1)
      return false;
    part = *sources->second.begin();
  }
}

std::vector<const clang::Expr *> PointerBases::passedFor(const clang::ParmVarDecl &parameter) const {
  std::vector<const clang::Expr *> passed;
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(parameter.getDeclContext());
  const auto calls = function ? calls_.find(function->getCanonicalDecl()) : calls_.end();
  if (calls == calls_.end())
    return passed;
  const unsigned index = parameter.getFunctionScopeIndex();
  for (const auto &arguments : calls->second)
    passed.push_back(index < arguments.size() ? arguments[index] : nullptr);
  return passed;
}

} // namespace agentic::checks
