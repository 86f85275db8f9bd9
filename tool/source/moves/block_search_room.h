// How far the blocks of block-search may go where only a run can tell: `data + start[k]` has as many elements as the
// contract leaves behind that place.
#pragma once

#include "tool/model/contract.h"
#include "tool/source/moves/block_search.h"

#include <optional>

namespace agentic::moves {

/// Returns the room for reads of `base[subscript]` in iterations of `loop`. nullopt: the subscript is not the loop's
/// variable with a constant or an unchanging number added; the array is no parameter, nor a pointer that is made of one
/// and stays where it is; or its extent is not made of unsigned parameters by sums and products, nor one parameter.
std::optional<Room> roomOf(const Nest &nest, const Contract *contract, const Loop &loop, VariableId base,
                           const Expression &subscript);

} // namespace agentic::moves
