#include "tool/source/coverage/coverage_visitor.h"

#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>

namespace agentic::coverage {
namespace {

const clang::Stmt *stripped(const clang::Stmt *statement) {
  while (statement) {
    if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
      statement = attributed->getSubStmt();
    else if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement); block && block->size() == 1)
      statement = block->body_front();
    else
      break;
  }
  return statement;
}

/// Returns whether it is `abort();` or `__builtin_unreachable();`: not meant to run.
bool isDeadEnd(const clang::Stmt *statement) {
  const auto *expression = llvm::dyn_cast_or_null<clang::Expr>(stripped(statement));
  const auto *call = expression ? llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenCasts()) : nullptr;
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && (callee->isNoReturn() || callee->getBuiltinID() == clang::Builtin::BI__builtin_unreachable);
}

std::string functionName(const clang::FunctionDecl &function) {
  const std::string name = function.getNameAsString();
  return name.starts_with("agentic_kernel_") ? "the kernel" : "function '" + name + "'";
}

class PlaceVisitor : public RunTimeVisitor<PlaceVisitor> {
public:
  using Base = RunTimeVisitor<PlaceVisitor>;
  PlaceVisitor(const clang::ASTContext &context, const Reach &reach, const std::function<bool(std::size_t)> &isOwn,
               const std::function<unsigned(std::size_t)> &lineOf)
      : context_(context), places_(context), reach_(reach), isOwn_(isOwn), lineOf_(lineOf) {}

  Found take() { return std::move(found_); }

  bool TraverseDecl(clang::Decl *declaration) {
    const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const clang::Stmt *body = function ? bodyOf(*function) : nullptr;
    if (!body || !function->doesThisDeclarationHaveABody())
      return Base::TraverseDecl(declaration);
    const auto key = places_.offset(body->getBeginLoc());
    if (!key || !isOwn_(*key))
      return note(function->getBeginLoc()); // made by a macro, or not the candidate's
    if (function->isConsteval() || !reach_.functions.contains(*key))
      return true;
    // C++11 permits no statements in constexpr functions; their callers have places, too. The compiler writes the body
    // of a defaulted one, and only the initial values of members are the candidate's.
    if (!function->isDefaulted() && (!function->isConstexpr() || context_.getLangOpts().CPlusPlus14))
      addFirst(body, "body of " + functionName(*function), placeOf(*function, *key));
    return inside(false, [&] { return Base::TraverseDecl(declaration); });
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    const auto key = places_.offset(lambda->getBody()->getBeginLoc());
    if (!key || !reach_.functions.contains(*key))
      return !key && note(lambda->getBeginLoc());
    addFirst(lambda->getBody(), "body of the lambda", *key);
    return inside(false, [&] { return Base::TraverseLambdaExpr(lambda); });
  }

  bool TraverseVarDecl(clang::VarDecl *variable) {
    return inside(isConstant_ || isConstantInitialised(*variable, context_),
                  [&] { return Base::TraverseVarDecl(variable); });
  }

  bool TraverseIfStmt(clang::IfStmt *choice) {
    const auto condition =
        places_.range(choice->getCond() ? choice->getCond()->getSourceRange() : clang::SourceRange());
    const Outcomes outcomes = reach_.of(condition);
    const auto where = places_.offset(choice->getIfLoc());
    if (!where)
      (void)note(choice->getIfLoc());
    else if (!choice->isConsteval() && !choice->isConstexpr() && !choice->getConditionVariable() && condition)
      addCondition(*choice, *condition, outcomes, *where);
    else if (!choice->isConsteval())
      addArms(*choice, outcomes, *where);
    return TraverseStmt(choice->getInit()) && TraverseDecl(choice->getConditionVariable()) &&
           (choice->isConstexpr() || choice->getConditionVariable() || TraverseStmt(choice->getCond())) &&
           (!outcomes.canBeTrue || TraverseStmt(choice->getThen())) &&
           (!outcomes.canBeFalse || TraverseStmt(choice->getElse()));
  }

  bool TraverseForStmt(clang::ForStmt *loop) {
    return addLoop(loop->getForLoc(), loop->getCond(), loop->getBody()) && Base::TraverseForStmt(loop);
  }
  bool TraverseWhileStmt(clang::WhileStmt *loop) {
    return addLoop(loop->getWhileLoc(), loop->getCond(), loop->getBody()) && Base::TraverseWhileStmt(loop);
  }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
    // Parts that the language adds are not written.
    return addLoop(loop->getForLoc(), nullptr, loop->getBody()) && TraverseStmt(loop->getInit()) &&
           TraverseStmt(loop->getRangeInit()) && TraverseStmt(loop->getBody());
  }
  bool TraverseSwitchStmt(clang::SwitchStmt *labels) {
    if (!llvm::isa<clang::CompoundStmt>(labels->getBody()))
      return note(labels->getSwitchLoc()); // there is no block to add statements to
    return Base::TraverseSwitchStmt(labels);
  }
  bool TraverseCaseStmt(clang::CaseStmt *label) { return addLabel(*label) && TraverseStmt(label->getSubStmt()); }
  bool TraverseDefaultStmt(clang::DefaultStmt *label) { return addLabel(*label) && TraverseStmt(label->getSubStmt()); }

  bool TraverseConditionalOperator(clang::ConditionalOperator *choice) {
    const auto condition = places_.range(choice->getCond()->getSourceRange());
    const Outcomes outcomes = reach_.of(condition);
    const auto where = places_.offset(choice->getQuestionLoc());
    noteOwnMacro(choice->getQuestionLoc());
    if (isMeasured(*choice->getCond(), outcomes) && !isInMacro(choice->getQuestionLoc())) {
      if (!where || !condition)
        (void)note(choice->getBeginLoc());
      else
        addChoice(*condition, addArm(choice->getTrueExpr(), "first alternative of ?:"),
                  addArm(choice->getFalseExpr(), "second alternative of ?:"));
    }
    return TraverseStmt(choice->getCond()) && (!outcomes.canBeTrue || TraverseStmt(choice->getTrueExpr())) &&
           (!outcomes.canBeFalse || TraverseStmt(choice->getFalseExpr()));
  }

  bool TraverseBinaryOperator(clang::BinaryOperator *operation) {
    if (!operation->isLogicalOp())
      return Base::TraverseBinaryOperator(operation);
    const bool isAnd = operation->getOpcode() == clang::BO_LAnd;
    const auto left = places_.range(operation->getLHS()->getSourceRange());
    const Outcomes outcomes = reach_.of(left);
    noteOwnMacro(operation->getOperatorLoc());
    if (isMeasured(*operation->getLHS(), outcomes) && !isInMacro(operation->getOperatorLoc())) {
      const std::size_t place =
          left ? addArm(operation->getRHS(), std::string("right operand of ") + (isAnd ? "&&" : "||")) : 0;
      if (place != 0)
        addChoice(*left, isAnd ? place : 0, isAnd ? 0 : place);
      else
        (void)note(operation->getOperatorLoc());
    }
    return TraverseStmt(operation->getLHS()) &&
           (!(isAnd ? outcomes.canBeTrue : outcomes.canBeFalse) || TraverseStmt(operation->getRHS()));
  }

private:
  template <class F> bool inside(bool isConstant, F traverse) {
    const bool outer = isConstant_;
    isConstant_ = isConstant;
    const bool goesOn = traverse();
    isConstant_ = outer;
    return goesOn;
  }

  /// Skips the expansion of a header's macro (assert); reports that of SOURCE's; hides that of the candidate's own.
  bool note(clang::SourceLocation location) {
    const clang::SourceManager &sources = context_.getSourceManager();
    const auto use = places_.offset(sources.getExpansionLoc(location));
    const auto written = places_.offset(sources.getSpellingLoc(location));
    if (use && written && isOwn_(*use))
      (isOwn_(*written) && isInMacro(location) ? found_.hidden : found_.unmeasured).push_back(*use);
    return true;
  }
  /// Handles an operator in a macro, or in the arguments of one that no header defines (a header's is assert).
  void noteOwnMacro(clang::SourceLocation location) {
    if (!isInMacro(location))
      return;
    const clang::SourceManager &sources = context_.getSourceManager();
    const clang::SourceLocation body =
        sources.isMacroArgExpansion(location) ? sources.getImmediateExpansionRange(location).getBegin() : location;
    const auto written = places_.offset(sources.getSpellingLoc(location));
    if (written && isOwn_(*written) && places_.offset(sources.getSpellingLoc(body)))
      (void)note(location);
  }
  static bool isInMacro(clang::SourceLocation location) { return location.isMacroID(); }

  bool isMeasured(const clang::Expr &condition, const Outcomes &outcomes) const {
    return !isConstant_ && !outcomes.isConstant && !condition.getType()->isVectorType();
  }

  /// Returns the place of a function's name; of its body if the name is not as the candidate wrote it.
  std::size_t placeOf(const clang::FunctionDecl &function, std::size_t body) const {
    const std::size_t name = places_.offset(function.getLocation()).value_or(body);
    return isOwn_(name) ? name : body;
  }

  std::size_t add(std::size_t at, std::string what, Written guarded) {
    if (!isOwn_(at))
      return 0;
    found_.places.push_back({at, std::move(what), guarded});
    return found_.places.size();
  }
  std::string line(std::size_t at) const { return std::to_string(lineOf_(at)); }
  static std::string call(std::size_t place) { return "(void)agentic_coverage_at(" + std::to_string(place) + "u);"; }

  /// Adds a place at the beginning of a block, or of a statement that becomes one.
  void addFirst(const clang::Stmt *statement, const std::string &what, std::size_t at) {
    const clang::Stmt *inner = statement;
    while (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(inner))
      inner = attributed->getSubStmt();
    const auto written = places_.statement(statement), block = places_.range(inner->getSourceRange());
    if (!written || !block || !isOwn_(written->begin)) {
      (void)note(statement->getBeginLoc());
      return;
    }
    const std::size_t place = add(at, what, *written);
    if (place == 0)
      return;
    if (llvm::isa<clang::CompoundStmt>(inner)) {
      found_.insertions.push_back({block->begin + 1, block->end, false, " " + call(place)});
      return;
    }
    const std::size_t begin = places_.withPragmas(written->begin);
    found_.insertions.push_back(
        {begin, written->end, false, "{ " + call(place) + (begin < written->begin ? "\n" : " ")});
    found_.insertions.push_back({written->end, begin, true, " }"});
  }

  bool addLoop(clang::SourceLocation keyword, const clang::Expr *condition, const clang::Stmt *body) {
    const Outcomes outcomes = condition ? reach_.of(places_.range(condition->getSourceRange())) : Outcomes{true, true};
    const auto where = places_.offset(keyword);
    if (!where)
      return note(keyword);
    if (outcomes.canBeTrue && isOwn_(*where) && !isDeadEnd(body))
      addFirst(body, "body of the loop", *where);
    return true;
  }

  void addArms(const clang::IfStmt &choice, const Outcomes &outcomes, std::size_t where) {
    const clang::Stmt *otherwise = choice.getElse();
    if (outcomes.canBeTrue && !isDeadEnd(choice.getThen()))
      addFirst(choice.getThen(), "branch of the if", where);
    if (otherwise && outcomes.canBeFalse && !isDeadEnd(otherwise))
      addFirst(otherwise, "else of the if in line " + line(where),
               places_.offset(otherwise->getBeginLoc()).value_or(where));
    if (!otherwise && !choice.isConstexpr())
      found_.unmeasured.push_back(where);
  }

  void addCondition(const clang::IfStmt &choice, Written condition, const Outcomes &outcomes, std::size_t where) {
    const clang::Stmt *otherwise = choice.getElse();
    const auto then = places_.range(choice.getThen()->getSourceRange());
    const auto other = otherwise ? places_.range(otherwise->getSourceRange()) : std::nullopt;
    std::size_t yes = 0, no = 0;
    if (outcomes.canBeTrue && !isDeadEnd(choice.getThen()))
      yes = add(where, "branch of the if", then.value_or(Written{where, where}));
    if (otherwise && outcomes.canBeFalse && !isDeadEnd(otherwise))
      no = add(other ? other->begin : where, "else of the if in line " + line(where),
               other.value_or(Written{where, where}));
    // A branch that is always taken leaves the condition untested, unless it is the whole rest of a dead end.
    if (!otherwise && outcomes.canBeFalse && outcomes.canBeTrue)
      no = add(where, "way past the if (its condition was always true)", {where, where});
    if (yes != 0 || no != 0)
      addChoice(condition, yes, no);
  }

  std::size_t addArm(const clang::Expr *arm, std::string what) {
    const auto written = places_.range(arm->getSourceRange());
    return written && !isDeadEnd(arm) ? add(written->begin, std::move(what), *written) : 0;
  }

  void addChoice(Written condition, std::size_t yes, std::size_t no) {
    if (yes == 0 && no == 0)
      return;
    found_.insertions.push_back({condition.begin, condition.end, false,
                                 "agentic_coverage_if(" + std::to_string(yes) + "u, " + std::to_string(no) + "u, !!("});
    found_.insertions.push_back({condition.end, condition.begin, true, "))"});
  }

  bool addLabel(const clang::SwitchCase &label) {
    const auto keyword = places_.offset(label.getKeywordLoc()), colon = places_.offset(label.getColonLoc());
    const clang::Stmt *statement = label.getSubStmt();
    if (!keyword || !colon)
      return note(label.getKeywordLoc());
    if (isDeadEnd(statement))
      return true;
    const auto guarded = places_.range(statement->getSourceRange());
    const bool isDefault = llvm::isa<clang::DefaultStmt>(label);
    if (const std::size_t place =
            add(*keyword, isDefault ? "default label" : "case label", guarded.value_or(Written{*keyword, *keyword})))
      found_.insertions.push_back({*colon + 1, *colon + 1, false, " " + call(place)});
    return true;
  }

  const clang::ASTContext &context_;
  Places places_;
  const Reach &reach_;
  const std::function<bool(std::size_t)> &isOwn_;
  const std::function<unsigned(std::size_t)> &lineOf_;
  Found found_;
  bool isConstant_ = false;
};

} // namespace

Found findPlaces(const clang::ASTContext &context, const Reach &reach, const std::function<bool(std::size_t)> &isOwn,
                 const std::function<unsigned(std::size_t)> &lineOf) {
  PlaceVisitor visitor(context, reach, isOwn, lineOf);
  forEachOwn(context, [&](clang::Decl *declaration) { visitor.TraverseDecl(declaration); });
  return visitor.take();
}

} // namespace agentic::coverage
