#include "tool/source/moves/sort_network_run.h"

#include <algorithm>
#include <utility>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

} // namespace

/// A loop that inserts the element of its round among those before it, which are in order, sorts them all. Each round
/// is run once for each place that the new element may get: control only depends on comparisons with the others, of
/// which only their order is known. An equal element acts like a larger or a smaller one, where all comparisons agree
/// which.
SortRun::Flow SortRun::insertionSort(const Loop &loop) {
  const auto lower = numberOf(loop.lowerValue), upper = numberOf(loop.upperValue);
  if (!lower || !upper || *lower < 0 || *lower > 1 || *upper < 2 || loop.step != 1 || loop.ahead != 0 ||
      *upper > static_cast<std::int64_t>(state_.elements.size()))
    return Flow::Failed;
  std::vector<int> values;
  for (std::int64_t i = 0; i < *upper; ++i) {
    if (state_.elements[static_cast<std::size_t>(i)].kind != Value::Kind::Node)
      return Flow::Failed;
    values.push_back(state_.elements[static_cast<std::size_t>(i)].node);
  }
  carried_.clear();
  forEachTree(loop.body, [&](const Expression &tree) {
    forEachExpression(tree, [&](const Expression &part) {
      const bool isChanged = part.kind == Kind::Assign || (part.kind == Kind::Unary && !part.isPure) ||
                             (part.kind == Kind::Call && !part.isPure);
      for (const Expression &operand : part.operands)
        if (isChanged && operand.kind == Kind::Variable)
          carried_.insert(*operand.variable);
      return true;
    });
  });
  for (const bool isDescending : {false, true}) {
    bool isSorted = true;
    for (std::int64_t at = *lower; at < *upper && isSorted; ++at)
      isSorted = inserts(loop, at, isDescending);
    if (!isSorted)
      continue;
    std::vector<int> order = plan_.graph.sorted(values);
    if (isDescending)
      std::ranges::reverse(order);
    for (std::size_t i = 0; i < order.size(); ++i)
      state_.elements[i] = {Value::Kind::Node, 0, order[i], {}};
    for (auto &[variable, value] : state_.scalars)
      if (carried_.contains(variable))
        value = {};
    return Flow::Next;
  }
  return Flow::Failed;
}

bool SortRun::inserts(const Loop &loop, std::int64_t at, bool isDescending) {
  orientations_.clear();
  comparesOthers_ = false;
  for (std::int64_t below = 0; below <= at; ++below)
    if (!insertsAt(loop, at, below, 0, isDescending))
      return false;
  if (orientations_.size() > 1)
    for (std::int64_t below = 0; below < at; ++below)
      for (std::int64_t equal = 1; below + equal <= at; ++equal)
        if (!insertsAt(loop, at, below, equal, isDescending))
          return false;
  return !comparesOthers_;
}

/// Runs round `at` where `below` of the elements before it belong in front of the new one, and `equal` are equal to it.
bool SortRun::insertsAt(const Loop &loop, std::int64_t at, std::int64_t below, std::int64_t equal, bool isDescending) {
  const SortState state = state_;
  std::vector<std::string> *const lines = std::exchange(lines_, nullptr);
  for (auto &[variable, value] : state_.scalars)
    if (value.kind == Value::Kind::Node || carried_.contains(variable)) // what an earlier round left is not known
      value = {};
  std::ranges::fill(state_.elements, Value{});
  const int sign = isDescending ? -1 : 1, own = static_cast<int>(at);
  for (int i = 0; i <= own; ++i) {
    state_.elements[static_cast<std::size_t>(i)] = {Value::Kind::Node, 0, i, {}};
    trial_[i] = sign * (i < below ? i - own - 1 : i < below + equal || i == own ? 0 : i + 1);
  }
  inserted_ = own;
  tracked_.insert(loop.variable);
  state_.scalars[loop.variable] = {Value::Kind::Number, at, 0, {}};
  rounds_ = 0;
  bool isSorted = runAll(loop.body) == Flow::Next;
  std::set<int> seen;
  for (std::size_t i = 0; i < state_.elements.size() && isSorted; ++i) {
    const Value &value = state_.elements[i];
    const bool isInside = static_cast<std::int64_t>(i) <= at;
    isSorted =
        isInside ? value.kind == Value::Kind::Node && seen.insert(value.node).second : value.kind == Value::Kind::None;
    if (isSorted && isInside && i > 0)
      isSorted = sign * trial_.at(state_.elements[i - 1].node) <= sign * trial_.at(value.node);
  }
  trial_.clear();
  inserted_.reset();
  state_ = state;
  lines_ = lines;
  problem_.clear();
  return isSorted;
}

} // namespace agentic::moves
