// Offers to the built-in search and its compositions: moves with their parameters, and recipes, which are lists of
// steps. Free of Clang.
#pragma once

#include "tool/base/error.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The benefit that a search may expect of a move.
enum class MoveRole {
  Form,    ///< writes a loop in the form that other moves need: a search begins with all of them
  Gain,    ///< often pays by itself
  Enabler, ///< rarely pays by itself, and makes other moves legal or better
  Hint     ///< a hint for the compiler: pays on top of others
};

/// One applicable move with its parameters' admissible values, best guess first.
struct MoveOffer {
  std::string move;                                   ///< "strip-mine"
  std::string target;                                 ///< loop it applies to: "j"
  std::map<std::string, std::vector<int>> parameters; ///< {"block": {16, 8, 32, 64, …}}
  MoveRole role = MoveRole::Gain;                     ///< set by the transformer
  bool isForm = false; ///< it is one of form here, whatever the move's role is, and comes before others of form
};

struct MoveRefusal {
  std::string move, target, reason; ///< "call to 'f' may write memory"
};

struct MoveStep {
  std::string move, target;
  std::map<std::string, int> parameters;
  std::string text() const; ///< "strip-mine(j, block=16)"
  bool operator==(const MoveStep &) const = default;
};
using Recipe = std::vector<MoveStep>;

std::string recipeText(const Recipe &recipe);      ///< "strip-mine(j, block=16); fission(j)"
Result<Recipe> parseRecipe(std::string_view text); ///< the inverse; any names and numbers

/// Returns a key that is equal for recipes that differ only in the order of neighbouring steps of one kind that do not
/// affect each other: three loops with a hoist each are one candidate, not six.
std::string recipeKey(Recipe recipe);

/// Returns a candidate's text below its leading comment: two recipes may give the same code under different comments.
std::string withoutComment(std::string_view text);

} // namespace agentic
