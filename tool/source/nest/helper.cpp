#include "tool/source/nest/helper.h"

#include "tool/source/loops/code_text.h"
#include "tool/source/parse/lexed_text.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <map>
#include <span>

namespace agentic::moves {
namespace {

using Functions = std::set<const clang::FunctionDecl *>;

/// Finds what a statement changes. Those of variables do not count that the function itself has, if they are `own`.
class ChangeFinder : public clang::RecursiveASTVisitor<ChangeFinder> {
public:
  ChangeFinder(bool own, Functions &active) : own_(own), active_(active) {}
  bool isFound = false;

  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    return !operation->isAssignmentOp() || mayChange(operation->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator *operation) {
    return !operation->isIncrementDecrementOp() || mayChange(operation->getSubExpr());
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return found();
    if (isReadingAlgorithm(*callee))
      return true;
    return (!llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call) &&
            (isPureFunction(callee) || changesNothing(*callee))) ||
           found();
  }
  bool VisitExpr(clang::Expr *expression) {
    const bool isRead = !expression->getType().isVolatileQualified() &&
                        !llvm::isa<clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::LambdaExpr,
                                   clang::StmtExpr, clang::AtomicExpr, clang::CoawaitExpr>(expression);
    return isRead || found();
  }
  bool VisitAsmStmt(clang::AsmStmt *) { return found(); }

private:
  bool found() {
    isFound = true;
    return false;
  }
  bool mayChange(const clang::Expr *target) {
    const clang::VarDecl *variable = namedVariable(target);
    return (own_ && variable && !variable->hasGlobalStorage() && !variable->getType()->isReferenceType()) || found();
  }
  bool changesNothing(const clang::FunctionDecl &callee) {
    constexpr std::size_t kDeepest = 8;
    const clang::FunctionDecl *definition = nullptr;
    if (llvm::isa<clang::CXXMethodDecl>(callee) || !callee.hasBody(definition) || active_.size() >= kDeepest ||
        !active_.insert(definition).second)
      return false;
    ChangeFinder inside(true, active_);
    inside.TraverseStmt(definition->getBody());
    active_.erase(definition);
    return !inside.isFound;
  }

  bool own_;
  Functions &active_;
};

bool changesNothingIn(const clang::Stmt *statement, bool own) {
  Functions active;
  ChangeFinder finder(own, active);
  finder.TraverseStmt(const_cast<clang::Stmt *>(statement));
  return !finder.isFound;
}

/// Finds the names of a body, and what keeps its text from standing elsewhere.
class BodyScan : public clang::RecursiveASTVisitor<BodyScan> {
public:
  explicit BodyScan(const clang::FunctionDecl &function) : function_(function.getCanonicalDecl()) {}

  std::vector<std::pair<const clang::VarDecl *, clang::SourceLocation>> places;
  std::vector<const clang::VarDecl *> variables;
  std::size_t returns = 0;
  bool hasLoop = false;
  std::string problem;

  bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
    if (name->getDecl()->getCanonicalDecl() == function_)
      found("it calls itself");
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable && !variable->hasGlobalStorage())
      places.emplace_back(variable->getCanonicalDecl(), name->getLocation());
    return true;
  }
  bool VisitDecl(clang::Decl *declaration) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable)
      return found("it declares more than variables");
    if (variable->hasGlobalStorage())
      return found("'" + variable->getNameAsString() + "' outlives the call");
    variables.push_back(variable->getCanonicalDecl());
    places.emplace_back(variable->getCanonicalDecl(), variable->getLocation());
    return true;
  }
  bool VisitStmt(clang::Stmt *statement) {
    returns += llvm::isa<clang::ReturnStmt>(statement);
    hasLoop |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
    const bool isPlain =
        !llvm::isa<clang::LabelStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::AsmStmt, clang::CXXTryStmt,
                   clang::LambdaExpr, clang::CXXThisExpr, clang::StmtExpr, clang::CoroutineBodyStmt>(statement);
    return isPlain || found("it holds what is bound to its place: a label, a lambda, assembly or the like");
  }

private:
  bool found(std::string what) {
    if (problem.empty())
      problem = std::move(what);
    return false;
  }
  const clang::FunctionDecl *function_;
};

class Reader {
public:
  Reader(const clang::FunctionDecl &definition, const clang::ASTContext &context)
      : definition_(definition), context_(context),
        text_(context.getSourceManager().getBufferData(context.getSourceManager().getMainFileID())),
        unit_(context, 0, text_.size()), scan_(definition) {}

  Helper read() {
    const auto range = unit_.range(definition_.getSourceRange());
    const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition_.getBody());
    const auto body = block ? unit_.range(block->getSourceRange()) : std::nullopt;
    if (!range || !body)
      return fail("it is written elsewhere, or by a macro");
    helper_.range = *range;
    const clang::QualType type = definition_.getReturnType().getCanonicalType();
    if (!type->isVoidType() && !(type->isScalarType() && !type->isMemberPointerType()))
      return fail("it returns an object");
    if (definition_.isTemplateInstantiation() || definition_.isVariadic())
      return fail("it is a template, or takes any number of arguments");
    scan_.TraverseStmt(definition_.getBody());
    helper_.hasLoop = scan_.hasLoop;
    if (!scan_.problem.empty())
      return fail(scan_.problem);
    if (!fillNames() || !fillMentions(*body))
      return std::move(helper_);
    helper_.changesNothing = changesNothingIn(definition_.getBody(), true);
    fillTexts(*block, *body);
    return std::move(helper_);
  }

private:
  Helper fail(std::string problem) {
    helper_.problem = std::move(problem);
    return std::move(helper_);
  }

  bool fillNames() {
    std::map<const clang::VarDecl *, std::size_t> index;
    const VariableUses uses = collectUses(definition_.getBody());
    for (const clang::ParmVarDecl *parameter : definition_.parameters()) {
      const clang::VarDecl *variable = parameter->getCanonicalDecl();
      index[variable] = helper_.names.size();
      helper_.names.push_back(parameter->getNameAsString());
      helper_.isChanged.push_back(uses.changes.contains(variable) || uses.escaping.contains(variable));
    }
    for (const clang::VarDecl *variable : scan_.variables)
      if (index.try_emplace(variable, helper_.names.size()).second)
        helper_.names.push_back(variable->getNameAsString());
    for (const auto &[variable, location] : scan_.places) {
      const auto offset = unit_.offset(location);
      const auto found = index.find(variable);
      const std::string name = variable->getNameAsString();
      if (!offset || found == index.end() || text_.substr(*offset, name.size()) != name) {
        helper_.problem = "a macro's body names '" + name + "'";
        return false;
      }
      places_[*offset] = found->second;
    }
    return true;
  }

  /// Fills the names that must mean the same elsewhere.
  bool fillMentions(Range body) {
    const LexedText lexed = lexText(std::string_view(text_).substr(body.begin, body.end - body.begin));
    if (!lexed.directives.empty()) {
      helper_.problem = "directives stand in it";
      return false;
    }
    for (std::size_t i = 0; i < lexed.tokens.size(); ++i) {
      const bool isMember = i > 0 && (lexed.is(i - 1, ".") || lexed.is(i - 1, "->") || lexed.is(i - 1, "::"));
      if (lexed.isIdentifier(i) && !isMember && !places_.contains(body.begin + lexed.tokens[i].begin))
        helper_.mentions.emplace(lexed.spelling(i));
    }
    return true;
  }

  void fillTexts(const clang::CompoundStmt &block, Range body) {
    const std::vector<const clang::Stmt *> statements(block.body_begin(), block.body_end());
    std::size_t count = 0; // statements that are no part of the value
    while (count < statements.size() && !returnsAlways(std::span(statements).subspan(count)))
      ++count;
    std::size_t end = body.end - 1;
    if (count < statements.size()) {
      const auto last = unit_.range(statements[count]->getSourceRange());
      const bool isWritten = last && appendChain(std::span(statements).subspan(count), helper_.value);
      taken_ = isWritten ? taken_ : 0;
      end = last ? last->begin : end;
    }
    if (taken_ != scan_.returns)
      helper_.problem = "it returns from its middle, or by a macro";
    else if (count > 0)
      helper_.body = open({body.begin + 1, end});
  }

  /// Returns the statements of a branch.
  static std::vector<const clang::Stmt *> branch(const clang::Stmt *statement) {
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement))
      return {block->body_begin(), block->body_end()};
    return {statement};
  }

  static const clang::IfStmt *plainIf(const clang::Stmt *statement) {
    const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement);
    return choice && !choice->getInit() && !choice->getConditionVariable() && !choice->isConstexpr() &&
                   !choice->isConsteval()
               ? choice
               : nullptr;
  }

  /// Returns whether the statements are nothing but conditions and returns.
  static bool returnsAlways(std::span<const clang::Stmt *const> statements) {
    if (statements.empty())
      return false;
    if (llvm::isa<clang::ReturnStmt>(statements.front()))
      return statements.size() == 1;
    const clang::IfStmt *choice = plainIf(statements.front());
    if (!choice || !returnsAlways(branch(choice->getThen())))
      return false;
    return choice->getElse() ? statements.size() == 1 && returnsAlways(branch(choice->getElse()))
                             : returnsAlways(statements.subspan(1));
  }

  /// Appends what such statements return; false if it is not written in the text.
  bool appendChain(std::span<const clang::Stmt *const> statements, OpenText &value) {
    if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statements.front())) {
      ++taken_;
      return !result->getRetValue() || appendReturned(*result->getRetValue(), value);
    }
    const clang::IfStmt *choice = plainIf(statements.front());
    const auto condition = unit_.range(choice->getCond()->getSourceRange());
    if (!condition || definition_.getReturnType()->isVoidType())
      return false;
    value.append("((");
    value.append(open(*condition));
    value.append(") ? ");
    if (!appendChain(branch(choice->getThen()), value))
      return false;
    value.append(" : ");
    const bool isWritten =
        choice->getElse() ? appendChain(branch(choice->getElse()), value) : appendChain(statements.subspan(1), value);
    value.append(")");
    return isWritten;
  }

  bool appendReturned(const clang::Expr &returned, OpenText &value) {
    const auto range = unit_.range(returned.getSourceRange());
    if (!range)
      return false;
    const clang::QualType type = plainType(definition_.getReturnType());
    const bool isAlike = plainType(returned.IgnoreParenImpCasts()->getType()) == type || type->isPointerType();
    const OpenText text = open(*range);
    const bool isWord = text.pieces.size() == 1 && (text.pieces[0].name || isName(text.pieces[0].text));
    if (isAlike && isWord) {
      value.append(text);
      return true;
    }
    value.append(isAlike ? "(" : "static_cast<" + type.getAsString(context_.getPrintingPolicy()) + ">(");
    value.append(text);
    value.append(")");
    return true;
  }

  OpenText open(Range range) const {
    OpenText result;
    std::size_t done = range.begin;
    const auto upTo = [&](std::size_t end) {
      if (end > done)
        result.append(std::string(text_.substr(done, end - done)));
    };
    for (auto place = places_.lower_bound(range.begin); place != places_.end() && place->first < range.end; ++place) {
      upTo(place->first);
      result.pieces.push_back({{}, place->second});
      done = place->first + helper_.names[place->second].size();
    }
    upTo(range.end);
    return result;
  }

  const clang::FunctionDecl &definition_;
  const clang::ASTContext &context_;
  llvm::StringRef text_;
  TextMap unit_;
  BodyScan scan_;
  std::map<std::size_t, std::size_t> places_; ///< offset of a name of its own → index in Helper::names
  std::size_t taken_ = 0;                     ///< returns that are in the value
  Helper helper_;
};

} // namespace

Helper readHelper(const clang::FunctionDecl &definition, const clang::ASTContext &context) {
  return Reader(definition, context).read();
}

bool changesNothing(const clang::Expr *expression) {
  return changesNothingIn(expression, false);
}

} // namespace agentic::moves
