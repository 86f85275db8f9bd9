// Finds the calls whose functions' text may stand in their place.
#include "tool/source/nest/helper.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <map>
#include <set>

namespace agentic::moves {
namespace {

using clang::Expr, clang::QualType, clang::Stmt;

/// Returns whether a value of one type is one of the other as it stands: pointers may gain a const.
bool isAlike(QualType from, QualType to) {
  if (plainType(from) == plainType(to))
    return true;
  const QualType element = from->isPointerType() ? from->getPointeeType() : QualType();
  return !element.isNull() && to->isPointerType() && plainType(element) == plainType(to->getPointeeType());
}

/// Returns the variable that an expression is; null if it is anything else, or one that has another name, too.
const clang::VarDecl *variableIn(const Expr *expression) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return variable && !variable->hasGlobalStorage() && !variable->getType()->isReferenceType() ? variable : nullptr;
}

/// Names that a function declares.
class OwnNames : public clang::RecursiveASTVisitor<OwnNames> {
public:
  std::set<std::string, std::less<>> names;
  bool VisitNamedDecl(clang::NamedDecl *declaration) {
    names.insert(declaration->getNameAsString());
    return true;
  }
};

class CallFinder {
public:
  CallFinder(const clang::FunctionDecl &kernel, const clang::ASTContext &context, const TextMap &map,
             const VariableUses &uses, Nest &nest)
      : kernel_(kernel), context_(context), map_(map), uses_(uses), nest_(nest) {
    for (clang::ParmVarDecl *parameter : kernel.parameters())
      own_.names.insert(parameter->getNameAsString());
    own_.TraverseStmt(kernel.getBody());
  }

  void run() { visit(kernel_.getBody(), true); }

private:
  /// The expression around a call, and its statement.
  struct Place {
    const Expr *whole = nullptr; ///< the value of the statement, if nothing else is done before that is used
    Range statement;             ///< empty: nothing can be put in front of it
    bool isStatement = false;    ///< `whole` is all of it
    bool isQuiet = false;        ///< beside an assignment of the whole it changes nothing
  };

  /// `mayHold`: another statement can be put in front of this one.
  void visit(const Stmt *statement, bool mayHold) {
    if (!statement)
      return;
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
      for (const Stmt *inner : block->body())
        visit(inner, mayHold);
    } else if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement)) {
      visit(choice->getInit(), false);
      visitValue(choice->getConditionVariable() ? nullptr : choice->getCond(), nullptr);
      visit(choice->getThen(), true);
      visit(choice->getElse(), true);
    } else if (const auto *choices = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
      visitValue(choices->getConditionVariable() ? nullptr : choices->getCond(), nullptr);
      visit(choices->getBody(), false); // no declaration may stand between its cases
    } else if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
      visit(label->getSubStmt(), false);
    } else if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement)) {
      visitLoop(statement);
    } else if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl *one : declaration->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(one))
          visitValue(variable->getInit(), mayHold && declaration->isSingleDecl() ? statement : nullptr);
    } else if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
      visitValue(result->getRetValue(), mayHold ? statement : nullptr);
    } else if (const auto *expression = llvm::dyn_cast<Expr>(statement)) {
      visitValue(expression, mayHold ? statement : nullptr);
    }
  }

  void visitLoop(const Stmt *statement) {
    const auto *counting = llvm::dyn_cast<clang::ForStmt>(statement);
    const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(statement);
    if (counting)
      visit(counting->getInit(), false);
    if (range)
      visitValue(range->getRangeInit(), nullptr);
    ++loops_;
    if (counting) {
      visitValue(counting->getConditionVariable() ? nullptr : counting->getCond(), nullptr);
      visitValue(counting->getInc(), nullptr);
      visit(counting->getBody(), true);
    } else if (range) {
      visit(range->getBody(), true);
    } else if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
      visitValue(loop->getConditionVariable() ? nullptr : loop->getCond(), nullptr);
      visit(loop->getBody(), true);
    } else if (const auto *last = llvm::dyn_cast<clang::DoStmt>(statement)) {
      visit(last->getBody(), true);
      visitValue(last->getCond(), nullptr);
    }
    --loops_;
  }

  void visitValue(const Expr *value, const Stmt *statement) {
    if (!value)
      return;
    Place place;
    const Expr *inside = value->IgnoreParenImpCasts();
    const auto *assignment = llvm::dyn_cast<clang::BinaryOperator>(inside);
    if (assignment && !assignment->isAssignmentOp())
      assignment = nullptr;
    place.isQuiet = assignment ? changesNothing(assignment->getLHS()) && changesNothing(assignment->getRHS())
                               : changesNothing(value);
    if (statement) {
      place.statement = rangeOf(*statement);
      if (!assignment)
        place.whole = inside;
      else if (assignment->getOpcode() == clang::BO_Assign && isEvaluatedLast(*assignment->getLHS()))
        place.whole = assignment->getRHS()->IgnoreParenImpCasts();
      place.isStatement = statement == value && place.whole == inside;
    }
    visitCalls(value, place, false);
  }

  /// Returns whether it does not matter if the target of an assignment is evaluated before the value.
  bool isEvaluatedLast(const Expr &target) const {
    return changesNothing(&target) && (context_.getLangOpts().CPlusPlus17 || variableIn(&target));
  }

  void visitCalls(const Stmt *part, const Place &place, bool isConditional) {
    if (!part || llvm::isa<clang::LambdaExpr, clang::StmtExpr, clang::UnaryExprOrTypeTraitExpr>(part))
      return;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(part))
      add(*call, place, isConditional);
    const auto *choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(part);
    const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(part);
    for (const Stmt *child : part->children()) {
      const bool isLazy = (choice && child != choice->getCond()) ||
                          (operation && operation->isLogicalOp() && child == operation->getRHS());
      visitCalls(child, place, isConditional || isLazy);
    }
  }

  Range rangeOf(const Stmt &statement) const {
    const auto range = map_.range(statement.getSourceRange());
    if (!range || statement.getBeginLoc().isMacroID() || statement.getEndLoc().isMacroID())
      return {};
    const std::size_t next = nest_.text.find_first_not_of(" \t\n", range->end);
    const bool isOpen = nest_.text[range->end - 1] != ';';
    if (isOpen && (next == std::string::npos || nest_.text[next] != ';'))
      return {};
    return {range->begin, isOpen ? next + 1 : range->end};
  }

  void add(const clang::CallExpr &source, const Place &place, bool isConditional) {
    const clang::FunctionDecl *callee = source.getDirectCallee();
    const auto range = map_.range(source.getSourceRange());
    if (!callee || llvm::isa<clang::CXXMethodDecl>(callee) || llvm::isa<clang::CXXOperatorCallExpr>(source) || !range ||
        source.getBeginLoc().isMacroID() || source.getEndLoc().isMacroID())
      return;
    HelperCall call;
    call.range = *range;
    call.isInLoop = loops_ > 0;
    call.isStatement = place.isStatement && place.whole == &source;
    const bool isFound = isLibraryFunction(callee) ? writeAlgorithm(source, context_, map_, nest_, call)
                                                   : writeHelper(source, *callee, call);
    if (!isFound)
      return;
    call.mayStandInPlace = place.isQuiet && call.changesNothing;
    if (place.whole == &source || (call.mayStandInPlace && !isConditional))
      call.statement = place.statement;
    nest_.calls.push_back(std::move(call));
  }

  /// Returns false for a function of a header, whose changes no variant would notice, and for one in the kernel's own
  /// text: a move wrote it, to be called.
  bool writeHelper(const clang::CallExpr &source, const clang::FunctionDecl &callee, HelperCall &call) {
    const clang::FunctionDecl *definition = nullptr;
    if (!callee.hasBody(definition) || map_.range(definition->getSourceRange()))
      return false;
    auto known = helpers_.find(definition);
    if (known == helpers_.end())
      known = helpers_.emplace(definition, readHelper(*definition, context_)).first;
    const Helper &helper = known->second;
    call.function = definition->getNameAsString();
    call.definition = helper.range;
    call.names = helper.names;
    call.body = helper.body;
    call.value = helper.value;
    call.hasLoop = helper.hasLoop;
    call.problem = helper.problem;
    call.changesNothing = helper.changesNothing;
    addArguments(source, *definition, helper, call);
    if (call.problem.empty())
      call.problem = whyOtherMeaning(helper);
    return !helper.range.isEmpty();
  }

  /// Returns which word of the function means something else here.
  std::string whyOtherMeaning(const Helper &helper) const {
    for (const std::string &word : helper.mentions) {
      if (own_.names.contains(word))
        return "'" + word + "' is something else here";
      if (nest_.surroundings.find("#undef " + word) != std::string::npos)
        return "'" + word + "' may be another macro here";
    }
    return {};
  }

  void addArguments(const clang::CallExpr &source, const clang::FunctionDecl &definition, const Helper &helper,
                    HelperCall &call) const {
    if (source.getNumArgs() != definition.getNumParams() || helper.isChanged.size() != definition.getNumParams()) {
      if (call.problem.empty())
        call.problem = "its arguments are not its parameters";
      return;
    }
    std::set<const clang::VarDecl *> changed; // by references
    for (unsigned i = 0; i < source.getNumArgs(); ++i)
      if (const clang::VarDecl *variable = variableIn(source.getArg(i));
          variable && helper.isChanged[i] && definition.getParamDecl(i)->getType()->isReferenceType())
        changed.insert(variable);
    for (unsigned i = 0; i < source.getNumArgs() && call.problem.empty(); ++i)
      addArgument(*source.getArg(i), *definition.getParamDecl(i), helper.isChanged[i], changed, call);
  }

  void addArgument(const Expr &source, const clang::ParmVarDecl &parameter, bool isChanged,
                   const std::set<const clang::VarDecl *> &changed, HelperCall &call) const {
    HelperCall::Argument argument;
    const std::string which = "the argument '" + parameter.getNameAsString() + "' ";
    const auto range = map_.range(source.getSourceRange());
    if (!range || llvm::isa<clang::CXXDefaultArgExpr>(source)) {
      call.problem = which + "is not written here";
      return;
    }
    argument.range = *range;
    argument.changesNothing = changesNothing(&source);
    const QualType type = parameter.getType().getNonReferenceType();
    const Expr *inside = source.IgnoreParenImpCasts();
    const clang::VarDecl *variable = variableIn(&source);
    const bool isSame = variable && isAlike(variable->getType(), type);
    if (parameter.getType()->isReferenceType()) {
      argument.isReference = true;
      argument.isVariable = isSame && plainType(variable->getType()) == plainType(type) && source.isLValue();
      const bool isValue = type->isArithmeticType() && type.isConstQualified() && call.changesNothing;
      if (!argument.isVariable && !(isValue && plainType(inside->getType()) == plainType(type)))
        call.problem = which + "is a reference";
    } else if (!type->isScalarType() || type->isMemberPointerType() || type.isVolatileQualified()) {
      call.problem = which + "is an object";
    } else {
      argument.isVariable = isSame && variable->getType()->isScalarType() && !isChanged &&
                            !uses_.escaping.contains(variable->getCanonicalDecl()) && !changed.contains(variable);
    }
    if (!isAlike(inside->getType(), type) && !inside->getType()->isArrayType())
      argument.castType = plainType(type).getAsString(context_.getPrintingPolicy());
    argument.isPointer = type->isPointerType();
    argument.declaration = declarationOf(type, isChanged, call.arguments.size());
    call.arguments.push_back(std::move(argument));
  }

  OpenText declarationOf(QualType type, bool isChanged, std::size_t name) const {
    QualType copied = plainType(type);
    if (!isChanged && !copied->isPointerType())
      copied.addConst();
    std::string text = "\1";
    copied.getAsStringInternal(text, context_.getPrintingPolicy());
    OpenText declaration;
    const std::size_t at = text.find('\1');
    declaration.append(text.substr(0, at));
    declaration.pieces.push_back({{}, name});
    declaration.append(text.substr(at + 1));
    return declaration;
  }

  const clang::FunctionDecl &kernel_;
  const clang::ASTContext &context_;
  const TextMap &map_;
  const VariableUses &uses_;
  Nest &nest_;
  OwnNames own_;
  std::map<const clang::FunctionDecl *, Helper> helpers_;
  int loops_ = 0; ///< around what is visited
};

} // namespace

void findHelperCalls(const clang::FunctionDecl &kernel, const clang::ASTContext &context, const TextMap &map,
                     const VariableUses &uses, Nest &nest) {
  CallFinder(kernel, context, map, uses, nest).run();
}

} // namespace agentic::moves
