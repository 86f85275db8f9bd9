// sort-network(x): sorts a small local array by minima and maxima of its values, of which only those are computed that
// lead to a value that is read. The iteration has no branches any more, and compilers run many of them side by side.
//
//   for (x …) {                                →   for (x …) {
//     uint8_t v[3];                                  const uint8_t v0 = in[x + 0];
//     for (int k = 0; k < 3; ++k)                    const uint8_t v1 = in[x + 1];
//       v[k] = in[x + k];                            const uint8_t v2 = in[x + 2];
//     for (int i = 1; i < 3; ++i) …insertion…        const uint8_t low1 = v1 < v2 ? v1 : v2;
//     out[x] = v[1];                                 …
//   }                                                out[x] = high2;
//                                                  }
//
// Legal if the iteration can be run without the values: all places in the array are known, and values are only copied,
// compared with each other, and exchanged (loops and branches, std::sort, std::nth_element, std::partial_sort,
// std::swap, std::min, std::max). The rounds of an insertion sort are run for each place that the new value may get.
// Equal integers are the same whichever is taken. Floating point has NaNs and zeros of two signs: only where the
// contract excludes them.
#include "tool/source/moves/sort_network.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace agentic::moves {
namespace {

/// Returns the values that a line reads, in order.
std::vector<int> valuesIn(const std::string &line) {
  std::vector<int> values;
  for (std::size_t at = line.find(kMark); at != std::string::npos; at = line.find(kMark, at + 1)) {
    const std::size_t end = line.find(kMark, at + 1);
    int value = 0;
    std::from_chars(line.data() + at + 1, line.data() + end, value);
    values.push_back(value);
    at = end;
  }
  return values;
}

class SortNetworkWriting {
public:
  SortNetworkWriting(const Nest &nest, const SortPlan &plan) : plan_(plan), names_(nest.surroundings + nest.text) {
    std::set<int> wanted;
    for (const SortPiece &piece : plan.pieces)
      for (const std::string &line : piece.lines)
        for (const int value : valuesIn(line))
          wanted.insert(value);
    simple_ = simplified(plan.graph, {wanted.begin(), wanted.end()});
    for (const SortInput &input : plan.inputs)
      if (const auto found = simple_.of.find(input.node); found != simple_.of.end())
        nameOf_[found->second] = input.name;
  }

  std::string textOf(const SortPiece &piece) {
    std::string text;
    for (const std::string &line : piece.lines) {
      std::string written;
      std::size_t done = 0;
      for (const int value : valuesIn(line)) {
        text += compute(simple_.of.at(value));
        const std::string mark = marked(value);
        const std::size_t at = line.find(mark, done);
        written += line.substr(done, at - done) + nameOf_.at(simple_.of.at(value));
        done = at + mark.size();
      }
      text += written + line.substr(done) + "\n";
    }
    return text;
  }

  int operations() const { return simple_.operations; }

private:
  /// Returns the lines that compute a value and whatever it is made of, if they are not written yet.
  std::string compute(int id) {
    if (nameOf_.contains(id))
      return {};
    const ValueNode &node = simple_.graph.node(id);
    std::string text = compute(node.left);
    text += compute(node.right); // after the left one, whose names come first
    const bool isMin = node.kind == ValueNode::Kind::Min;
    const std::string left = nameOf_.at(node.left), right = nameOf_.at(node.right);
    const std::string name = nameOf_[id] = names_.make((isMin ? "low" : "high") + std::to_string(++count_));
    return text + "const " + plan_.elementType + " " + name + " = " + left + " < " + right + " ? " +
           (isMin ? left : right) + " : " + (isMin ? right : left) + ";\n";
  }

  const SortPlan &plan_;
  FreshNames names_;
  SimpleGraph simple_;
  std::map<int, std::string> nameOf_; ///< of the simple graph's values that stand in the text
  int count_ = 0;
};

void offerSortNetwork(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const auto plan = planSortNetwork(context, *loop);
    if (plan)
      result.add({"sort-network", loop->name, {}}, plan->problem);
  }
}

Result<Rewrite> rewriteSortNetwork(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto plan = planSortNetwork(context, *loop);
  if (!plan)
    return illegalStep(step, "no iteration of '" + step.target + "' sorts a local array of constant size");
  if (!plan->problem.empty())
    return illegalStep(step, plan->problem);
  SortNetworkWriting writing(context.nest, *plan);
  Rewrite result;
  for (const SortPiece &piece : plan->pieces)
    result.edits.push_back({piece.range, writing.textOf(piece)});
  result.why = {"What is read of '" + context.nest.variable(plan->array).name + "' when it is sorted is computed by " +
                    std::to_string(writing.operations()) + " minima and maxima, without branches:",
                "its values are only copied, compared with each other and exchanged, and of equal ones it does not "
                "matter which is taken."};
  return result;
}

} // namespace

const Move kSortNetwork = {"sort-network", offerSortNetwork, nullptr, rewriteSortNetwork};

} // namespace agentic::moves
