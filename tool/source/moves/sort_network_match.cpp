#include "tool/source/loops/code_text.h"
#include "tool/source/moves/sort_network_run.h"

#include <algorithm>
#include <set>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::int64_t kFewest = 3, kMost = 32; // elements of the array

/// Returns whether it is `v[i]`.
bool isSubscripted(const Expression &expression, VariableId array) {
  return isElementOf(expression, array) && expression.operands.size() == 2;
}

class SortNetworkPlanner {
public:
  SortNetworkPlanner(const MoveContext &context, const Loop &loop)
      : context_(context), nest_(context.nest), loop_(loop) {
    forEachTree(nest_.statements, [&](const Expression &tree) {
      forEachExpression(tree, [&](const Expression &part) {
        if (part.kind == Kind::Variable)
          uses_[*part.variable].push_back(part.range);
        return true;
      });
    });
  }

  std::optional<SortPlan> run() {
    for (const auto &[variable, uses] : uses_)
      if (isCandidate(variable)) {
        plan_.array = variable;
        if (const Expression *element = elementThatIsSorted()) {
          plan_.problem = whyNot(*element);
          return std::move(plan_);
        }
      }
    return std::nullopt;
  }

private:
  const Variable &array() const { return nest_.variable(plan_.array); }

  /// A local array of constant size which no loop inside of this one has for itself.
  bool isCandidate(VariableId id) const {
    const Variable &variable = nest_.variable(id);
    if (variable.kind != Variable::Kind::Other || variable.isParameter || variable.isGlobal || variable.isConstant ||
        variable.extent < kFewest || variable.extent > kMost)
      return false;
    const auto holdsAll = [&](const Loop &loop) {
      return std::ranges::all_of(uses_.at(id), [&](const Range &range) { return loop.range.contains(range); });
    };
    return holdsAll(loop_) && std::ranges::none_of(nest_.loops, [&](const Loop *inner) {
             return isInside(*inner, loop_) && holdsAll(*inner);
           });
  }

  /// Returns an element if elements are compared with each other, or a function sorts them; else null.
  const Expression *elementThatIsSorted() const {
    const Expression *element = nullptr;
    bool isSorted = false;
    const auto isValue = [&](const Expression &side) {
      const Expression &plain = side.plain();
      return isSubscripted(plain, plan_.array) ||
             (plain.kind == Kind::Variable && !plain.value && !nest_.variable(*plain.variable).isParameter &&
              nest_.variable(*plain.variable).kind == Variable::Kind::Scalar);
    };
    forEachTree(loop_.body, [&](const Expression &tree) {
      forEachExpression(tree, [&](const Expression &part) {
        if (isSubscripted(part, plan_.array) && part.isArithmetic())
          element = &part;
        const bool isComparison =
            part.kind == Kind::Binary && (part.op[0] == '<' || part.op[0] == '>') && part.op != "<<" && part.op != ">>";
        const bool isMinMax = part.kind == Kind::Call && (part.op == "std::min" || part.op == "std::max");
        if ((isComparison || isMinMax) && part.operands.size() == 2)
          isSorted |= isValue(part.operands[0]) && isValue(part.operands[1]) && mentions(part, plan_.array);
        isSorted |= part.kind == Kind::Call && !part.isPure && mentions(part, plan_.array) &&
                    (part.op.ends_with("sort") || part.op == "std::nth_element");
        return true;
      });
    });
    return isSorted ? element : nullptr;
  }

  std::string whyNot(const Expression &element) {
    const std::string name = array().name;
    if (!element.isArithmetic() || element.type == "bool" ||
        array().bytes * 8 != array().extent * static_cast<std::int64_t>(element.bits))
      return "'" + name + "' is no array of numbers";
    if (element.isFloating && !(context_.contract && context_.contract->isFinite))
      return "'" + name +
             "' holds floating-point numbers, whose order is not total: a NaN among them would be "
             "sorted in another way; AGENTIC_FP(finite) would say that there is none";
    if (loop_.header.isEmpty() || !loop_.tiedDown.empty())
      return loop_.tiedDown.empty() ? loop_.problem : loop_.tiedDown;
    const std::size_t begin = nest_.text.find_first_not_of(" \t\n", loop_.header.end);
    if (begin == std::string::npos || nest_.text[begin] != '{')
      return "the loop has no braces";
    const bool isDeclaredInside =
        std::ranges::any_of(loop_.body, [&](const Statement &statement) { return statement.declares == plan_.array; });
    if (!isDeclaredInside && countName(nest_.text, name) != countName(nest_.slice(loop_.range), name) + 1)
      return "'" + name + "' is used outside of the loop";
    plan_.elementType = array().elementType;
    FreshNames names(nest_.surroundings + nest_.text);
    SortRun run(nest_, plan_, names, element, static_cast<std::size_t>(array().extent));
    for (const VariableId seed : seeds())
      run.track(seed);
    return runBody(run);
  }

  /// Returns the iteration's own numbers that places in the array are made of, and values that go into it.
  std::set<VariableId> seeds() const {
    std::set<VariableId> declared, used;
    for (const Statement &statement : loop_.body)
      if (statement.declares && nest_.variable(*statement.declares).kind == Variable::Kind::Scalar &&
          !nest_.variable(*statement.declares).escapes)
        declared.insert(*statement.declares);
    const auto addAll = [&](const Expression &expression) {
      forEachExpression(expression, [&](const Expression &part) {
        if (part.kind == Kind::Variable && declared.contains(*part.variable))
          used.insert(*part.variable);
        return true;
      });
    };
    forEachTree(loop_.body, [&](const Expression &tree) {
      forEachExpression(tree, [&](const Expression &part) {
        if (isSubscripted(part, plan_.array))
          addAll(part.operands[1]);
        if (part.kind == Kind::Assign && isSubscripted(part.operands[0], plan_.array) &&
            part.operands[1].plain().kind == Kind::Variable)
          addAll(part.operands[1].plain());
        return true;
      });
    });
    forEachStatement(loop_.body, [&](const Statement &statement) {
      if (!statement.loop || !mentionsName(nest_.slice(statement.range), array().name))
        return;
      addAll(statement.loop->lowerValue);
      addAll(statement.loop->upperValue);
    });
    return used;
  }

  std::string runBody(SortRun &run) {
    for (const Statement &statement : loop_.body) {
      const bool isOwn = statement.declares && run.isTracked(*statement.declares);
      const bool isBeside = !isOwn && statement.declares && sharesDeclaration(statement, run);
      if (!isOwn && !isBeside && !run.mentionsTracked(nest_.slice(statement.range)))
        continue;
      if (statement.range.isEmpty())
        return "a macro writes a part of it";
      const Range range = run.whole(statement.range);
      if (plan_.pieces.empty() || !(plan_.pieces.back().range == range))
        plan_.pieces.push_back({range, {}});
      std::vector<std::string> &lines = plan_.pieces.back().lines;
      if (isBeside ? run.declareAgain(statement, lines) : run.run(statement, lines))
        continue;
      const std::string reason = run.problem();
      if (!run.keep(statement, lines))
        return reason;
    }
    return whyNotPieces();
  }

  /// Returns whether a tracked variable is declared in the same declaration.
  bool sharesDeclaration(const Statement &statement, const SortRun &run) const {
    return statement.sharesDeclaration && std::ranges::any_of(loop_.body, [&](const Statement &other) {
             return other.declares && other.range == statement.range && run.isTracked(*other.declares);
           });
  }

  std::string whyNotPieces() const {
    for (std::size_t i = 1; i < plan_.pieces.size(); ++i) {
      const std::size_t from = plan_.pieces[i - 1].range.end, to = plan_.pieces[i].range.begin;
      if (to < from || !hasWholeBlocks(std::string_view(nest_.text).substr(from, to - from)))
        return "it is sorted in a block of its own";
    }
    bool isRead = false;
    for (const SortPiece &piece : plan_.pieces)
      for (const std::string &line : piece.lines)
        for (int id = 0; id < plan_.graph.size(); ++id)
          isRead |= plan_.graph.node(id).kind != ValueNode::Kind::Input && line.find(marked(id)) != std::string::npos;
    return isRead ? "" : "nothing reads what is sorted";
  }

  const MoveContext &context_;
  const Nest &nest_;
  const Loop &loop_;
  std::map<VariableId, std::vector<Range>> uses_;
  SortPlan plan_;
};

} // namespace

bool isElementOf(const Expression &expression, VariableId array) {
  return expression.kind == Kind::Element && expression.operands[0].plain().kind == Kind::Variable &&
         expression.operands[0].plain().variable == array;
}

void forEachTree(const std::vector<Statement> &statements, const std::function<void(const Expression &)> &visit) {
  forEachInside(statements, [&](const Statement &statement) {
    forEachRoot(statement, visit);
    std::ranges::for_each(statement.elements, visit);
    if (!statement.exitLoop)
      return;
    forEachTree(statement.exitLoop->start, visit);
    if (statement.exitLoop->condition)
      visit(*statement.exitLoop->condition);
    if (statement.exitLoop->step)
      visit(*statement.exitLoop->step);
    forEachTree(statement.exitLoop->body, visit);
  });
}

std::optional<SortPlan> planSortNetwork(const MoveContext &context, const Loop &loop) {
  return SortNetworkPlanner(context, loop).run();
}

} // namespace agentic::moves
