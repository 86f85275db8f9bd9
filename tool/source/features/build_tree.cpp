#include "tool/source/features/build_tree.h"

#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <utility>

namespace agentic::features {
namespace {

constexpr std::size_t kMostNodes = 4000; // of helpers, too: a hostile closure must not take minutes
constexpr std::size_t kDeepestHelpers = 4, kMostElements = 32;

/// The calls of one expression.
struct CallFinder : clang::RecursiveASTVisitor<CallFinder> {
  std::vector<const clang::CallExpr *> calls;
  bool VisitCallExpr(clang::CallExpr *call) {
    calls.push_back(call);
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *) { return true; }
};

/// A header that counts, of more forms than the moves take: up to and with a bound, downwards, `i + 4 <= n`.
struct Counting {
  const clang::VarDecl *variable = nullptr;
  std::int64_t step = 1;
  const clang::Expr *first = nullptr, *bound = nullptr; ///< bound: nullptr if the variable is not compared alone
  bool reachesBound = false;
};

const clang::VarDecl *integerVariable(const clang::Expr *source) {
  const auto *name = source ? llvm::dyn_cast<clang::DeclRefExpr>(source->IgnoreParenImpCasts()) : nullptr;
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return variable && variable->getType()->isIntegerType() ? variable : nullptr;
}

bool mentions(const clang::Stmt *source, const clang::VarDecl *variable) {
  if (const auto *name = llvm::dyn_cast_or_null<clang::DeclRefExpr>(source))
    return name->getDecl() == variable;
  return source &&
         std::ranges::any_of(source->children(), [&](const clang::Stmt *part) { return mentions(part, variable); });
}

bool readsMemory(const clang::Stmt *source) {
  if (!source)
    return false;
  const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(source);
  return llvm::isa<clang::ArraySubscriptExpr, clang::CallExpr>(source) ||
         (unary && unary->getOpcode() == clang::UO_Deref) || std::ranges::any_of(source->children(), readsMemory);
}

/// Returns the variable that a step counts, and by how much.
Counting stepOf(const clang::Expr *source, const clang::ASTContext &context) {
  source = source ? source->IgnoreParens() : nullptr;
  if (const auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(source);
      unary && unary->isIncrementDecrementOp())
    return {.variable = integerVariable(unary->getSubExpr()), .step = unary->isIncrementOp() ? 1 : -1};
  const auto *sum = llvm::dyn_cast_or_null<clang::CompoundAssignOperator>(source);
  clang::Expr::EvalResult step;
  if (!sum || (sum->getOpcode() != clang::BO_AddAssign && sum->getOpcode() != clang::BO_SubAssign) ||
      sum->getRHS()->isValueDependent() || !sum->getRHS()->EvaluateAsInt(step, context))
    return {};
  const std::int64_t value = step.Val.getInt().getExtValue();
  return {.variable = integerVariable(sum->getLHS()), .step = sum->getOpcode() == clang::BO_AddAssign ? value : -value};
}

Counting countingOf(const clang::ForStmt &source, const clang::ASTContext &context) {
  const auto *test = llvm::dyn_cast_or_null<clang::BinaryOperator>(source.getCond());
  Counting result = stepOf(source.getInc(), context);
  if (!test || !result.variable || result.step == 0 || !mentions(test, result.variable) || readsMemory(test) ||
      !(test->isRelationalOp() || test->getOpcode() == clang::BO_NE))
    return {};
  if (const auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(source.getInit()); declared) {
    for (const clang::Decl *one : declared->decls())
      if (one == result.variable)
        result.first = result.variable->getInit();
  } else if (const auto *set = llvm::dyn_cast_or_null<clang::BinaryOperator>(source.getInit());
             set && set->isAssignmentOp() && integerVariable(set->getLHS()) == result.variable) {
    result.first = set->getRHS();
  }
  const bool isLeft = integerVariable(test->getLHS()) == result.variable,
             isRight = integerVariable(test->getRHS()) == result.variable;
  if (isLeft != isRight)
    result.bound = isLeft ? test->getRHS() : test->getLHS();
  result.reachesBound = test->getOpcode() == clang::BO_LE || test->getOpcode() == clang::BO_GE;
  return result;
}

class TreeBuilder {
public:
  TreeBuilder(const clang::ASTContext &context, const clang::FunctionDecl &function, const moves::TextMap &map,
              const moves::VariableUses &uses, Tree &tree)
      : context_(context), map_(map), symbols_(context, map, tree.names, uses), tree_(tree) {
    active_.push_back(function.getCanonicalDecl());
    for (const clang::ParmVarDecl *parameter : function.parameters())
      symbols_.id(parameter);
  }

  void build(const clang::Stmt *source, std::vector<Node> &nodes) {
    using namespace clang;
    if (!source || nodes_ > kMostNodes)
      return;
    if (const auto *block = dyn_cast<CompoundStmt>(source))
      return buildAll(block->body(), nodes);
    if (const auto *declaration = dyn_cast<DeclStmt>(source))
      return addDeclarations(*declaration, nodes);
    if (const auto *expression = dyn_cast<Expr>(source))
      return addExpression(*expression, nodes);
    if (const auto *loop = dyn_cast<ForStmt>(source))
      return addFor(*loop, nodes);
    if (const auto *loop = dyn_cast<WhileStmt>(source))
      return addLoop("while", *loop, nullptr, loop->getCond(), nullptr, loop->getBody(), nodes);
    if (const auto *loop = dyn_cast<DoStmt>(source))
      return addLoop("do", *loop, nullptr, loop->getCond(), nullptr, loop->getBody(), nodes);
    if (const auto *loop = dyn_cast<CXXForRangeStmt>(source))
      return addRange(*loop, nodes);
    if (const auto *choice = dyn_cast<IfStmt>(source))
      return addBranch(*choice, nodes);
    if (const auto *choice = dyn_cast<SwitchStmt>(source))
      return addSwitch(*choice, nodes);
    if (isa<GotoStmt, IndirectGotoStmt>(source) || (isa<BreakStmt>(source) && !inSwitch_))
      return static_cast<void>(add(Node::Kind::Leave, nodes));
    if (const auto *end = dyn_cast<ReturnStmt>(source))
      return addReturn(*end, nodes);
    if (isa<BreakStmt, ContinueStmt, NullStmt, AsmStmt>(source))
      return;
    buildAll(source->children(), nodes); // labels, cases, attributes, try
  }

private:
  template <class Range> void buildAll(const Range &statements, std::vector<Node> &nodes) {
    for (const clang::Stmt *statement : statements)
      build(statement, nodes);
  }

  Node &add(Node::Kind kind, std::vector<Node> &nodes) {
    ++nodes_;
    nodes.emplace_back().kind = kind;
    return nodes.back();
  }

  Expression expression(const clang::Expr &source) { return moves::makeExpression(&source, context_, map_, symbols_); }

  /// Adds the helpers that `source` calls.
  void addHelpers(const clang::Expr &source, std::vector<Node> &nodes) {
    CallFinder finder;
    finder.TraverseStmt(const_cast<clang::Expr *>(&source));
    for (const clang::CallExpr *call : finder.calls) {
      const clang::FunctionDecl *callee = call->getDirectCallee();
      if (!callee) {
        tree_.callsUnknown |= !call->isTypeDependent();
        continue;
      }
      if (llvm::isa<clang::CXXOperatorCallExpr>(call) && callee->isInStdNamespace())
        continue;
      if (callee->getDeclName().isIdentifier())
        tree_.calls.insert(callee->getNameAsString());
      addHelper(*callee, nodes);
    }
  }

  void addHelper(const clang::FunctionDecl &callee, std::vector<Node> &nodes) {
    const clang::FunctionDecl *definition = nullptr;
    if (moves::isLibraryFunction(&callee) || callee.isInStdNamespace() || callee.getBuiltinID() != 0 ||
        context_.getSourceManager().isInSystemHeader(callee.getLocation()))
      return;
    if (depth_ > 0)
      ++tree_.helpers;
    const clang::FunctionDecl *canonical = callee.getCanonicalDecl();
    if (!callee.hasBody(definition) || active_.size() > kDeepestHelpers ||
        std::ranges::find(active_, canonical) != active_.end())
      return;
    active_.push_back(canonical);
    std::vector<Node> body;
    build(definition->getBody(), body);
    active_.pop_back();
    add(Node::Kind::Helper, nodes).body = std::move(body);
  }

  void addExpression(const clang::Expr &source, std::vector<Node> &nodes) {
    add(Node::Kind::Expression, nodes).value = expression(source);
    addHelpers(source, nodes);
  }

  void addDeclarations(const clang::DeclStmt &source, std::vector<Node> &nodes) {
    for (const clang::Decl *declaration : source.decls()) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (!variable)
        continue;
      const clang::Expr *init = variable->getInit();
      if (init && init->isValueDependent())
        init = nullptr;
      std::vector<const clang::Expr *> values = {init};
      if (const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(init); list && list->getNumInits() > 0)
        values.assign(list->inits().begin(), list->inits().end());
      if (values.size() > kMostElements)
        values.resize(kMostElements); // of a table
      for (const clang::Expr *value : values) {
        Node &node = add(Node::Kind::Declaration, nodes);
        node.variable = symbols_.id(variable);
        if (!value)
          continue;
        node.value = expression(*value);
        addHelpers(*value, nodes);
      }
    }
  }

  void addReturn(const clang::ReturnStmt &source, std::vector<Node> &nodes) {
    // A helper's return is its value, and no way out of the kernel's loops.
    Node &node = add(active_.size() == 1 ? Node::Kind::Return : Node::Kind::Expression, nodes);
    if (!source.getRetValue())
      return;
    node.value = expression(*source.getRetValue());
    addHelpers(*source.getRetValue(), nodes);
  }

  void addBranch(const clang::IfStmt &source, std::vector<Node> &nodes) {
    build(source.getInit(), nodes);
    build(source.getConditionVariableDeclStmt(), nodes);
    Node node = conditional(Node::Kind::Branch, source.getCond(), nodes);
    build(source.getThen(), node.body);
    build(source.getElse(), node.otherwise);
    nodes.push_back(std::move(node));
  }

  void addSwitch(const clang::SwitchStmt &source, std::vector<Node> &nodes) {
    Node node = conditional(Node::Kind::Switch, source.getCond(), nodes);
    const bool outer = std::exchange(inSwitch_, true);
    build(source.getBody(), node.body);
    inSwitch_ = outer;
    nodes.push_back(std::move(node));
  }

  Node conditional(Node::Kind kind, const clang::Expr *condition, std::vector<Node> &before) {
    ++nodes_;
    Node node;
    node.kind = kind;
    if (condition) {
      node.value = expression(*condition);
      addHelpers(*condition, before);
    }
    return node;
  }

  void addFor(const clang::ForStmt &source, std::vector<Node> &nodes) {
    addLoop("for", source, source.getInit(), source.getCond(), source.getInc(), source.getBody(), nodes);
    Node &node = nodes.back();
    const moves::CanonicalHeader header = moves::canonicalHeader(source, context_);
    if (!header.variable || !header.lower || !header.upper)
      return addCounting(countingOf(source, context_), node);
    node.variable = symbols_.id(header.variable);
    node.name = header.variable->getNameAsString();
    node.stride = header.step;
    node.lower = expression(*header.lower);
    node.upper = expression(*header.upper);
  }

  void addCounting(const Counting &counting, Node &node) {
    if (!counting.variable)
      return;
    node.variable = symbols_.id(counting.variable);
    node.name = counting.variable->getNameAsString();
    node.stride = counting.step;
    if (!counting.first || !counting.bound || counting.first->isValueDependent())
      return;
    const bool isUpwards = counting.step > 0;
    node.lower = expression(isUpwards ? *counting.first : *counting.bound);
    node.upper = expression(isUpwards ? *counting.bound : *counting.first);
    if (node.upper->value && (!isUpwards || counting.reachesBound))
      ++*node.upper->value;
    if (node.lower->value && !isUpwards && !counting.reachesBound)
      ++*node.lower->value;
  }

  void addLoop(const char *name, const clang::Stmt &source, const clang::Stmt *start, const clang::Expr *condition,
               const clang::Expr *step, const clang::Stmt *body, std::vector<Node> &nodes) {
    Node node;
    node.kind = Node::Kind::Loop;
    node.name = name;
    node.offset = map_.offset(source.getBeginLoc()).value_or(0);
    ++nodes_;
    const bool outer = std::exchange(inSwitch_, false);
    build(start, node.start);
    ++depth_;
    if (condition) {
      node.value = expression(*condition);
      addHelpers(*condition, node.body);
    }
    build(body, node.body);
    build(step, node.step);
    --depth_;
    inSwitch_ = outer;
    nodes.push_back(std::move(node));
  }

  /// `for (T x : range)`: x is an element of the range, one after the other.
  void addRange(const clang::CXXForRangeStmt &source, std::vector<Node> &nodes) {
    Node node;
    node.kind = Node::Kind::Loop;
    node.name = source.getLoopVariable()->getNameAsString();
    node.offset = map_.offset(source.getBeginLoc()).value_or(0);
    node.variable = symbols_.unnamed();
    node.lower.emplace();
    Expression element = expression(*source.getRangeInit()), index;
    const clang::QualType type = source.getLoopVariable()->getType().getNonReferenceType().getCanonicalType();
    index.kind = Expression::Kind::Variable;
    index.variable = node.variable;
    index.isInteger = index.isPure = true;
    index.bits = 64;
    Expression read;
    read.kind = Expression::Kind::Element;
    read.type = type.getUnqualifiedType().getAsString(context_.getPrintingPolicy());
    read.isFloating = type->isRealFloatingType();
    read.isInteger = type->isIntegerType() && !type->isEnumeralType();
    read.bits = type->isArithmeticType() ? static_cast<unsigned>(context_.getTypeSize(type)) : 0;
    read.isPure = true;
    read.operands.push_back(std::move(element));
    read.operands.push_back(std::move(index));
    Node &declared = add(Node::Kind::Declaration, node.body);
    declared.variable = symbols_.id(source.getLoopVariable());
    declared.value = std::move(read);
    const bool outer = std::exchange(inSwitch_, false);
    ++depth_;
    build(source.getBody(), node.body);
    --depth_;
    inSwitch_ = outer;
    nodes.push_back(std::move(node));
  }

  const clang::ASTContext &context_;
  const moves::TextMap &map_;
  moves::Symbols symbols_;
  Tree &tree_;
  std::vector<const clang::FunctionDecl *> active_; ///< the kernel and the helpers that are being read
  std::size_t nodes_ = 0;
  int depth_ = 0; ///< of loops
  bool inSwitch_ = false;
};

} // namespace

Tree buildTree(const clang::ASTContext &context, const clang::FunctionDecl &function, const std::string &text,
               std::size_t begin) {
  Tree tree;
  tree.names.text = text;
  const moves::TextMap map(context, begin, text.size());
  const moves::VariableUses uses = moves::collectUses(function.getBody());
  TreeBuilder(context, function, map, uses, tree).build(function.getBody(), tree.nodes);
  return tree;
}

} // namespace agentic::features
