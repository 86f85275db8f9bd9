// The plan of sort-network for a loop whose iterations sort a small local array: sort_network_match.cpp finds it,
// sort_network_run.cpp runs the iteration on values of which only the order is known, sort_network.cpp writes it.
#pragma once

#include "tool/source/moves/move.h"
#include "tool/source/moves/value_graph.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

/// What a variable or an element of the array holds while an iteration is run.
struct SortedValue {
  enum class Kind {
    None,   ///< nothing yet, or nobody knows what
    Number, ///< known when the move is made: a place in the array
    Node,   ///< one of the values that are sorted
    Name    ///< anything else: a constant of this name in the result
  };
  Kind kind = Kind::None;
  std::int64_t number = 0;
  int node = 0;
  std::string name = {};
  bool operator==(const SortedValue &) const = default;
};

struct SortState {
  std::vector<SortedValue> elements;
  std::map<VariableId, SortedValue> scalars; ///< those that the array's places and values come from
};

/// A value that is put in: `const T name = …;` in one of the lines.
struct SortInput {
  int node = 0;
  std::string name;
};

/// The lines that replace a statement. A value in a line is its number between kMark and kMark.
struct SortPiece {
  Range range;
  std::vector<std::string> lines;
};
constexpr char kMark = '\x01';
std::string marked(int node);

struct SortPlan {
  VariableId array{};
  std::string elementType;
  ValueGraph graph;
  std::vector<SortInput> inputs;
  std::vector<SortPiece> pieces;
  std::string problem; ///< why it is not legal; empty if it is
};

/// Returns nullopt if no iteration of the loop sorts a local array.
std::optional<SortPlan> planSortNetwork(const MoveContext &context, const Loop &loop);

/// Returns whether it is an element of the array, in any form: `v[i]`, `*v`.
bool isElementOf(const Expression &expression, VariableId array);

/// Calls `visit` for every expression of these statements and those inside of them, branches included.
void forEachTree(const std::vector<Statement> &statements, const std::function<void(const Expression &)> &visit);

} // namespace agentic::moves
