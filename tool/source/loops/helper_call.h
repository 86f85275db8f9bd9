// Calls of the project's own functions whose text may stand in the place of the call.
#pragma once

#include "tool/source/loops/expression.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

/// A text in which the names of a function's parameters and variables are left open.
struct OpenText {
  struct Piece {
    std::string text;
    std::optional<std::size_t> name = std::nullopt; ///< index in HelperCall::names; `text` is then empty
  };
  std::vector<Piece> pieces;

  bool isEmpty() const { return pieces.empty(); }
  std::size_t size() const; ///< of the texts between the names
  void append(std::string text) { pieces.push_back({std::move(text)}); }
  void append(const OpenText &other) { pieces.insert(pieces.end(), other.pieces.begin(), other.pieces.end()); }
  /// Returns the text with these names, one for each of HelperCall::names that it holds.
  std::string with(const std::vector<std::string> &names) const;
  std::size_t count(std::size_t name) const; ///< how often a name stands in it
};

struct HelperCall {
  /// A parameter.
  struct Argument {
    Range range;                                 ///< what is passed, in the kernel's text
    std::string castType;                        ///< that it is converted to; empty: it has the parameter's type
    OpenText declaration;                        ///< of a copy, without its value: "const int x"
    bool isVariable = false;                     ///< a variable that may be named in the parameter's place
    bool isReference = false, isPointer = false; ///< the parameter
    bool changesNothing = false;                 ///< what is passed may be written twice, or not at all
  };
  std::string function;           ///< its name
  Range range;                    ///< of the call, in the kernel's text
  Range definition;               ///< of the function, in Nest::surroundings
  std::vector<std::string> names; ///< of the parameters, then of the function's variables
  std::vector<Argument> arguments;
  OpenText body;                ///< statements that are run before the value is known; empty: none
  OpenText value;               ///< what is returned, of the function's type: a word, or in parentheses; empty: nothing
  Range statement;              ///< the statement of the call, which the body may stand in front of; empty: it may not
  bool isStatement = false;     ///< the call is all of the statement, and its value is of no use
  bool changesNothing = false;  ///< beside its own variables
  bool mayStandInPlace = false; ///< the value may be written where the call stands, if there is no body
  bool isInLoop = false, hasLoop = false; ///< the call; the function
  std::string problem;                    ///< why it cannot be written in the place of the call; empty if it can
};

} // namespace agentic::moves
