// The built-in search's moves on source text. Each move is one file with a precise precondition decided on the AST.
// A recipe is a list of steps; applying one to the baseline gives a candidate's text. What cannot be proved legal is
// not offered, and the reason is kept.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/kernel_spec.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// What a search may expect of a move.
enum class MoveRole {
  Gain,    ///< often pays by itself
  Enabler, ///< rarely pays by itself, and makes other moves legal or better
  Hint     ///< for the compiler: pays on top of others
};

/// One applicable move with its parameters' admissible values, best guess first.
struct MoveOffer {
  std::string move;                                   ///< "strip-mine"
  std::string target;                                 ///< loop it applies to: "j"
  std::map<std::string, std::vector<int>> parameters; ///< {"block": {16, 8, 32, 64, …}}
  MoveRole role = MoveRole::Gain;                     ///< set by the transformer
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

struct TransformOptions {
  Family family = Family::Clang; ///< decides which pragmas and attributes there are
  std::string level;             ///< "x86-64-v4"; empty if unknown
  bool mayReassociate = false;   ///< floating-point operations may be done in another order
  bool hasTolerance = false;     ///< results may differ within a declared tolerance
  /// Values that integer parameters had in the project's benchmarks: hints for specialisation, never facts.
  std::map<std::string, std::vector<std::int64_t>> observed;
  std::string seed; ///< a candidate to start from instead of the baseline; empty: the baseline
};

/// A candidate's text below its leading comment: two recipes may come to the same code under different comments.
std::string withoutComment(std::string_view text);

/// Offers and applies moves. Every rewriting step of a recipe parses once (0.02-0.5 s, mostly headers); recipes that
/// begin alike share it. Thread-compatible.
class Transformer {
public:
  /// Error if Clang cannot parse the text to start from.
  static Result<std::unique_ptr<Transformer>> create(const KernelSpec &spec, const TransformOptions &options);
  virtual ~Transformer() = default;

  /// Moves that are legal after `prefix` (empty = on the baseline).
  virtual Result<std::vector<MoveOffer>> offers(const Recipe &prefix) = 0;
  /// Why the moves that the last offers() left out are not legal or of no use.
  virtual const std::vector<MoveRefusal> &refusals() const = 0;

  /// A guess at the running time after all steps, in rough cycles: for ranking only. Error if a step is not legal.
  virtual Result<double> estimate(const Recipe &recipe) = 0;

  /// The candidate's text after all steps, with a comment that names the moves. Error if a step is not legal.
  virtual Result<std::string> apply(const Recipe &recipe) = 0;
};

} // namespace agentic
