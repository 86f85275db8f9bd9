// Replacements in SOURCE's text.
#pragma once

#include "tool/source/extract/extract_unit.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

class SourceEdits {
public:
  void replace(const ByteRange &range, std::string text);
  void insert(std::size_t offset, std::string text) { replace({offset, offset}, std::move(text)); }
  /// Leaves the line ends of the range, so that later lines keep their numbers.
  void leaveOut(std::string_view source, const ByteRange &range);

  /// Drops edits inside another one. Call before the following.
  void settle();
  std::string applied(std::string_view source, const ByteRange &range) const;
  /// Returns where `offset`, which is in no replaced range, is in applied() of a range from `begin`.
  std::size_t shifted(std::size_t offset, std::size_t begin) const;

private:
  struct Edit {
    ByteRange range;
    std::string text;
  };
  std::vector<Edit> edits_; ///< in order
};

} // namespace agentic
