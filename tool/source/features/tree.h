// A kernel's statements as a tree without Clang types. Unlike the nest of the moves it holds every statement,
// understood or not: it serves to describe, and proves nothing.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::features {

using moves::Expression;
using moves::VariableId;

struct Node {
  enum class Kind {
    Expression,
    Declaration, ///< `variable` gets `value`
    Loop,        ///< `start`; `value` is its condition; `step`; `body`
    Branch,      ///< `value` is its condition; `body`, `otherwise`
    Switch,      ///< `value`; `body` is all of it
    Helper,      ///< `body` of a function of the project that the statement in front of it calls
    Leave,       ///< break of a loop, goto
    Return       ///< `value`
  };
  Kind kind = Kind::Expression;
  std::optional<Expression> value;
  std::optional<VariableId> variable; ///< declared; of a counted loop: its variable
  std::vector<Node> start, step, body, otherwise;

  // Of a loop
  std::string name;        ///< its variable's, else "while" and the like
  std::size_t offset = 0;  ///< of its first word in the kernel's text
  std::int64_t stride = 1; ///< step of a counted loop
  std::optional<Expression> lower, upper;
};

struct Tree {
  std::vector<Node> nodes;
  moves::Nest names;           ///< the variables alone
  std::set<std::string> calls; ///< names of the called functions
  bool callsUnknown = false;   ///< through a pointer, or virtual
  std::size_t helpers = 0;     ///< functions of the project that it calls in a loop
};

} // namespace agentic::features
