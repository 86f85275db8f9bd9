#include "tool/source/moves/value_graph.h"

#include "tool/source/moves/selection_network.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>

namespace agentic::moves {

using NodeKind = ValueNode::Kind;

int ValueGraph::add(ValueNode node) {
  nodes_.push_back(node);
  return size() - 1;
}

int ValueGraph::input() {
  return add({NodeKind::Input, 0, 0});
}

int ValueGraph::join(NodeKind kind, int left, int right) {
  if (left == right)
    return left;
  const auto key = std::tuple(kind, std::min(left, right), std::max(left, right));
  const auto known = known_.find(key);
  return known != known_.end() ? known->second : known_[key] = add({kind, left, right});
}

std::vector<int> ValueGraph::sorted(const std::vector<int> &values) {
  sets_.push_back(values);
  const int set = static_cast<int>(sets_.size()) - 1;
  std::vector<int> result;
  for (int rank = 0; rank < static_cast<int>(values.size()); ++rank)
    result.push_back(add({NodeKind::Ranked, set, rank}));
  return result;
}

class Simplifier {
public:
  Simplifier(const ValueGraph &graph, const std::vector<int> &wanted) : graph_(graph), wanted_(wanted) {}

  SimpleGraph run() {
    ValueGraph ranked;
    if (std::optional<std::vector<int>> roots = asRanks(ranked)) {
      SimpleGraph other = Simplifier(ranked, *roots).expanded();
      SimpleGraph plain = expanded();
      if (other.operations >= plain.operations)
        return plain;
      // The inputs of `ranked` are those of the original, in the same order.
      SimpleGraph result{std::move(other.graph), {}, other.operations};
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        result.of[inputs_[i]] = other.of.at(static_cast<int>(i));
      for (std::size_t i = 0; i < wanted_.size(); ++i)
        result.of[wanted_[i]] = other.of.at((*roots)[i]);
      return result;
    }
    return expanded();
  }

private:
  std::vector<int> operandsOf(int id) const {
    const ValueNode &node = graph_.node(id);
    if (node.kind == NodeKind::Input)
      return {};
    return node.kind == NodeKind::Ranked ? graph_.sets_[static_cast<std::size_t>(node.left)]
                                         : std::vector{node.left, node.right};
  }

  std::vector<bool> needed() const {
    std::vector<bool> isNeeded(static_cast<std::size_t>(graph_.size()), false);
    for (const int id : wanted_)
      isNeeded[static_cast<std::size_t>(id)] = true;
    for (int id = graph_.size() - 1; id >= 0; --id)
      if (isNeeded[static_cast<std::size_t>(id)])
        for (const int operand : operandsOf(id))
          isNeeded[static_cast<std::size_t>(operand)] = true;
    return isNeeded;
  }

  SimpleGraph expanded() const {
    SimpleGraph result;
    const std::vector<bool> isNeeded = needed();
    std::map<int, std::vector<int>> ranks; // of a set: those that are needed
    for (int id = 0; id < graph_.size(); ++id)
      if (isNeeded[static_cast<std::size_t>(id)] && graph_.node(id).kind == NodeKind::Ranked)
        ranks[graph_.node(id).left].push_back(graph_.node(id).right);
    std::map<int, std::vector<int>> wires; // of a set, after its network
    for (int id = 0; id < graph_.size(); ++id) {
      const ValueNode &node = graph_.node(id);
      if (node.kind == NodeKind::Input && isNeeded[static_cast<std::size_t>(id)])
        result.of[id] = result.graph.input();
      if (node.kind == NodeKind::Input || !isNeeded[static_cast<std::size_t>(id)])
        continue;
      if (node.kind == NodeKind::Ranked) {
        if (!wires.contains(node.left))
          wires[node.left] = network(result, operandsOf(id), ranks.at(node.left));
        result.of[id] = wires.at(node.left)[static_cast<std::size_t>(node.right)];
      } else {
        result.of[id] = result.graph.join(node.kind, result.of.at(node.left), result.of.at(node.right));
      }
    }
    return pruned(result);
  }

  static std::vector<int> network(SimpleGraph &result, const std::vector<int> &values, const std::vector<int> &ranks) {
    std::vector<int> wires;
    for (const int value : values)
      wires.push_back(result.of.at(value));
    for (const Comparator &comparator : selectionNetwork(static_cast<int>(values.size()), ranks).comparators) {
      int &low = wires[static_cast<std::size_t>(comparator.low)],
          &high = wires[static_cast<std::size_t>(comparator.high)];
      const int smaller = result.graph.smaller(low, high), larger = result.graph.larger(low, high);
      low = smaller;
      high = larger;
    }
    return wires;
  }

  /// Leaves out what nothing needs any more.
  SimpleGraph pruned(const SimpleGraph &full) const {
    std::vector<int> roots;
    for (const int id : wanted_)
      roots.push_back(full.of.at(id));
    const Simplifier inner(full.graph, roots);
    const std::vector<bool> isNeeded = inner.needed();
    SimpleGraph result;
    std::map<int, int> moved;
    for (int id = 0; id < full.graph.size(); ++id) {
      const ValueNode &node = full.graph.node(id);
      if (node.kind == NodeKind::Input)
        moved[id] = result.graph.input();
      else if (isNeeded[static_cast<std::size_t>(id)])
        moved[id] = result.graph.join(node.kind, moved.at(node.left), moved.at(node.right));
      result.operations += node.kind != NodeKind::Input && isNeeded[static_cast<std::size_t>(id)] ? 1 : 0;
    }
    for (const auto &[original, id] : full.of)
      if (const auto found = moved.find(id); found != moved.end())
        result.of[original] = found->second;
    return result;
  }

  /// By the 0-1 principle: a value made of minima and maxima is that of rank r if it is so for all inputs of 0 and 1.
  std::optional<std::vector<int>> asRanks(ValueGraph &ranked) {
    constexpr std::size_t kMostInputs = 14; // 16,384 combinations
    const std::vector<bool> isNeeded = needed();
    for (int id = 0; id < graph_.size(); ++id) {
      if (!isNeeded[static_cast<std::size_t>(id)])
        continue;
      if (graph_.node(id).kind == NodeKind::Ranked)
        return std::nullopt;
      if (graph_.node(id).kind == NodeKind::Input)
        inputs_.push_back(id);
    }
    if (inputs_.size() < 3 || inputs_.size() > kMostInputs)
      return std::nullopt;
    std::vector<int> ids;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      ids.push_back(ranked.input());
    const std::vector<int> order = ranked.sorted(ids);
    std::vector<int> roots;
    for (const int id : wanted_) {
      const auto asInput = std::ranges::find(inputs_, id);
      if (asInput != inputs_.end()) {
        roots.push_back(ids[static_cast<std::size_t>(asInput - inputs_.begin())]);
        continue;
      }
      const std::optional<int> rank = rankOf(id, isNeeded);
      if (!rank)
        return std::nullopt;
      roots.push_back(order[static_cast<std::size_t>(*rank)]);
    }
    return roots;
  }

  std::optional<int> rankOf(int root, const std::vector<bool> &isNeeded) const {
    const int count = static_cast<int>(inputs_.size());
    std::optional<int> ones; // the least number of ones for which the value is 1
    std::vector<bool> value(static_cast<std::size_t>(graph_.size()), false);
    for (int least = 0; least < count && !ones; ++least)
      if (valueOf(root, (std::uint32_t{1} << (least + 1)) - 1, value, isNeeded))
        ones = least + 1;
    if (!ones)
      return std::nullopt;
    for (std::uint32_t bits = 0; bits < std::uint32_t{1} << count; ++bits)
      if (valueOf(root, bits, value, isNeeded) != (std::popcount(bits) >= *ones))
        return std::nullopt;
    return count - *ones;
  }

  bool valueOf(int root, std::uint32_t bits, std::vector<bool> &value, const std::vector<bool> &isNeeded) const {
    std::size_t nextInput = 0;
    for (int id = 0; id <= root; ++id) {
      const auto at = static_cast<std::size_t>(id);
      if (!isNeeded[at])
        continue;
      const ValueNode &node = graph_.node(id);
      const auto operand = [&](int other) { return static_cast<bool>(value[static_cast<std::size_t>(other)]); };
      value[at] = node.kind == NodeKind::Input ? (bits >> nextInput++ & 1) != 0
                  : node.kind == NodeKind::Min ? operand(node.left) && operand(node.right)
                                               : operand(node.left) || operand(node.right);
    }
    return value[static_cast<std::size_t>(root)];
  }

  const ValueGraph &graph_;
  const std::vector<int> &wanted_;
  std::vector<int> inputs_;
};

SimpleGraph simplified(const ValueGraph &graph, const std::vector<int> &wanted) {
  return Simplifier(graph, wanted).run();
}

} // namespace agentic::moves
