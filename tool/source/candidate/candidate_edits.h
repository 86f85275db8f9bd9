// Edits on a candidate's text, and the resulting text: every byte is either the candidate's own, with its origin, or
// ours.
#pragma once

#include "tool/source/candidate/candidate_unit.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {

/// A finding before its position is known as line and column.
struct CandidateProblem {
  std::string check;
  std::size_t offset = 0; ///< in the candidate's LF text
  std::string message;
};

class UnitText {
public:
  void add(std::string_view ours) { text_ += ours; }
  void addOwn(std::string_view candidate, std::size_t begin, std::size_t end) {
    if (begin >= end)
      return;
    own_.push_back({text_.size(), text_.size() + (end - begin), begin});
    text_ += candidate.substr(begin, end - begin);
  }
  /// Starts a new line unless one has just begun.
  void freshLine() {
    if (!text_.empty() && text_.back() != '\n')
      text_ += '\n';
  }
  const std::string &text() const { return text_; }
  const std::vector<TextSpan> &own() const { return own_; }

private:
  std::string text_;
  std::vector<TextSpan> own_;
};

class EditList {
public:
  void remove(std::size_t begin, std::size_t end) { add({begin, end, {}}); }
  void insert(std::size_t at, std::string text) { add({at, at, std::move(text)}); }
  void replace(std::size_t begin, std::size_t end, std::string text) { add({begin, end, std::move(text)}); }

  /// Appends `candidate[begin, end)` as edited. A removed range disappears with all edits inside it.
  void apply(std::string_view candidate, std::size_t begin, std::size_t end, UnitText &unit) const {
    std::size_t position = begin;
    for (const Edit &edit : edits_) {
      // An insertion at the end of the range belongs to the text after it.
      if (edit.begin < position || edit.begin >= end)
        continue;
      unit.addOwn(candidate, position, edit.begin);
      unit.add(edit.text);
      position = std::min(std::max(position, edit.end), end);
    }
    unit.addOwn(candidate, position, end);
  }

private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  void add(Edit edit) {
    // An insertion at the beginning of a removed range stays.
    const auto key = [](const Edit &other) { return std::pair(other.begin, other.begin != other.end); };
    edits_.insert(std::ranges::upper_bound(edits_, key(edit), {}, key), std::move(edit));
  }
  std::vector<Edit> edits_; ///< sorted by begin; at one place insertions first, in the order they were made
};

} // namespace agentic
