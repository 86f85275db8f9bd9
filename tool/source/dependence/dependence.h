// Decides whether two uses of memory may touch the same element in iterations of a given order.
//
// The iterations of all loops around both uses, and the condition that both subscripts name one element, become a
// system of constraints over integers that isl solves.
//
// Exact: loops whose bounds and subscripts are sums of loop variables, invariants and products of invariants with
// constant factors; any lower bound; bounds that mention outer loops (triangles). `i * K + j` is taken apart into
// [i][j] when two values of j are proved to differ by less than K; so are more dimensions, and strides such as `K + 2`.
// Conservative ("may be the same"): unknown subscripts, unknown memory, arrays that the contract declares as possibly
// overlapping; conditions around a statement are not looked at; products of different invariants are unrelated; what
// isl does not decide within its limit of work.
// Assumed, as elsewhere: no loop makes 2^63 rounds, and no index wraps around 2^64 between two iterations.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace agentic::moves {

/// One access with the loops around it within the analyzed part of the program, outermost first. The variables of loops
/// around that part are invariants.
struct Instance {
  const Access *access = nullptr;
  std::vector<const Loop *> loops;
};

/// The effects of a list of statements.
struct Effects {
  std::vector<Instance> instances;
  std::set<VariableId> declared, written, referenced;
  std::string problem; ///< why its effects are unknown; empty if they are known
};

/// Collects effects. `around`: the loops of the analyzed part around the statements. `except` (may be null) is left
/// out.
Effects effectsOf(const Nest &nest, std::span<const Statement> statements, const std::vector<const Loop *> &around,
                  const Statement *except = nullptr);

/// Requires the first access's iteration of loop `first` to come before, after, or be the same as the second one's of
/// `second`.
struct Relation {
  enum class Order { Before, Same, After };
  const Loop *first = nullptr, *second = nullptr;
  Order order = Order::Before;
};

/// Returns false only if they provably never touch the same element while all relations hold. Both access the same
/// array.
bool mayTouchSame(const Nest &nest, const Instance &first, const Instance &second,
                  const std::vector<Relation> &relations);

/// Returns empty if no access of `first` touches an element that one of `second` touches while all relations hold, one
/// of them writing; else the two accesses and the reason. Arrays that either declares are its own. The caller checks
/// scalars.
std::string whyMemoryDepends(const Nest &nest, const Effects &first, const Effects &second,
                             const std::vector<Relation> &relations);

/// Returns the name of a variable that one of them writes and the other one uses; else empty.
std::string sharedVariable(const Nest &nest, const Effects &first, const Effects &second);

/// Returns whether a declaration gives the same value anywhere in an iteration, however often: it computes with values
/// that do not change, and reads only memory that `around`, everything else there, does not write.
bool isRepeatable(const Nest &nest, const Statement &statement, const Effects &around);

} // namespace agentic::moves
