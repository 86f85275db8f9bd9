// Cuts a loop into full blocks of neighbouring iterations and a rest. The iterations keep their order, so this is legal
// for every loop whose header is understood; the move is responsible for its use of a block.
//
//   for (T v = lower; v < upper; ++v) body   →   const T vEnd = …;   // whole blocks end here
//                                                for (T v0 = lower; v0 < vEnd; v0 += kSize) …
//                                                for (T v = vEnd; v < upper; ++v) body
#pragma once

#include "tool/source/loops/loop_nest.h"
#include "tool/source/loops/writer.h"

#include <string>
#include <vector>

namespace agentic::moves {

/// Returns empty if the loop can be cut into blocks of `size` without a bound that wraps, narrows or is read twice,
/// else the reason.
std::string whyNotCut(const Nest &nest, const Loop &loop, int size);

/// Returns `value` itself if it is a name or number and `isPlain`, of this type; else the name, made of `wish`, of a
/// constant that it declares at the end of `declarations`.
std::string nameFor(const std::string &value, bool isPlain, const std::string &type, const std::string &wish,
                    FreshNames &names, std::string &declarations);

/// The names and texts of a loop that is cut. The caller has checked `whyNotCut`.
struct BlockCut {
  std::string type;         ///< type of the loop's variable
  std::string size;         ///< the constant: "kLanesP"
  std::string first;        ///< the first iteration: "0"
  std::string start;        ///< the block's first iteration: "p0"
  std::string end;          ///< end of the whole blocks: "pEnd"
  std::string last;         ///< the bound: "n"
  std::string constant;     ///< the declarations without that of `end`
  std::string declarations; ///< lines that declare the constant, `end` and the values that it needs
  std::string blockHeader;  ///< "for (size_t p0 = 0; p0 < pEnd; p0 += kLanesP)"
  std::string rest;         ///< the loop as written, from `end` on, under a comment; empty if leavesNoRest
};

/// Cuts a loop. `wish`: the constant's name without the loop's: "kLanes". `comment` explains the constant. `guard`: a
/// condition in front of the loop, without which there are no blocks and the rest is everything; empty: none. `limits`:
/// names of values of type unsigned long long at which whole blocks end, too, if the bound is larger.
BlockCut cutLoop(const Nest &nest, const Loop &loop, int size, const std::string &wish, const std::string &comment,
                 FreshNames &names, const std::string &guard = {}, const std::vector<std::string> &limits = {});

/// Returns whether constants exclude that whole blocks leave a rest: no call could run it, and no test.
bool leavesNoRest(const Loop &loop, int blockSize);

/// Returns whether the statement is `if (__builtin_expect(…, 0)) {`, which moves write around what they rarely do
/// again.
bool isUnlikely(const Nest &nest, const Statement &statement);

/// Returns whether the loop only does the rest left by blocks: `for (v = vEnd; …)` with vEnd made of a remainder, or
/// with what begins as vEnd; or is in what isUnlikely.
bool isRestOfBlocks(const Nest &nest, const Loop &loop);
/// Returns whether the loop runs over one block of a move: `for (v = v0; v < v0 + kSize; …)`.
bool isOneBlock(const Nest &nest, const Loop &loop);

/// Returns whether the bound is `K < 1 ? K : 1` or `K < 64 ? K : 0`: iterations that were split off.
bool isShort(const Nest &nest, const Loop &loop);
/// Returns whether the loop, or one around it, does only what another one left over: it is short, or begins behind an
/// interior, at the sum of two numbers that `c ? a : b` declares.
bool hasFewIterations(const Nest &nest, const Loop &loop);

/// Returns the use in the loop's own statements that may be, under another name, memory that they write: "the global
/// 'g'"; else empty. For moves that write memory later than the loop as written.
std::string hiddenAlias(const Nest &nest, const Loop &loop);

/// Returns the line in front of a loop over the lanes of a block that fills an array. Clang would unroll a short one
/// altogether, and then find vectors for pieces of it only.
std::string keepLaneLoop(bool forGcc);

/// Returns a name for the position inside a block: "pp", "columnLane".
std::string laneName(const Nest &nest, const Loop &loop, FreshNames &names);

/// Returns the loop's body with `edits` applied, without braces of its own.
std::string bodyText(const Nest &nest, const Loop &loop, std::vector<Edit> edits);

} // namespace agentic::moves
