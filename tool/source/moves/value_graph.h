// Values of which only the order matters: what is put in, minima, maxima and sorted sets of them, for sort-network.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

namespace agentic::moves {

struct ValueNode {
  enum class Kind { Input, Min, Max, Ranked };
  Kind kind = Kind::Input;
  int left = 0, right = 0; ///< Min and Max: operands; Ranked: the set, and the place in its order
};

class ValueGraph {
public:
  int input();
  int smaller(int left, int right) { return join(ValueNode::Kind::Min, left, right); }
  int larger(int left, int right) { return join(ValueNode::Kind::Max, left, right); }
  /// Returns the values in ascending order.
  std::vector<int> sorted(const std::vector<int> &values);

  const ValueNode &node(int id) const { return nodes_[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

private:
  friend class Simplifier;
  int join(ValueNode::Kind kind, int left, int right);
  int add(ValueNode node);
  std::vector<ValueNode> nodes_;
  std::vector<std::vector<int>> sets_;
  std::map<std::tuple<ValueNode::Kind, int, int>, int> known_;
};

/// A graph of inputs, minima and maxima alone: only those that are needed, operands before what they are needed for.
struct SimpleGraph {
  ValueGraph graph;
  std::map<int, int> of; ///< wanted nodes and inputs of the original
  int operations = 0;
};

/// Writes the wanted values with the fewest known operations: sorted sets become networks, and so do comparisons that
/// are found to give a value of a certain rank whatever the inputs are.
SimpleGraph simplified(const ValueGraph &graph, const std::vector<int> &wanted);

} // namespace agentic::moves
