// Finds a loop and its parts in the text, for moves that merge loops and split them.
#pragma once

#include "tool/source/loops/loop_nest.h"
#include "tool/source/loops/writer.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic::moves {

/// The statements around a loop and its place among them; `statements` is null if they are not understood.
struct LoopPlace {
  const std::vector<Statement> *statements = nullptr;
  std::size_t index = 0;
};
LoopPlace placeOf(const Nest &nest, const Loop &loop);

/// Returns the range of a loop's body without its braces.
Range bodyOf(const Nest &nest, const Loop &loop);

/// Returns the end of a comment that ends the line of `end`, else `end` itself.
std::size_t endWithComment(const Nest &nest, std::size_t end);

/// Makes edits that rename every use of `variable` in these statements. Returns false if there are uses of that name
/// that are not the variable's, or cannot be found.
bool rename(const Nest &nest, const std::vector<Statement> &statements, Range range, VariableId variable,
            const std::string &name, std::vector<Edit> &edits);

/// Returns whether a sum needs no parentheses in the place of this range: `[x]` or `(x, …`.
bool standsAlone(const Nest &nest, Range range);

/// Returns whether both loops run over the same values of the same type.
bool haveSameBounds(const Nest &nest, const Loop &left, const Loop &right);

} // namespace agentic::moves
