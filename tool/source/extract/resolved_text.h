// The text that candidates begin with: the kernel as a free function, and as this build's preprocessor leaves it where
// the preprocessor works inside the definition. Of an `#if` it has the branch that was taken; macros that are defined
// inside are replaced by what they stand for, and so are macros with arguments in the signature. Other macros of the
// file stay as written: a candidate has the file's directives.
//
// Lines keep their numbers: what is left out leaves its line ends.
#pragma once

#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/source_edits.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

class ResolvedText {
public:
  /// `range`: of the definition; `body`: where its brace is; `qualifier`: what to leave out in front of its name. All
  /// in SOURCE.
  ResolvedText(const ParsedUnit &unit, const ByteRange &range, std::size_t body, const ByteRange &qualifier);

  const std::string &text() const { return text_; }
  /// Returns the offset in text() of an offset in SOURCE, which is not in a part that was replaced.
  std::size_t at(std::size_t offset) const { return edits_.shifted(offset, range_.begin); }

private:
  void leaveOut(const ByteRange &range) { edits_.leaveOut(unit_.lexed.text, range); }
  void addLocalMacros();
  void addExpansions(std::size_t body);
  std::set<std::size_t> usesOfLocalMacros() const;
  bool isLocal(const clang::MacroInfo &macro) const;

  const ParsedUnit &unit_;
  ByteRange range_;
  SourceEdits edits_; // of what is inside another, nothing is done: nothing of a branch that was not taken is expanded
  std::string text_;
};

/// Leaves out of the range the conditionals that are wholly inside, but for the branches that this build takes.
/// `isMeant`: which of them, by the indices of their directives.
void leaveOutConditionals(const ParsedUnit &unit, const ByteRange &range,
                          const std::function<bool(const std::vector<std::size_t> &group)> &isMeant,
                          SourceEdits &edits);

/// Returns a name inside that is no macro, because the text undefines a macro of the file first: for a candidate it
/// would be one.
std::optional<LexToken> nameBehindUndef(const ParsedUnit &unit, const ByteRange &range);

} // namespace agentic
