#include "tool/source/nest/ast.h"

#include <algorithm>

namespace agentic::moves {

bool isContainer(clang::QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace())
    return false;
  const llvm::StringRef name = record->getName();
  return name == "vector" || name == "span" || name == "array";
}

namespace {

std::string describe(const clang::Stmt *statement) {
  if (llvm::isa<clang::ReturnStmt>(statement))
    return "'return'";
  if (llvm::isa<clang::BreakStmt>(statement))
    return "'break'";
  if (llvm::isa<clang::ContinueStmt>(statement))
    return "'continue'";
  if (llvm::isa<clang::GotoStmt, clang::LabelStmt, clang::IndirectGotoStmt>(statement))
    return "'goto' or a label";
  if (llvm::isa<clang::WhileStmt, clang::DoStmt>(statement))
    return "a while loop";
  if (llvm::isa<clang::CXXForRangeStmt>(statement))
    return "a range-based for loop";
  if (llvm::isa<clang::ForStmt>(statement))
    return "a loop inside a condition or block";
  if (llvm::isa<clang::SwitchCase>(statement))
    return "a case of a 'switch' around it";
  if (llvm::isa<clang::AsmStmt>(statement))
    return "inline assembly";
  if (llvm::isa<clang::LambdaExpr>(statement))
    return "a lambda";
  return std::string("an unsupported construct (") + statement->getStmtClassName() + ")";
}

/// Returns C for v / C, and 2^k for v >> k; 0 for everything else.
std::int64_t divisorOf(const clang::BinaryOperator *operation, const clang::ASTContext &context) {
  const bool isShift = operation->getOpcode() == clang::BO_Shr;
  clang::Expr::EvalResult value;
  if ((!isShift && operation->getOpcode() != clang::BO_Div) || operation->getRHS()->isValueDependent() ||
      !operation->getType()->isIntegerType() ||
      !operation->getRHS()->EvaluateAsInt(value, context, clang::Expr::SE_NoSideEffects))
    return 0;
  const std::int64_t number = value.Val.getInt().tryExtValue().value_or(0);
  if (isShift)
    return number >= 0 && number < 31 ? std::int64_t{1} << number : 0;
  return number > 0 ? number : 0;
}

/// Returns the name under integer promotions that do not change its value.
const clang::DeclRefExpr *widenedName(const clang::Expr *expression, const clang::ASTContext &context) {
  expression = expression->IgnoreParens();
  while (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) {
    if (cast->getCastKind() == clang::CK_IntegralCast &&
        context.getTypeSize(cast->getType()) < context.getTypeSize(cast->getSubExpr()->getType()))
      return nullptr;
    expression = cast->getSubExpr()->IgnoreParens();
  }
  return llvm::dyn_cast<clang::DeclRefExpr>(expression);
}

} // namespace

void StatementScanner::problem(std::string text) {
  if (statement_.problem.empty())
    statement_.problem = std::move(text);
}

void StatementScanner::scan(const clang::Stmt *statement) {
  if (!statement || llvm::isa<clang::NullStmt>(statement))
    return;
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement))
    return visit(expression, {true, false}, false);
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt *inner : block->body())
      scan(inner);
    return;
  }
  if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    scan(branch->getInit());
    if (branch->getConditionVariable())
      return problem("a variable declared in a condition");
    visit(branch->getCond(), {true, false}, false);
    scan(branch->getThen());
    scan(branch->getElse());
    statement_.parts.clear(); // no part is always evaluated
    return;
  }
  if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
    if (choice->getInit() || choice->getConditionVariable())
      return problem("a variable declared in a condition");
    visit(choice->getCond(), {true, false}, false);
    ++switches_;
    scan(choice->getBody());
    --switches_;
    statement_.parts.clear();
    return;
  }
  if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(statement); label && switches_ > 0)
    return scan(label->getSubStmt());
  if (llvm::isa<clang::BreakStmt>(statement) && switches_ > 0)
    return; // it ends the `switch`
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *inner : declaration->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(inner))
        scanDeclaration(variable, true);
      else
        problem("a declaration of a type or name");
    return;
  }
  problem(describe(statement) + " in the loop");
}

void StatementScanner::scanDeclaration(const clang::VarDecl *variable, bool insideStatement) {
  const std::string name = variable->getNameAsString();
  const clang::QualType type = variable->getType();
  if (variable->isStaticLocal() || variable->getTSCSpec() != clang::TSCS_unspecified)
    return problem("'" + name + "' outlives the call");
  if (type->isReferenceType())
    return problem("the reference '" + name + "'");
  if (type.isVolatileQualified() || type->isAtomicType())
    return problem("'" + name + "' is volatile or atomic");
  if (type->isRecordType())
    return problem("'" + name + "' is an object of class type");
  if (insideStatement)
    statement_.declaresInside.push_back(symbols_.id(variable));
  else
    statement_.declares = symbols_.id(variable);
  if (const auto offset = map_.offset(variable->getLocation()))
    statement_.references.push_back({*offset, name.size(), symbols_.id(variable), false, true, 0});
  else
    problem("'" + name + "' is declared by a macro");
  if (const clang::Expr *init = variable->getInit())
    visit(init, {true, false}, insideStatement);
}

void StatementScanner::visitName(const clang::DeclRefExpr *name, Use use, std::int64_t divisor) {
  if (llvm::isa<clang::EnumConstantDecl>(name->getDecl()))
    return;
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (!variable)
    return problem("'" + name->getNameInfo().getAsString() + "' is not a variable");
  if (variable->getType().getNonReferenceType().isVolatileQualified())
    return problem("'" + variable->getNameAsString() + "' is volatile");
  const bool isStatic = variable->hasGlobalStorage();
  const VariableId id = symbols_.id(variable);
  if (variable->getType()->isReferenceType() && use.writes)
    return problem("'" + variable->getNameAsString() + "' is written through a reference");
  if (variable->getType()->isReferenceType() && variable->getType().getNonReferenceType()->isScalarType())
    addAccess(name, symbols_.place(name), use); // an argument's own object, or memory that has another name
  const auto offset = map_.offset(name->getLocation());
  if (!offset) {
    if (!isStatic || !variable->getType().isConstQualified())
      problem("a macro's body names '" + variable->getNameAsString() + "'");
    return;
  }
  statement_.references.push_back({*offset, variable->getName().size(), id, use.reads, use.writes, divisor});
}

void StatementScanner::addAccess(const clang::Expr *expression, const Symbols::Place &place, Use use) {
  if (expression->getType().isVolatileQualified() || expression->getType()->isAtomicType())
    problem("volatile or atomic memory");
  const auto range = map_.range(expression->getSourceRange());
  std::string text = range ? std::string(symbols_.slice(*range)) : "memory";
  statement_.accesses.push_back({place.base, place.subscript, use.writes, std::move(text), range.value_or(Range())});
}

void StatementScanner::addPart(const clang::Expr *expression) {
  const clang::QualType type = plainType(expression->getType());
  const auto range = map_.range(expression->getSourceRange());
  if (range && type->isArithmeticType() && !expression->getBeginLoc().isMacroID() &&
      !expression->getEndLoc().isMacroID())
    statement_.parts.push_back({*range, type.getAsString(symbols_.policy())});
}

void StatementScanner::visit(const clang::Expr *expression, Use use, bool conditional) {
  if (!expression)
    return;
  using namespace clang;
  if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CharacterLiteral, ImplicitValueInitExpr,
          UnaryExprOrTypeTraitExpr, CXXScalarValueInitExpr>(expression))
    return;
  if (!conditional && !use.writes && isa<BinaryOperator, ConditionalOperator, ArraySubscriptExpr>(expression))
    addPart(expression);
  if (const auto *e = dyn_cast<ParenExpr>(expression))
    return visit(e->getSubExpr(), use, conditional);
  if (const auto *e = dyn_cast<FullExpr>(expression))
    return visit(e->getSubExpr(), use, conditional);
  if (const auto *e = dyn_cast<MaterializeTemporaryExpr>(expression))
    return visit(e->getSubExpr(), use, conditional);
  if (const auto *e = dyn_cast<CastExpr>(expression)) {
    const QualType type = e->getType();
    const bool isValue = type->isArithmeticType() || e->getCastKind() == CK_NoOp ||
                         e->getCastKind() == CK_LValueToRValue || e->getCastKind() == CK_ArrayToPointerDecay ||
                         e->getCastKind() == CK_ToVoid || e->getCastKind() == CK_NullToPointer;
    if (!isValue || e->getCastKind() == CK_LValueBitCast || (type->isPointerType() && isa<ExplicitCastExpr>(e)))
      return problem("a cast to another kind of pointer or class");
    return visit(e->getSubExpr(), use, conditional);
  }
  if (const auto *e = dyn_cast<DeclRefExpr>(expression))
    return visitName(e, use);
  if (const auto *e = dyn_cast<BinaryOperator>(expression))
    return visitBinary(e, use, conditional);
  if (const auto *e = dyn_cast<ConditionalOperator>(expression)) {
    visit(e->getCond(), {true, false}, conditional);
    visit(e->getTrueExpr(), use, true);
    return visit(e->getFalseExpr(), use, true);
  }
  if (const auto *e = dyn_cast<ArraySubscriptExpr>(expression)) {
    Symbols::Place place = symbols_.place(e->getBase());
    addAccess(e, symbols_.advanced(place, e->getIdx()), use);
    visit(e->getBase(), {true, false}, conditional);
    return visit(e->getIdx(), {true, false}, conditional);
  }
  if (const auto *e = dyn_cast<UnaryOperator>(expression)) {
    if (e->isIncrementDecrementOp())
      return visit(e->getSubExpr(), {true, true}, conditional);
    const auto *element =
        e->getOpcode() == UO_AddrOf ? dyn_cast<ArraySubscriptExpr>(e->getSubExpr()->IgnoreParens()) : nullptr;
    if (element && !use.writes) { // `&a[i]` is a + i: no memory is touched
      visit(element->getBase(), {true, false}, conditional);
      return visit(element->getIdx(), {true, false}, conditional);
    }
    if (e->getOpcode() == UO_Deref)
      addAccess(e, symbols_.place(e->getSubExpr()), use);
    else if (e->getOpcode() == UO_AddrOf)
      return problem("an address is taken");
    else if (use.writes)
      return problem("a part of a number is written");
    return visit(e->getSubExpr(), {true, false}, conditional);
  }
  if (const auto *e = dyn_cast<MemberExpr>(expression))
    return visitMember(e, use, conditional);
  if (const auto *e = dyn_cast<CallExpr>(expression))
    return visitCall(e, use, conditional);
  if (const auto *e = dyn_cast<InitListExpr>(expression); e && e->getType()->isArithmeticType()) {
    for (const Expr *inner : e->inits())
      visit(inner, use, conditional);
    return;
  }
  problem(describe(expression) + " in the loop");
}

void StatementScanner::visitBinary(const clang::BinaryOperator *operation, Use use, bool conditional) {
  if (operation->isAssignmentOp()) {
    if (!operation->getLHS()->getType()->isArithmeticType())
      return problem("an assignment to something other than a number");
    visit(operation->getLHS(), {operation->isCompoundAssignmentOp(), true}, conditional);
    return visit(operation->getRHS(), {true, false}, conditional);
  }
  if (use.writes)
    return problem("a result of ',' is written");
  if (const std::int64_t divisor = divisorOf(operation, context_))
    if (const auto *name = widenedName(operation->getLHS(), context_))
      return visitName(name, {true, false}, divisor);
  visit(operation->getLHS(), {true, false}, conditional);
  visit(operation->getRHS(), {true, false}, conditional || operation->isLogicalOp());
}

void StatementScanner::visitMember(const clang::MemberExpr *member, Use use, bool conditional) {
  if (!llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
    return problem("a member that is not a field");
  if (member->getType().isVolatileQualified())
    return problem("a volatile member");
  const clang::Expr *object = member->getBase()->IgnoreParenImpCasts();
  if (member->isArrow() || llvm::isa<clang::DeclRefExpr>(object)) {
    Symbols::Place place = symbols_.place(member->getBase());
    addAccess(member, {place.base, std::nullopt}, use);
    return visit(member->getBase(), {true, false}, conditional);
  }
  visit(member->getBase(), use, conditional);
}

void StatementScanner::visitCall(const clang::CallExpr *call, Use use, bool conditional) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (const auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
      element && element->getOperator() == clang::OO_Subscript && isContainer(element->getArg(0)->getType())) {
    addAccess(call, symbols_.advanced(symbols_.place(element->getArg(0)), element->getArg(1)), use);
    visit(element->getArg(0), {true, false}, conditional);
    return visit(element->getArg(1), {true, false}, conditional);
  }
  if (const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
      method && callee && callee->getName() == "size" && isContainer(method->getImplicitObjectArgument()->getType()))
    return visit(method->getImplicitObjectArgument(), {true, false}, conditional);
  if (!callee || (llvm::isa<clang::CXXMethodDecl>(callee) && !isLibraryConstant(callee)))
    return problem("a call to something that is not known at compile time, or to a member function");
  if (!isPureFunction(callee))
    return problem("the call to '" + callee->getNameAsString() + "' may read or write memory");
  for (const clang::Expr *argument : call->arguments())
    visit(argument, {true, false}, conditional);
}

} // namespace agentic::moves
