#include "tool/source/nest/ast.h"
#include "tool/source/nest/walk.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <map>

namespace agentic::moves {
namespace {

class Builder {
public:
  Builder(const clang::ASTContext &context, const TextMap &map, Nest &nest, const VariableUses &uses)
      : context_(context), map_(map), nest_(nest), uses_(uses), symbols_(context, map, nest, uses) {}

  std::vector<Statement> buildBody(const clang::Stmt *body, Loop *parent) {
    std::vector<Statement> statements;
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
      for (const clang::Stmt *inner : block->body())
        build(inner, parent, statements);
    } else {
      build(body, parent, statements);
    }
    return statements;
  }

  FunctionFacts describe(const clang::FunctionDecl &function) {
    return describeFunction(function, map_, symbols_, uses_);
  }

  std::vector<Walk> walks(const clang::FunctionDecl &function) {
    return findWalks(function, {context_, map_, symbols_, uses_}, nest_);
  }

  /// Every canonical variable must be known before a statement that mentions it is read.
  void registerLoops(const clang::FunctionDecl &function) {
    struct Finder : clang::RecursiveASTVisitor<Finder> {
      std::vector<const clang::Stmt *> loops; // outer ones first
      std::map<std::string, int> names;
      bool VisitStmt(clang::Stmt *statement) {
        if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement))
          loops.push_back(statement);
        return true;
      }
      bool VisitVarDecl(clang::VarDecl *variable) {
        ++names[variable->getNameAsString()];
        return true;
      }
      bool VisitTypedefNameDecl(clang::TypedefNameDecl *type) {
        ++names[type->getNameAsString()];
        return true;
      }
    } finder;
    finder.TraverseStmt(function.getBody());
    for (const clang::ParmVarDecl *parameter : function.parameters())
      ++finder.names[parameter->getNameAsString()];
    for (const clang::Stmt *loop : finder.loops) {
      const auto *counting = llvm::dyn_cast<clang::ForStmt>(loop);
      symbols_.addLoop(map_.range(loop->getSourceRange()),
                       counting ? canonicalHeader(*counting, context_).variable : nullptr);
    }
    declared_ = std::move(finder.names);
  }

private:
  void build(const clang::Stmt *statement, Loop *parent, std::vector<Statement> &statements) {
    if (llvm::isa<clang::NullStmt>(statement))
      return;
    if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
      return addOpaque(attributed, "a statement that already has a pragma or attribute", statements);
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(statement))
      return addLoop(*loop, parent, statements);
    if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      return addDeclarations(*declaration, statements);
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement); block && isTransparent(*block)) {
      for (const clang::Stmt *inner : block->body())
        build(inner, parent, statements);
      return;
    }
    Statement simple;
    StatementScanner(context_, map_, symbols_, simple).scan(statement);
    if (!simple.problem.empty() || !setRange(simple, statement->getSourceRange())) {
      addOpaque(statement, simple.problem.empty() ? "a statement from a macro" : simple.problem, statements);
      return addStructure(statement, statements.back());
    }
    finish(simple);
    addStructure(statement, simple);
    statements.push_back(std::move(simple));
  }

  /// A block's braces do not matter if no other variable or type has the name of one declared in it: mostly text
  /// written by moves.
  bool isTransparent(const clang::CompoundStmt &block) const {
    return std::ranges::all_of(block.body(), [&](const clang::Stmt *inner) {
      const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(inner);
      return !declaration || std::ranges::all_of(declaration->decls(), [&](const clang::Decl *one) {
        const auto *named = llvm::dyn_cast<clang::NamedDecl>(one);
        return llvm::isa<clang::VarDecl, clang::TypedefNameDecl>(one) && declared_.at(named->getNameAsString()) == 1;
      });
    });
  }

  /// Adds the parts for moves that look into a statement.
  void addStructure(const clang::Stmt *source, Statement &statement) {
    if (const auto *expression = llvm::dyn_cast<clang::Expr>(source))
      statement.expression = makeExpression(expression, context_, map_, symbols_);
    else if (llvm::isa<clang::BreakStmt>(source))
      statement.exit = Statement::Exit::Break;
    else if (llvm::isa<clang::ContinueStmt>(source))
      statement.exit = Statement::Exit::Continue;
    else if (llvm::isa<clang::ReturnStmt>(source))
      statement.exit = Statement::Exit::Return;
    if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(source);
        loop && statement.inner.empty() && !loop->getConditionVariable())
      statement.exitLoop = makeExitLoop(nullptr, loop->getCond(), nullptr, loop->getBody());
    if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(source); choice && statement.inner.empty())
      statement.selection =
          makeSelection(*choice, context_, map_, symbols_,
                        [&](const clang::Stmt *inner, std::vector<Statement> &body) { build(inner, nullptr, body); });
    const auto *choice = llvm::dyn_cast<clang::IfStmt>(source);
    if (!choice || choice->getInit() || choice->getConditionVariable() || choice->isConstexpr() ||
        !statement.inner.empty())
      return;
    statement.branch = std::make_unique<Branch>();
    statement.branch->condition = makeExpression(choice->getCond(), context_, map_, symbols_);
    Statement condition;
    StatementScanner(context_, map_, symbols_, condition).scanExpression(choice->getCond());
    statement.branch->problem = std::move(condition.problem);
    statement.branch->thenBody = buildBody(choice->getThen(), nullptr);
    statement.branch->hasElse = choice->getElse() != nullptr;
    if (choice->getElse())
      statement.branch->elseBody = buildBody(choice->getElse(), nullptr);
  }

  std::unique_ptr<ExitLoop> makeExitLoop(const clang::Stmt *start, const clang::Expr *condition,
                                         const clang::Expr *step, const clang::Stmt *body) {
    auto loop = std::make_unique<ExitLoop>();
    if (start)
      build(start, nullptr, loop->start);
    if (condition)
      loop->condition = makeExpression(condition, context_, map_, symbols_);
    if (step)
      loop->step = makeExpression(step, context_, map_, symbols_);
    loop->body = buildBody(body, nullptr);
    return loop;
  }

  /// Adds a statement that is not understood: only the loops inside are.
  void addOpaque(const clang::Stmt *statement, std::string problem, std::vector<Statement> &statements) {
    Statement opaque;
    opaque.kind = Statement::Kind::Opaque;
    opaque.problem = std::move(problem);
    opaque.repeats = llvm::isa<clang::WhileStmt, clang::DoStmt>(statement);
    setRange(opaque, statement->getSourceRange());
    collectLoops(statement, opaque.inner);
    statements.push_back(std::move(opaque));
  }

  void collectLoops(const clang::Stmt *statement, std::vector<Statement> &loops) {
    if (llvm::isa<clang::LambdaExpr>(statement))
      return;
    for (const clang::Stmt *child : statement->children()) {
      if (!child)
        continue;
      if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(child))
        addLoop(*loop, nullptr, loops);
      else
        collectLoops(child, loops);
    }
  }

  void addLoop(const clang::ForStmt &source, Loop *parent, std::vector<Statement> &statements) {
    Statement statement;
    statement.kind = Statement::Kind::Loop;
    statement.loop = std::make_unique<Loop>();
    Loop &loop = *statement.loop;
    const CanonicalHeader header = canonicalHeader(source, context_);
    loop.problem = header.problem;
    loop.parent = parent;
    nameLoop(loop, header);
    nest_.loops.push_back(&loop);
    const auto headerRange = map_.range({source.getForLoc(), source.getRParenLoc()});
    const bool isWritten = setRange(statement, source.getSourceRange()) && headerRange &&
                           !source.getForLoc().isMacroID() && !source.getRParenLoc().isMacroID();
    if (!isWritten)
      loop.problem = "the loop '" + loop.name + "' comes from a macro";
    else
      loop.header = *headerRange;
    loop.range = statement.range;
    loop.tiedDown = isWritten ? whyTextIsTiedDown(loop) : loop.problem;
    if (loop.problem.empty())
      loop.problem = loop.tiedDown;
    if (header.variable && loop.header.end != 0)
      fillHeader(loop, header);
    else
      loop.variable = symbols_.unnamed();
    loop.body = buildBody(source.getBody(), &loop);
    const bool mayExit = std::ranges::any_of(loop.body, [](const Statement &inner) { return !inner.problem.empty(); });
    const bool isInnermost = nest_.loops.back() == &loop; // none was found inside, at any depth
    if (isWritten && isInnermost && (mayExit || !loop.problem.empty()))
      statement.exitLoop = makeExitLoop(source.getInit(), source.getCond(), source.getInc(), source.getBody());
    statements.push_back(std::move(statement));
  }

  /// Directives belong to lines: to move the text around them would lose or misplace them.
  std::string whyTextIsTiedDown(const Loop &loop) const {
    const std::string_view text = nest_.text;
    const auto startsWithHash = [&](std::size_t lineBegin) {
      const std::size_t first = text.find_first_not_of(" \t", lineBegin);
      return first != std::string_view::npos && text[first] == '#';
    };
    for (std::size_t at = text.find('\n', loop.range.begin); at < loop.range.end; at = text.find('\n', at + 1))
      if (startsWithHash(at + 1))
        return "preprocessor directives stand in the loop '" + loop.name + "'";
    const std::size_t before = loop.range.begin == 0 ? 0 : text.find_last_not_of(" \t\n", loop.range.begin - 1);
    const std::size_t lineBreak = before == 0 ? std::string_view::npos : text.rfind('\n', before);
    if (before != std::string_view::npos && startsWithHash(lineBreak == std::string_view::npos ? 0 : lineBreak + 1))
      return "the loop '" + loop.name + "' has a pragma of its own";
    return {};
  }

  void nameLoop(Loop &loop, const CanonicalHeader &header) {
    const int count = ++names_[header.name];
    loop.name = count == 1 ? header.name : header.name + "#" + std::to_string(count);
  }

  void fillHeader(Loop &loop, const CanonicalHeader &header) {
    loop.variable = symbols_.id(header.variable);
    loop.step = header.step;
    loop.ahead = header.ahead;
    if (symbols_.isChanged(header.variable->getCanonicalDecl())) {
      loop.problem = "the loop's variable '" + loop.name + "' is changed in its body";
      return;
    }
    const auto lower = map_.range(header.lower->getSourceRange()), upper = map_.range(header.upper->getSourceRange());
    if (!lower || !upper) {
      loop.problem = "the header of the loop '" + loop.name + "' comes from a macro";
      return;
    }
    loop.lower = *lower;
    loop.upper = *upper;
    loop.lowerValue = makeExpression(header.lower, context_, map_, symbols_);
    loop.upperValue = makeExpression(header.upper, context_, map_, symbols_);
    loop.mayTruncateBound = header.mayTruncateBound;
    const clang::QualType type = header.variable->getType();
    const auto bits = context_.getTypeSize(type) - (type->isSignedIntegerOrEnumerationType() ? 1 : 0);
    if (bits < 63)
      loop.largest = (std::int64_t{1} << bits) - 1;
    loop.lowerBound = symbols_.polynomial(header.lower);
    if (loop.lowerBound)
      loop.lowerConstant = loop.lowerBound->asConstant();
    loop.upperBound = symbols_.polynomial(header.upper);
    if (!loop.upperBound && loop.lowerConstant == 0) {
      loop.upperBound = symbols_.guardedBound(header.upper);
      loop.isUpperGuarded = loop.upperBound.has_value();
    }
    Statement bound;
    StatementScanner(context_, map_, symbols_, bound).scanExpression(header.upper);
    StatementScanner(context_, map_, symbols_, bound).scanExpression(header.lower);
    finish(bound);
    loop.boundReferences = bound.references;
    loop.boundAccesses = bound.accesses;
    if (!bound.problem.empty() || !bound.accesses.empty())
      loop.problem = "the bounds of the loop '" + loop.name + "' read memory or call functions";
    for (const Reference &reference : loop.boundReferences) {
      const Variable &variable = nest_.variable(reference.variable);
      if (variable.isMutated || (variable.isGlobal && !variable.isConstant))
        loop.problem = "the bound '" + variable.name + "' of the loop '" + loop.name + "' may change";
    }
  }

  void addDeclarations(const clang::DeclStmt &declaration, std::vector<Statement> &statements) {
    for (const clang::Decl *inner : declaration.decls()) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(inner);
      if (!variable)
        return addOpaque(&declaration, "a declaration of a type or name", statements);
      Statement statement;
      StatementScanner(context_, map_, symbols_, statement).scanDeclaration(variable, false);
      if (!setRange(statement, declaration.getSourceRange()))
        return addOpaque(&declaration, "a declaration from a macro", statements);
      if (const clang::Expr *init = variable->getInit()) {
        const auto *list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreImplicit());
        const clang::Expr *value = list && list->getNumInits() == 1 ? list->getInit(0) : init;
        if (!list || list->getNumInits() == 1)
          statement.value = makeExpression(value, context_, map_, symbols_);
        if (const auto range = map_.range(value->getSourceRange()))
          statement.initializer = *range;
        if (list && list->getNumInits() == 0) {
          statement.initializer = {};
          statement.isZeroed = true;
        }
        if (list && variable->getType()->isConstantArrayType())
          for (const clang::Expr *element : list->inits())
            statement.elements.push_back(makeExpression(element, context_, map_, symbols_));
      }
      if (!declaration.isSingleDecl())
        statement.sharesDeclaration = true;
      finish(statement);
      statements.push_back(std::move(statement));
    }
  }

  bool setRange(Statement &statement, clang::SourceRange source) const {
    const auto range = map_.range(source);
    if (!range)
      return false;
    statement.range = *range;
    const std::size_t next = nest_.text.find_first_not_of(" \t\n", range->end);
    if (next != std::string::npos && nest_.text[next] == ';' && nest_.text[range->end - 1] != '}' &&
        nest_.text[range->end - 1] != ';')
      statement.range.end = next + 1;
    return true;
  }

  /// Sorts the references, one per name in the text (a macro may use its argument twice).
  static void finish(Statement &statement) {
    auto &references = statement.references;
    std::erase_if(references, [&](const Reference &reference) {
      return std::ranges::find(statement.declaresInside, reference.variable) != statement.declaresInside.end();
    });
    std::ranges::sort(references, {}, &Reference::offset);
    std::vector<Reference> merged;
    for (const Reference &reference : references) {
      if (!merged.empty() && merged.back().offset == reference.offset) {
        merged.back().reads |= reference.reads;
        merged.back().writes |= reference.writes;
        if (merged.back().divisor != reference.divisor)
          merged.back().divisor = 0;
        continue;
      }
      merged.push_back(reference);
    }
    references = std::move(merged);
  }

  const clang::ASTContext &context_;
  const TextMap &map_;
  Nest &nest_;
  const VariableUses &uses_;
  Symbols symbols_;
  std::map<std::string, int> names_, declared_; ///< names of loops; of the function's variables, with their numbers
};

} // namespace

std::unique_ptr<Nest> buildNest(const clang::ASTContext &context, const clang::FunctionDecl &function,
                                const std::string &unit, std::string text, std::size_t unitOffset) {
  auto nest = std::make_unique<Nest>();
  nest->text = std::move(text);
  nest->surroundings = unit;
  const TextMap map(context, unitOffset, nest->text.size());
  const VariableUses uses = collectUses(function.getBody());
  const auto body = map.range(function.getBody()->getSourceRange());
  if (!body || !llvm::isa<clang::CompoundStmt>(function.getBody()))
    return nest; // a function-try-block, or a body from a macro: nothing is offered
  nest->bodyBegin = body->begin;
  Builder builder(context, map, *nest, uses);
  builder.registerLoops(function);
  nest->function = builder.describe(function);
  nest->function.mayReassociateByFlags = context.getLangOpts().AllowFPReassoc || context.getLangOpts().FastMath;
  nest->statements = builder.buildBody(function.getBody(), nullptr);
  nest->walks = builder.walks(function);
  findHelperCalls(function, context, map, uses, *nest);
  return nest;
}

} // namespace agentic::moves
