#include "tool/source/moves/sort_network_run.h"

#include "tool/source/loops/code_text.h"

#include <algorithm>
#include <utility>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;
constexpr int kMostRounds = 20'000;      // of all loops together
constexpr std::size_t kMostLines = 2000; // that they write

} // namespace

SortRun::Flow SortRun::fail(std::string reason) {
  if (problem_.empty())
    problem_ = std::move(reason);
  return Flow::Failed;
}

bool SortRun::mentionsTracked(std::string_view text) const {
  return mentionsName(text, nest_.variable(plan_.array).name) ||
         std::ranges::any_of(tracked_, [&](VariableId id) { return mentionsName(text, nest_.variable(id).name); });
}

bool SortRun::run(const Statement &statement, std::vector<std::string> &lines) {
  problem_.clear();
  const std::size_t before = lines.size();
  const SortState state = state_;
  lines_ = &lines;
  const Flow flow = runOne(statement);
  lines_ = nullptr;
  if (flow == Flow::Next)
    return true;
  fail("'" + std::string(nest_.slice(statement.range)) + "' may leave the iteration");
  lines.resize(before);
  state_ = state;
  return false;
}

bool SortRun::keep(const Statement &statement, std::vector<std::string> &lines) {
  problem_.clear();
  std::vector<Edit> edits;
  bool isFine = !statement.declares;
  const std::vector<Statement> *inside = nullptr;
  const auto add = [&](const Expression &tree) { isFine = isFine && addEdits(tree, edits); };
  if (statement.expression)
    add(*statement.expression);
  if (statement.loop) {
    add(statement.loop->lowerValue);
    add(statement.loop->upperValue);
    inside = &statement.loop->body;
  }
  if (inside)
    forEachTree(*inside, add);
  if (statement.branch) {
    add(statement.branch->condition);
    forEachTree(statement.branch->thenBody, add);
    forEachTree(statement.branch->elseBody, add);
  }
  const auto text = isFine ? textOf(statement.range, std::move(edits)) : std::nullopt;
  if (!text)
    return false;
  lines.push_back(*text + (whole(statement.range) == statement.range ? "" : ";"));
  return true;
}

bool SortRun::declareAgain(const Statement &statement, std::vector<std::string> &lines) {
  problem_.clear();
  const Variable &variable = nest_.variable(*statement.declares);
  if (variable.kind != Variable::Kind::Scalar || statement.value.has_value() == statement.initializer.isEmpty() ||
      statement.isZeroed)
    return refuse("'" + variable.name + "' is declared beside what is sorted");
  std::vector<Edit> edits;
  if (statement.value && !addEdits(*statement.value, edits))
    return false;
  const auto text = statement.value ? textOf(statement.initializer, std::move(edits)) : std::optional<std::string>("");
  if (!text)
    return false;
  lines.push_back((variable.isConstant ? "const " : "") + variable.type + " " + variable.name +
                  (text->empty() ? "" : " = " + *text) + ";");
  return true;
}

Range SortRun::whole(Range range) const {
  const std::size_t next = nest_.text.find_first_not_of(" \t\n", range.end);
  const bool ends = range.isEmpty() || nest_.text[range.end - 1] == ';' || nest_.text[range.end - 1] == '}';
  return ends || next == std::string::npos || nest_.text[next] != ';' ? range : Range{range.begin, next + 1};
}

SortRun::Flow SortRun::emit(const std::string &line) {
  if (!lines_)
    return fail("something else happens only where values have a certain order");
  if (lines_->size() >= kMostLines)
    return fail("it would become too long");
  lines_->push_back(line);
  return Flow::Next;
}

SortRun::Flow SortRun::runAll(const std::vector<Statement> &statements) {
  for (const Statement &statement : statements)
    if (const Flow flow = runOne(statement); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

SortRun::Flow SortRun::runOne(const Statement &statement) {
  if (statement.declares)
    return runDeclaration(statement);
  if (statement.loop && statement.loop->lowerValue.isInteger && statement.loop->upperValue.isInteger)
    return runCounted(*statement.loop);
  if (statement.exitLoop)
    return runExit(*statement.exitLoop);
  if (statement.branch)
    return runBranch(*statement.branch);
  if (statement.expression)
    return runExpression(*statement.expression, statement);
  if (statement.exit == Statement::Exit::Break)
    return Flow::Break;
  if (statement.exit == Statement::Exit::Continue)
    return Flow::Continue;
  return fail("'" + std::string(nest_.slice(statement.range)) + "' is not understood here");
}

SortRun::Flow SortRun::runDeclaration(const Statement &statement) {
  const VariableId id = *statement.declares;
  const Variable &variable = nest_.variable(id);
  if (id == plan_.array) {
    std::ranges::fill(state_.elements, Value{});
    if (statement.initializer.isEmpty() && !statement.isZeroed && statement.elements.empty())
      return Flow::Next;
    if (statement.elements.empty() || statement.elements.size() > state_.elements.size())
      return fail("the values that '" + variable.name + "' starts with are not understood");
    for (std::size_t i = 0; i < statement.elements.size(); ++i)
      if (!setElement(i, statement.elements[i]))
        return Flow::Failed;
    return Flow::Next; // the others are 0, and nobody may read them here
  }
  if (variable.kind == Variable::Kind::Other || variable.escapes || variable.isGlobal)
    return fail("'" + variable.name + "' is no plain local number");
  tracked_.insert(id);
  state_.scalars[id] = {};
  if (!statement.value)
    return statement.initializer.isEmpty() && !statement.isZeroed
               ? Flow::Next
               : fail("the value that '" + variable.name + "' starts with is not understood");
  return store(id, *statement.value);
}

/// A value that is only text gets a name of its own: what it is made of may change.
SortRun::Flow SortRun::store(VariableId id, const Expression &source) {
  const auto value = valueOf(source);
  if (!value)
    return Flow::Failed;
  if (value->kind != Value::Kind::Name) {
    state_.scalars[id] = *value;
    return Flow::Next;
  }
  const Variable &variable = nest_.variable(id);
  const std::string name = names_.make(variable.name);
  if (emit("const " + variable.type + " " + name + " = " + value->name + ";") != Flow::Next)
    return Flow::Failed;
  state_.scalars[id] = {Value::Kind::Name, 0, 0, name};
  return Flow::Next;
}

SortRun::Flow SortRun::runExpression(const Expression &expression, const Statement &statement) {
  if (expression.kind == Kind::Assign)
    return runAssignment(expression, statement);
  if (expression.kind == Kind::Call && !expression.isPure)
    return runLibraryCall(expression);
  if (expression.kind == Kind::Unary && expression.operands[0].kind == Kind::Variable &&
      isTracked(*expression.operands[0].variable))
    return valueOfUnary(expression) ? Flow::Next : Flow::Failed;
  std::vector<Edit> edits;
  if (!addEdits(expression, edits))
    return Flow::Failed;
  const auto text = textOf(expression.range, edits);
  return text ? emit(*text + ";") : Flow::Failed;
}

SortRun::Flow SortRun::runAssignment(const Expression &expression, const Statement &statement) {
  const Expression &target = expression.operands[0], &source = expression.operands[1];
  if (isElementOf(target, plan_.array)) {
    const auto place = placeOf(target);
    if (place && expression.op != "=")
      return fail("'" + std::string(nest_.slice(statement.range)) + "' computes with a value that is sorted");
    return place && setElement(*place, source) ? Flow::Next : Flow::Failed;
  }
  if (target.kind != Kind::Variable || !isTracked(*target.variable)) {
    std::vector<Edit> edits;
    if (!addEdits(expression, edits))
      return Flow::Failed;
    const auto text = textOf(expression.range, edits);
    return text ? emit(*text + ";") : Flow::Failed;
  }
  Value &scalar = state_.scalars[*target.variable];
  if (expression.op != "=") {
    const auto amount = numberOf(source);
    if (scalar.kind != Value::Kind::Number || !amount || (expression.op != "+=" && expression.op != "-="))
      return fail("'" + std::string(nest_.slice(statement.range)) + "' is not understood here");
    const auto sum = converted(target, scalar.number + (expression.op == "+=" ? *amount : -*amount));
    if (!sum)
      return fail("'" + std::string(nest_.slice(statement.range)) + "' overflows");
    scalar.number = *sum;
    return Flow::Next;
  }
  return store(*target.variable, source);
}

/// What is put into the array becomes an input; what was in it already stays what it is.
bool SortRun::setElement(std::size_t place, const Expression &source) {
  const auto value = valueOf(source);
  if (!value)
    return false;
  if (value->kind == Value::Kind::Node) {
    state_.elements[place] = *value;
    return true;
  }
  const std::string text = value->kind == Value::Kind::Number ? std::to_string(value->number) : value->name;
  const bool isArgument = source.plain().kind == Kind::Element && source.plain().operands.size() == 2 &&
                          source.plain().operands[0].plain().kind == Kind::Variable &&
                          nest_.variable(*source.plain().operands[0].plain().variable).isParameter;
  if (element_.isFloating && !isArgument)
    return refuse("'" + text + "' may be a NaN, which has no place in an order");
  const std::string name = names_.make(nest_.variable(plan_.array).name + std::to_string(place));
  if (emit("const " + plan_.elementType + " " + name + " = " + text + ";") != Flow::Next)
    return false;
  const int node = plan_.graph.input();
  plan_.inputs.push_back({node, name});
  state_.elements[place] = {Value::Kind::Node, 0, node, {}};
  return true;
}

SortRun::Flow SortRun::runLibraryCall(const Expression &call) {
  const std::string &op = call.op;
  if (op == "std::swap" && call.operands.size() == 2) {
    Value *left = location(call.operands[0]), *right = left ? location(call.operands[1]) : nullptr;
    if (!left || !right)
      return fail("a 'std::swap' of something else");
    std::swap(*left, *right);
    return Flow::Next;
  }
  const bool isSort = op == "std::sort" || op == "std::stable_sort";
  const bool isPartial = op == "std::nth_element" || op == "std::partial_sort";
  if (!isSort && !isPartial)
    return fail("the call of '" + (op.empty() ? std::string(nest_.slice(call.range)) : op) + "' is not understood");
  if (call.operands.size() != (isSort ? 2U : 3U))
    return fail("the order of '" + op + "' is given by a function");
  std::vector<std::int64_t> places;
  for (const Expression &operand : call.operands) {
    const auto offset = offsetOf(operand);
    if (!offset || *offset < 0 || *offset > static_cast<std::int64_t>(state_.elements.size()))
      return fail("'" + std::string(nest_.slice(operand.range)) + "' is not understood");
    places.push_back(*offset);
  }
  const std::int64_t first = places.front(), last = places.back(), middle = places[places.size() - 2];
  if (first > last || (isPartial && (middle < first || middle > last)))
    return fail("the places of '" + op + "' are not in order");
  std::vector<int> values;
  for (std::int64_t i = first; i < last; ++i) {
    const Value &value = state_.elements[static_cast<std::size_t>(i)];
    if (value.kind != Value::Kind::Node)
      return fail("'" + op + "' reads elements that have no value");
    values.push_back(value.node);
  }
  if (!trial_.empty())
    return fail("'" + op + "' stands in a sort");
  const std::vector<int> order = plan_.graph.sorted(values);
  for (std::int64_t i = first; i < last; ++i) {
    const bool isKnown = isSort || (op == "std::nth_element" ? i == middle : i < middle);
    state_.elements[static_cast<std::size_t>(i)] =
        isKnown ? Value{Value::Kind::Node, 0, order[static_cast<std::size_t>(i - first)], {}} : Value{};
  }
  return Flow::Next;
}

SortRun::Flow SortRun::runBranch(const Branch &branch) {
  const auto condition = conditionOf(branch.condition);
  if (!condition)
    return Flow::Failed;
  if (condition->known)
    return runAll(*condition->known ? branch.thenBody : branch.elseBody);
  std::vector<std::string> *const lines = std::exchange(lines_, nullptr);
  const SortState before = state_;
  const Flow first = runAll(branch.thenBody);
  SortState then = std::exchange(state_, before);
  const Flow second = first == Flow::Next ? runAll(branch.elseBody) : first;
  lines_ = lines;
  if (first != Flow::Next || second != Flow::Next)
    return fail("a loop ends, or not, by the values that are sorted");
  for (std::size_t i = 0; i < state_.elements.size(); ++i) {
    const auto value = merged(*condition, then.elements[i], state_.elements[i]);
    if (!value)
      return fail("'" + std::string(nest_.slice(branch.condition.range)) +
                  "' does not just put the smaller and the larger value in their places");
    state_.elements[i] = *value;
  }
  std::erase_if(state_.scalars, [&](const auto &entry) { return !before.scalars.contains(entry.first); });
  for (auto &[variable, otherwise] : state_.scalars) {
    otherwise = merged(*condition, then.scalars.at(variable), otherwise).value_or(Value{}); // nobody may read it
  }
  return Flow::Next;
}

SortRun::Flow SortRun::runExit(const ExitLoop &loop) {
  if (const Flow flow = runAll(loop.start); flow != Flow::Next)
    return flow;
  while (true) {
    if (++rounds_ > kMostRounds)
      return fail("a loop takes too many rounds");
    if (loop.condition) {
      const auto condition = conditionOf(*loop.condition);
      if (!condition)
        return Flow::Failed;
      if (!condition->known)
        return fail("how often a loop runs depends on the values that are sorted, and it is no insertion sort");
      if (!*condition->known)
        return Flow::Next;
    }
    const Flow flow = runAll(loop.body);
    if (flow == Flow::Failed)
      return flow;
    if (flow == Flow::Break)
      return Flow::Next;
    if (loop.step && !valueOf(*loop.step))
      return Flow::Failed;
  }
}

SortRun::Flow SortRun::runCounted(const Loop &loop) {
  if (!loop.tiedDown.empty())
    return fail(loop.tiedDown);
  const SortState state = state_;
  const std::size_t lines = lines_ ? lines_->size() : 0;
  const Flow flow = runRounds(loop);
  if (flow != Flow::Failed || !trial_.empty())
    return flow;
  const std::string problem = std::exchange(problem_, {});
  state_ = state;
  if (lines_)
    lines_->resize(lines);
  if (insertionSort(loop) == Flow::Next)
    return Flow::Next;
  state_ = state;
  problem_ = problem;
  return Flow::Failed;
}

SortRun::Flow SortRun::runRounds(const Loop &loop) {
  const auto lower = numberOf(loop.lowerValue);
  if (!lower)
    return fail("the bounds of the loop '" + loop.name + "' are not constant");
  tracked_.insert(loop.variable);
  for (std::int64_t at = *lower;; at += loop.step) {
    state_.scalars[loop.variable] = {Value::Kind::Number, at, 0, {}};
    const auto upper = numberOf(loop.upperValue);
    if (!upper || *upper > loop.largest)
      return fail("the bounds of the loop '" + loop.name + "' are not constant");
    if (at < 0 && !loop.upperValue.isSigned)
      return fail("the loop '" + loop.name + "' compares a negative number with an unsigned one");
    if (at + loop.ahead >= *upper)
      break;
    if (++rounds_ > kMostRounds)
      return fail("a loop takes too many rounds");
    const Flow flow = runAll(loop.body);
    if (flow == Flow::Failed)
      return flow;
    if (flow == Flow::Break)
      break;
    const Value &now = state_.scalars[loop.variable];
    if (now.kind != Value::Kind::Number || now.number != at)
      return fail("the loop's variable '" + loop.name + "' is changed in its body");
  }
  return Flow::Next;
}

} // namespace agentic::moves
