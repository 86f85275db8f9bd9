#include "tool/source/extract/source_edits.h"

#include <algorithm>
#include <tuple>

namespace agentic {

void SourceEdits::leaveOut(std::string_view source, const ByteRange &range) {
  const std::string_view text = source.substr(range.begin, range.end - range.begin);
  replace(range, std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n'));
}

void SourceEdits::replace(const ByteRange &range, std::string text) {
  // At one place insertions come first, as they were made, then the longest replacement.
  const auto key = [](const ByteRange &range) {
    const bool isInsertion = range.begin == range.end;
    return std::tuple(range.begin, isInsertion ? 0 : 1, -static_cast<std::ptrdiff_t>(range.end));
  };
  const auto place =
      std::ranges::upper_bound(edits_, key(range), {}, [&](const Edit &edit) { return key(edit.range); });
  edits_.insert(place, {range, std::move(text)});
}

void SourceEdits::settle() {
  std::vector<Edit> apart;
  for (Edit &edit : edits_)
    if (apart.empty() || apart.back().range.end <= edit.range.begin)
      apart.push_back(std::move(edit));
  edits_ = std::move(apart);
}

std::string SourceEdits::applied(std::string_view source, const ByteRange &range) const {
  std::string text;
  std::size_t at = range.begin;
  for (const Edit &edit : edits_) {
    if (edit.range.begin < range.begin || edit.range.end > range.end)
      continue;
    text += source.substr(at, edit.range.begin - at);
    text += edit.text;
    at = edit.range.end;
  }
  return text.append(source.substr(at, range.end - at));
}

std::size_t SourceEdits::shifted(std::size_t offset, std::size_t begin) const {
  std::size_t result = offset - begin;
  for (const Edit &edit : edits_)
    if (begin <= edit.range.begin && edit.range.end <= offset)
      result += edit.text.size() - (edit.range.end - edit.range.begin);
  return result;
}

} // namespace agentic
