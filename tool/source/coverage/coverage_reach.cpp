#include "tool/source/coverage/coverage_visitor.h"

#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace agentic::coverage {
namespace {

constexpr std::size_t kAlways = static_cast<std::size_t>(-1); ///< the run of the program, as a caller

/// Collects which function uses which while the program runs, and the results of conditions.
class ReachVisitor : public RunTimeVisitor<ReachVisitor> {
public:
  using Base = RunTimeVisitor<ReachVisitor>;
  explicit ReachVisitor(const clang::ASTContext &context) : places_(context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl *declaration) {
    const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const clang::Stmt *body = function ? bodyOf(*function) : nullptr;
    const auto key = body ? places_.offset(body->getBeginLoc()) : std::nullopt;
    if (!key)
      return Base::TraverseDecl(declaration);
    if (!function->isConstexpr())
      uses_[kAlways].insert(*key);
    return inside(*key, false, [&] { return Base::TraverseDecl(declaration); });
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    const auto key = places_.offset(lambda->getBody()->getBeginLoc());
    if (!key)
      return true;
    use(*key);
    return inside(*key, false, [&] {
      bool goesOn = Base::TraverseLambdaExpr(lambda);
      // The instantiations of a generic lambda are in its class, which is not written in the text.
      if (clang::FunctionTemplateDecl *generic = lambda->getLambdaClass()->getDependentLambdaCallOperator())
        for (clang::FunctionDecl *instance : generic->specializations())
          goesOn = goesOn && TraverseStmt(instance->getBody());
      return goesOn;
    });
  }

  bool TraverseVarDecl(clang::VarDecl *variable) {
    const bool isConstant = isConstant_ || isConstantInitialised(*variable, places_.context());
    return inside(current_, isConstant, [&] { return Base::TraverseVarDecl(variable); });
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
      use(*function);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()))
      use(*function);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construction) {
    use(*construction->getConstructor());
    return true;
  }
  /// Code that gets a function object can call it: the library's algorithms do.
  bool VisitExpr(clang::Expr *expression) {
    const clang::CXXRecordDecl *record =
        expression->getType().isNull() ? nullptr : expression->getType()->getAsCXXRecordDecl();
    if (record && !isConstant_)
      for (const clang::CXXMethodDecl *method : record->methods())
        if (method->getOverloadedOperator() == clang::OO_Call)
          use(*method);
    return true;
  }

  bool VisitIfStmt(clang::IfStmt *choice) { return note(choice->getCond()); }
  bool VisitWhileStmt(clang::WhileStmt *loop) { return note(loop->getCond()); }
  bool VisitForStmt(clang::ForStmt *loop) { return note(loop->getCond()); }
  bool VisitConditionalOperator(clang::ConditionalOperator *choice) { return note(choice->getCond()); }
  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    return !operation->isLogicalOp() || note(operation->getLHS());
  }

  Reach take() {
    std::vector<std::size_t> open = {kAlways};
    while (!open.empty()) {
      const std::size_t caller = open.back();
      open.pop_back();
      for (const std::size_t callee : uses_[caller])
        if (reach_.functions.insert(callee).second)
          open.push_back(callee);
    }
    return std::move(reach_);
  }

private:
  template <class F> bool inside(std::size_t function, bool isConstant, F traverse) {
    const std::pair outer(current_, isConstant_);
    current_ = function;
    isConstant_ = isConstant;
    const bool goesOn = traverse();
    std::tie(current_, isConstant_) = outer;
    return goesOn;
  }

  void use(std::size_t function) {
    if (!isConstant_)
      uses_[current_].insert(function);
  }
  void use(const clang::FunctionDecl &function) {
    const clang::FunctionDecl *pattern = function.getTemplateInstantiationPattern();
    const clang::Stmt *body = bodyOf(pattern ? *pattern : function);
    if (const auto key = body ? places_.offset(body->getBeginLoc()) : std::nullopt; key)
      use(*key);
  }

  bool note(const clang::Expr *condition) {
    if (!condition || condition->isValueDependent() || condition->isTypeDependent())
      return true;
    const auto written = places_.range(condition->getSourceRange());
    if (!written)
      return true;
    bool value = false;
    const bool isConstant = condition->EvaluateAsBooleanCondition(value, places_.context());
    Outcomes &outcomes = reach_.conditions[*written];
    outcomes.canBeTrue |= !isConstant || value;
    outcomes.canBeFalse |= !isConstant || !value;
    outcomes.isConstant &= isConstant;
    return true;
  }

  Places places_;
  Reach reach_;
  std::map<std::size_t, std::set<std::size_t>> uses_;
  std::size_t current_ = kAlways;
  bool isConstant_ = false;
};

void forEachOwnIn(const clang::DeclContext &scope, const clang::SourceManager &sources,
                  const std::function<void(clang::Decl *)> &visit) {
  for (clang::Decl *declaration : scope.decls()) {
    if (declaration->isImplicit() || !sources.isInMainFile(sources.getExpansionLoc(declaration->getBeginLoc())))
      continue;
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      forEachOwnIn(*llvm::cast<clang::DeclContext>(declaration), sources, visit);
    else
      visit(declaration);
  }
}

} // namespace

std::optional<std::size_t> Places::offset(clang::SourceLocation location) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  if (location.isInvalid() || !location.isFileID() || sources.getFileID(location) != sources.getMainFileID())
    return std::nullopt;
  return sources.getFileOffset(location);
}

std::optional<Written> Places::range(clang::SourceRange range) const {
  const clang::CharSourceRange written = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(range), context_.getSourceManager(), context_.getLangOpts());
  const auto begin = offset(written.getBegin()), end = offset(written.getEnd());
  // An expansion may contain a macro's argument more than once, or not evaluate it.
  const auto isArgument = [&](clang::SourceLocation location) {
    return location.isMacroID() && context_.getSourceManager().isMacroArgExpansion(location);
  };
  if (!begin || !end || *end <= *begin || isArgument(range.getBegin()) || isArgument(range.getEnd()))
    return std::nullopt;
  return Written{*begin, *end};
}

std::optional<Written> Places::statement(const clang::Stmt *statement) const {
  const auto written = statement ? range(statement->getSourceRange()) : std::nullopt;
  if (!written)
    return std::nullopt;
  const clang::Stmt *last = statement;
  for (const clang::Stmt *inner = last; inner; last = inner ? inner : last) {
    if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(last))
      inner = choice->getElse() ? choice->getElse() : choice->getThen();
    else if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(last))
      inner = loop->getBody();
    else if (const auto *repeat = llvm::dyn_cast<clang::WhileStmt>(last))
      inner = repeat->getBody();
    else if (const auto *each = llvm::dyn_cast<clang::CXXForRangeStmt>(last))
      inner = each->getBody();
    else if (const auto *labels = llvm::dyn_cast<clang::SwitchStmt>(last))
      inner = labels->getBody();
    else if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(last))
      inner = label->getSubStmt();
    else if (const auto *target = llvm::dyn_cast<clang::LabelStmt>(last))
      inner = target->getSubStmt();
    else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(last))
      inner = attributed->getSubStmt();
    else
      inner = nullptr;
  }
  const auto end = range(last->getSourceRange());
  if (!end)
    return std::nullopt;
  const clang::SourceManager &sources = context_.getSourceManager();
  const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  if (text[end->end - 1] == ';' || text[end->end - 1] == '}')
    if (llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt, clang::CXXTryStmt>(last))
      return Written{written->begin, end->end};
  const auto start = sources.getLocForStartOfFile(sources.getMainFileID());
  const auto semicolon = clang::Lexer::findNextToken(start.getLocWithOffset(static_cast<int>(end->end) - 1), sources,
                                                     context_.getLangOpts());
  if (!semicolon || !semicolon->is(clang::tok::semi))
    return std::nullopt;
  return Written{written->begin, sources.getFileOffset(semicolon->getLocation()) + 1};
}

std::size_t Places::withPragmas(std::size_t at) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  std::size_t line = text.rfind('\n', at) + 1; // 0 behind npos
  if (!text.slice(line, at).trim().empty())
    return at;
  std::size_t first = at;
  while (line > 0) {
    line = text.rfind('\n', line - 1) + 1;
    llvm::StringRef directive = text.drop_front(line).ltrim(" \t");
    if (!directive.consume_front("#") || !directive.ltrim(" \t").starts_with("pragma"))
      break;
    first = line;
  }
  return first;
}

bool isConstantInitialised(const clang::VarDecl &variable, const clang::ASTContext &context) {
  if (variable.isConstexpr())
    return true;
  const clang::Expr *value = variable.getInit();
  if (!value || value->isValueDependent() || value->isTypeDependent() || variable.getType()->isDependentType())
    return false;
  return (variable.hasGlobalStorage() || variable.isUsableInConstantExpressions(context)) && variable.evaluateValue();
}

const clang::Stmt *bodyOf(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *definition = nullptr;
  if (!function.hasBody(definition) || !definition->getBody())
    return nullptr;
  const clang::Stmt *body = definition->getBody();
  const auto *guarded = llvm::dyn_cast<clang::CXXTryStmt>(body);
  return guarded ? guarded->getTryBlock() : body;
}

void forEachOwn(const clang::ASTContext &context, const std::function<void(clang::Decl *)> &visit) {
  forEachOwnIn(*context.getTranslationUnitDecl(), context.getSourceManager(), visit);
}

Reach findReach(const clang::ASTContext &context) {
  ReachVisitor visitor(context);
  forEachOwn(context, [&](clang::Decl *declaration) { visitor.TraverseDecl(declaration); });
  return visitor.take();
}

} // namespace agentic::coverage
