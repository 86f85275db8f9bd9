// The built-in search's moves on source text: applying a recipe to the baseline gives a candidate's text. A move that
// cannot be proved legal is not offered, and the reason is kept.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/kernel_spec.h"
#include "tool/source/moves/recipe.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace agentic {

struct TransformOptions {
  Family family = Family::Clang; ///< decides which pragmas and attributes exist
  std::string level;             ///< "x86-64-v4"; empty if unknown
  bool mayReassociate = false;   ///< floating-point operations may be done in another order
  bool hasTolerance = false;     ///< results may differ within a declared tolerance
  /// Values that integer parameters had in the project's benchmarks: hints for specialisation, never facts.
  std::map<std::string, std::vector<std::int64_t>> observed;
  std::string seed; ///< a candidate to start from instead of the baseline; empty: the baseline
};

/// Offers and applies moves. Every rewriting step of a recipe parses once (0.02-0.5 s, mostly headers); recipes that
/// begin alike share it. Thread-compatible.
class Transformer {
public:
  /// Error if Clang cannot parse the text to start from.
  static Result<std::unique_ptr<Transformer>> create(const KernelSpec &spec, const TransformOptions &options);
  virtual ~Transformer() = default;

  /// Returns the moves that are legal after `prefix` (empty = on the baseline).
  virtual Result<std::vector<MoveOffer>> offers(const Recipe &prefix) = 0;
  /// Returns why the moves that the last offers() left out are not legal or of no use.
  virtual const std::vector<MoveRefusal> &refusals() const = 0;

  /// Estimates the running time after all steps, in rough cycles: for ranking only. Copies for some values of parameters
  /// (specialise) count as the kernel itself. Error if a step is not legal.
  virtual Result<double> estimate(const Recipe &recipe) = 0;

  /// Returns the candidate's text after all steps, with a comment that names the moves. Error if a step is not legal.
  virtual Result<std::string> apply(const Recipe &recipe) = 0;
};

} // namespace agentic
