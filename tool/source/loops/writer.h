// Indented lines of C++, and edits on slices of a text.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic::moves {

class Writer {
public:
  explicit Writer(std::string indent) : indent_(std::move(indent)) {}
  /// Writes one statement; further lines keep their indentation relative to each other.
  void line(std::string_view text);
  void open(std::string_view text) {
    line(std::string(text) + " {");
    indent_ += "  ";
  }
  void close() {
    indent_.resize(indent_.size() - 2);
    line("}");
  }
  std::string take() { return std::move(text_); }

private:
  std::string indent_, text_;
};

struct Edit {
  Range range;
  std::string text;
};

/// Returns `static_cast<type>(text)`.
std::string castTo(std::string_view type, std::string_view text);

/// Returns `text` within `range` with the edits (sorted, disjoint) applied.
std::string applyEdits(std::string_view text, Range range, const std::vector<Edit> &edits);

/// Returns the white space at the begin of the line of `offset`.
std::string indentationAt(std::string_view text, std::size_t offset);

/// Names that do not occur in a text.
class FreshNames {
public:
  explicit FreshNames(std::string_view text) : text_(text) {}
  std::string make(const std::string &wish);

private:
  bool isTaken(std::string_view name) const;
  std::string text_;
  std::vector<std::string> made_;
};

} // namespace agentic::moves
