// Where a loop stands in the text, and what its parts are: for moves that put loops together and take them apart.
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

/// The text of a loop's body without its braces.
Range bodyOf(const Nest &nest, const Loop &loop);

/// After a comment that ends the line of `end`, else `end` itself.
std::size_t endWithComment(const Nest &nest, std::size_t end);

/// Edits that give every use of `variable` in these statements another name. False if there are uses of that name that
/// are none of the variable's, or cannot be found.
bool rename(const Nest &nest, const std::vector<Statement> &statements, Range range, VariableId variable,
            const std::string &name, std::vector<Edit> &edits);

/// Both run the same values of the same type.
bool haveSameBounds(const Nest &nest, const Loop &left, const Loop &right);

} // namespace agentic::moves
