#include "ast-checks/first_use.h"

#include "ast-checks/memory_path.h"
#include "ast-checks/names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace agentic::checks {
namespace {

constexpr int kDeepestCall = 6;       // nested calls of the unit's functions
constexpr int kMostBodyWalks = 2'000; // walks of their bodies, for one function

// These take a pointer to const and read nothing.
constexpr auto kNoReads =
    std::to_array<std::string_view>({"__builtin_assume_aligned", "__builtin_prefetch", "__builtin_align_up",
                                     "__builtin_align_down", "__builtin_is_aligned", "__builtin_launder"});

/// `Memo() {}` initialises as little as no constructor.
bool setsNothing(const clang::CXXConstructorDecl &constructor) {
  const clang::FunctionDecl *definition = nullptr;
  if (!constructor.isUserProvided() || !constructor.isDefaultConstructor() || !constructor.hasBody(definition))
    return false;
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  return body && body->body_empty() && llvm::cast<clang::CXXConstructorDecl>(definition)->getNumCtorInitializers() == 0;
}

bool isLeftUnset(const clang::VarDecl &variable, const clang::ASTContext &ast) {
  const clang::QualType type = ast.getBaseElementType(variable.getType());
  if (!variable.hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) || type->isReferenceType() ||
      variable.isInvalidDecl())
    return false;
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return !variable.getInit();
  const auto *made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable.getInit());
  if (made && record->hasDefinition() && !record->isEmpty() && setsNothing(*made->getConstructor()))
    return true;
  return record->hasDefinition() && record->hasTrivialDefaultConstructor() && !record->isEmpty() && made &&
         made->getNumArgs() == 0 && !made->requiresZeroInitialization() && !made->isListInitialization();
}

const clang::LambdaExpr *lambdaOf(const clang::Expr *expression) {
  expression = expression ? expression->IgnoreUnlessSpelledInSource() : nullptr;
  return llvm::dyn_cast_or_null<clang::LambdaExpr>(expression);
}

struct Budget {
  int walks = kMostBodyWalks;
};

class Walk {
public:
  Walk(const clang::ASTContext &ast, Budget &budget, int depth) : places_{ast, {}}, budget_(budget), depth_(depth) {}

  void track(const clang::VarDecl &variable) { declaredIn_[&variable] = loops_.size(); }
  void statement(const clang::Stmt *statement);
  std::vector<UnsetRead> result() const {
    std::vector<UnsetRead> reads;
    for (const Found &found : found_)
      reads.push_back(found.read);
    return reads;
  }

private:
  struct Loop {
    int id = 0, guards = 0;
  };
  struct Found {
    UnsetRead read;
    MemoryPath path;
    int loop = 0; ///< a later iteration of this loop may read what an earlier one wrote; 0 = none
  };

  bool isTracked(const MemoryPath &path) const { return declaredIn_.contains(path.variable); }
  void read(const MemoryPath &path, clang::SourceLocation location);
  void write(const MemoryPath &path);
  void escape(const clang::Expr &expression);
  void indices(const clang::Expr &expression);

  void declare(const clang::VarDecl &variable);
  bool control(const clang::Stmt &statement);
  bool expression(const clang::Expr &expression);
  bool operation(const clang::Expr &expression);
  void guarded(const clang::Stmt *inside) {
    ++guards_;
    statement(inside);
    --guards_;
  }
  void loop(std::initializer_list<const clang::Stmt *> parts);

  void call(const clang::CallExpr &call);
  void argument(const clang::FunctionDecl *callee, unsigned index, const clang::Expr &argument);
  void object(const clang::CXXMethodDecl &method, const clang::Expr &object);
  bool readsFirst(const clang::FunctionDecl &callee, unsigned index);
  void body(const clang::CXXMethodDecl &lambda);

  Places places_;
  Budget &budget_;
  int depth_ = 0, guards_ = 0, lastLoop_ = 0;
  std::map<const clang::VarDecl *, std::size_t> declaredIn_;                     ///< tracked → depth of loops around it
  std::map<const clang::VarDecl *, std::set<std::vector<std::string>>> written_; ///< steps of paths
  std::vector<Loop> loops_;
  std::vector<Found> found_;
};

void Walk::read(const MemoryPath &path, clang::SourceLocation location) {
  if (!isTracked(path))
    return;
  auto &written = written_[path.variable];
  if (std::ranges::any_of(written, [&](const auto &steps) { return MemoryPath{path.variable, steps}.overlaps(path); }))
    return;
  // A test in a loop may limit the read to later iterations: `if (i > 0) use(last); last = …`.
  const std::size_t around = declaredIn_[path.variable];
  const bool mayBeLater = loops_.size() > around && guards_ > loops_[around].guards;
  found_.push_back({{path.variable, location}, path, mayBeLater ? loops_[around].id : 0});
  written.insert(path.steps); // reported once
}

void Walk::write(const MemoryPath &path) {
  // Code that changes a pointer, or has its address, may have written the memory behind it.
  if (const auto pointer = places_.pointers.find(path.variable); pointer != places_.pointers.end())
    write(MemoryPath(pointer->second));
  if (!isTracked(path))
    return;
  written_[path.variable].insert(path.steps);
  std::erase_if(found_, [&](const Found &found) {
    return found.loop && found.path.overlaps(path) && std::ranges::find(loops_, found.loop, &Loop::id) != loops_.end();
  });
}

void Walk::escape(const clang::Expr &expression) {
  const auto path = expression.getType()->isPointerType() && expression.isPRValue() ? pathBehind(expression, places_)
                                                                                    : pathOf(expression, places_);
  if (path)
    write(reachable(*path));
  indices(expression);
}

/// Visits the computation of an element's place: `table[key[i]]` reads key.
void Walk::indices(const clang::Expr &expression) {
  const clang::Expr *part = expression.IgnoreParenCasts();
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
    indices(*element->getBase());
    statement(element->getIdx());
  } else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(part)) {
    indices(*member->getBase());
  } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(part)) {
    indices(*unary->getSubExpr());
  } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(part)) {
    const bool isSwapped = !binary->getLHS()->getType()->isPointerType();
    indices(isSwapped ? *binary->getRHS() : *binary->getLHS());
    statement(isSwapped ? binary->getLHS() : binary->getRHS());
  } else if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(part)) {
    for (unsigned i = 1; i < call->getNumArgs(); ++i)
      statement(call->getArg(i));
  }
}

void Walk::declare(const clang::VarDecl &variable) {
  const clang::Expr *value = variable.getInit();
  if (isLeftUnset(variable, places_.ast))
    return track(variable);
  if (!value || lambdaOf(value))
    return; // a lambda is walked at its call
  if (variable.getType()->isReferenceType() && pathOf(*value, places_))
    return indices(*value); // another name
  if (const auto place = variable.getType()->isPointerType() ? pathBehind(*value, places_) : std::nullopt) {
    MemoryPath &known = places_.pointers[&variable] = reachable(*place);
    if (value->IgnoreParenImpCasts()->getType()->isArrayType() && (known.steps.empty() || known.steps.back() != "[*]"))
      known.steps.emplace_back("[*]"); // the pointer may move on from there
    return indices(*value);
  }
  statement(value);
}

void Walk::loop(std::initializer_list<const clang::Stmt *> parts) {
  loops_.push_back({++lastLoop_, guards_});
  for (const clang::Stmt *part : parts)
    statement(part);
  loops_.pop_back();
}

bool Walk::control(const clang::Stmt &node) {
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(&node)) {
    for (const clang::Decl *decl : declarations->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
        declare(*variable);
  } else if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(&node)) {
    statement(choice->getInit());
    statement(choice->getConditionVariableDeclStmt());
    statement(choice->getCond());
    guarded(choice->getThen());
    guarded(choice->getElse());
  } else if (const auto *cases = llvm::dyn_cast<clang::SwitchStmt>(&node)) {
    statement(cases->getInit());
    statement(cases->getCond());
    guarded(cases->getBody());
  } else if (const auto *counted = llvm::dyn_cast<clang::ForStmt>(&node)) {
    statement(counted->getInit());
    loop({counted->getCond(), counted->getBody(), counted->getInc()});
  } else if (const auto *ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(&node)) {
    for (const clang::Stmt *part :
         {static_cast<const clang::Stmt *>(ranged->getInit()), static_cast<const clang::Stmt *>(ranged->getRangeStmt()),
          static_cast<const clang::Stmt *>(ranged->getBeginStmt())})
      statement(part);
    loop({ranged->getLoopVarStmt(), ranged->getBody()});
  } else if (const auto *waiting = llvm::dyn_cast<clang::WhileStmt>(&node)) {
    loop({waiting->getConditionVariableDeclStmt(), waiting->getCond(), waiting->getBody()});
  } else if (const auto *repeated = llvm::dyn_cast<clang::DoStmt>(&node)) {
    loop({repeated->getBody(), repeated->getCond()});
  } else {
    return false;
  }
  return true;
}

/// Handles operators that read, write or guard.
bool Walk::operation(const clang::Expr &node) {
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&node)) {
    if (!binary->isAssignmentOp() && !binary->isLogicalOp())
      return false;
    if (binary->isLogicalOp()) {
      statement(binary->getLHS());
      guarded(binary->getRHS());
      return true;
    }
    const auto target = pathOf(*binary->getLHS(), places_);
    if (!target)
      return false;
    statement(binary->getRHS());
    indices(*binary->getLHS());
    if (binary->isCompoundAssignmentOp())
      read(*target, binary->getExprLoc());
    write(*target);
    if (binary->getOpcode() == clang::BO_Assign && target->steps.empty())
      places_.pointers.erase(target->variable);
    return true;
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&node); unary && unary->isIncrementDecrementOp()) {
    const auto target = pathOf(*unary->getSubExpr(), places_);
    if (!target)
      return false;
    indices(*unary->getSubExpr());
    read(*target, unary->getExprLoc());
    write(*target);
    return true;
  }
  const auto *conditional = llvm::dyn_cast<clang::ConditionalOperator>(&node);
  if (!conditional)
    return false;
  statement(conditional->getCond());
  guarded(conditional->getTrueExpr());
  guarded(conditional->getFalseExpr());
  return true;
}

bool Walk::expression(const clang::Expr &node) {
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr>(node) || operation(node))
    return true;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&node)) {
    if (!pathOf(node, places_))
      this->call(*call);
    else
      escape(node);
    return true;
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&node);
      cast && cast->getCastKind() == clang::CK_LValueToRValue)
    if (const auto path = pathOf(*cast->getSubExpr(), places_); path && !node.getType()->isPointerType()) {
      indices(*cast->getSubExpr());
      read(*path, cast->getExprLoc());
      return true;
    }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&node))
    if (made->getConstructor()->isCopyOrMoveConstructor() && made->getNumArgs() > 0)
      if (const auto path = pathOf(*made->getArg(0), places_)) {
        read(*path, made->getExprLoc());
        return true;
      }
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&node)) {
    for (const clang::LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          write({variable, {}});
    return true;
  }
  const bool isPlace = node.isGLValue() ? pathOf(node, places_).has_value()
                                        : node.getType()->isPointerType() && pathBehind(node, places_).has_value();
  if (isPlace)
    escape(node);
  return isPlace;
}

void Walk::statement(const clang::Stmt *node) {
  if (!node || control(*node))
    return;
  if (const auto *value = llvm::dyn_cast<clang::Expr>(node); value && expression(*value))
    return;
  for (const clang::Stmt *child : node->children())
    statement(child);
}

bool Walk::readsFirst(const clang::FunctionDecl &callee, unsigned index) {
  const clang::FunctionDecl *definition = callee.getDefinition();
  const bool isOurs = definition && definition->getBody() && index < definition->getNumParams() &&
                      !places_.ast.getSourceManager().isInSystemHeader(definition->getLocation());
  if (!isOurs || depth_ >= kDeepestCall || --budget_.walks < 0)
    return false;
  Walk walk(places_.ast, budget_, depth_ + 1);
  const clang::ParmVarDecl *parameter = definition->getParamDecl(index);
  walk.track(*parameter);
  walk.statement(definition->getBody());
  return !walk.result().empty();
}

void Walk::body(const clang::CXXMethodDecl &lambda) {
  if (!lambda.getBody() || depth_ >= kDeepestCall || --budget_.walks < 0)
    return;
  ++depth_;
  statement(lambda.getBody());
  --depth_;
}

void Walk::object(const clang::CXXMethodDecl &method, const clang::Expr &object) {
  const auto path = pathOf(object, places_);
  if (!path)
    return statement(&object);
  indices(object);
  if (method.isConst())
    read(*path, object.getExprLoc());
  write(*path);
}

void Walk::argument(const clang::FunctionDecl *callee, unsigned index, const clang::Expr &argument) {
  const bool isReference = argument.isGLValue();
  const auto path = isReference                           ? pathOf(argument, places_)
                    : argument.getType()->isPointerType() ? pathBehind(argument, places_)
                                                          : std::nullopt;
  if (!path || !isTracked(*path))
    return statement(&argument);
  indices(argument);
  const MemoryPath place = isReference ? *path : reachable(*path);
  const clang::QualType type =
      callee && index < callee->getNumParams() ? callee->getParamDecl(index)->getType() : argument.getType();
  const bool isConst = (type->isReferenceType() || type->isPointerType()) && type->getPointeeType().isConstQualified();
  if (callee &&
      (isConst ? std::ranges::find(kNoReads, qualifiedName(*callee)) == kNoReads.end() : readsFirst(*callee, index)))
    read(place, argument.getExprLoc());
  write(place);
}

void Walk::call(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  unsigned first = 0;
  const bool isLambda = method && method->getParent()->isLambda();
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call); member && member->getMethodDecl())
    object(*member->getMethodDecl(), *member->getImplicitObjectArgument());
  else if (!callee)
    statement(call.getCallee());
  if (llvm::isa<clang::CXXOperatorCallExpr>(call) && method && method->isInstance()) {
    first = 1; // the object is an argument, not a parameter
    if (!isLambda)
      object(*method, *call.getArg(0));
  }
  for (unsigned i = first; i < call.getNumArgs(); ++i)
    argument(callee, i - first, *call.getArg(i));
  if (isLambda)
    body(*method);
}

} // namespace

std::vector<UnsetRead> unsetReads(const clang::FunctionDecl &function) {
  // A lambda's body belongs to the enclosing function.
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && method->getParent()->isLambda() && method->getParent()->isLocalClass())
    return {};
  Budget budget;
  Walk walk(function.getASTContext(), budget, 0);
  walk.statement(function.getBody());
  return walk.result();
}

} // namespace agentic::checks
