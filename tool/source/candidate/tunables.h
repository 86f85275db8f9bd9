// Compile-time constants that a candidate leaves open: `AGENTIC_TUNE(kTile, 4, 8, 16);` at namespace or block scope
// declares kTile with the values worth trying, the most likely one first. The loop tries settings and keeps the best;
// the evaluated and shipped text declares a plain `constexpr int kTile = 8;`.
#pragma once

#include "tool/base/error.h"
#include "tool/model/language.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic {

/// The index of the chosen value, for each tunable in order of appearance.
using TunableSetting = std::vector<std::size_t>;

struct Tunable {
  std::string name;
  std::vector<std::string> values; ///< integers, as written
  std::size_t begin = 0, end = 0;  ///< range of the declaration in the text, its ';' excluded
  bool operator==(const Tunable &) const = default;
};

class TunableText {
public:
  /// Finds the declarations in a candidate's text; none is no error. Errors tell the author what is wrong with a
  /// declaration: not 2 to 16 different integers, a name twice, more than 8, inside a directive, used nowhere (then the
  /// best of its settings would be chance).
  static Result<TunableText> read(std::string text);

  const std::vector<Tunable> &tunables() const { return tunables_; }
  /// Returns the candidate with that setting's constants, in its language.
  std::string settled(const TunableSetting &setting, Language language = Language::Cxx) const;
  /// Returns "kTile=8, kUnroll=4".
  std::string describe(const TunableSetting &setting) const;

private:
  std::string text_;
  std::vector<Tunable> tunables_;
};

} // namespace agentic
