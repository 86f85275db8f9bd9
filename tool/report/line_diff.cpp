#include "tool/report/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace agentic {
namespace {

using Lines = std::vector<std::string_view>;
constexpr std::size_t kMostCells = 4'000'000;

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Appends rows for lines [from, to) without a counterpart, paired: a line is beside its replacement.
void appendReplaced(std::vector<DiffRow> &rows, int leftFrom, int leftTo, int rightFrom, int rightTo) {
  for (; leftFrom < leftTo || rightFrom < rightTo; ++leftFrom, ++rightFrom)
    rows.push_back({leftFrom < leftTo ? leftFrom : -1, rightFrom < rightTo ? rightFrom : -1, false});
}

/// The middle parts, without the common lines at both ends.
struct Middle {
  int leftFrom, leftTo, rightFrom, rightTo;
};

/// lengths[i * width + j]: of the longest common subsequence after line i on the left and line j on the right.
std::vector<std::uint16_t> commonLengths(const Lines &left, const Lines &right, const Middle &middle) {
  const std::size_t height = middle.leftTo - middle.leftFrom + 1, width = middle.rightTo - middle.rightFrom + 1;
  std::vector<std::uint16_t> lengths(height * width, 0);
  for (std::size_t i = height - 1; i-- > 0;)
    for (std::size_t j = width - 1; j-- > 0;)
      lengths[i * width + j] = left[middle.leftFrom + i] == right[middle.rightFrom + j]
                                   ? static_cast<std::uint16_t>(lengths[(i + 1) * width + j + 1] + 1)
                                   : std::max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  return lengths;
}

void appendMiddle(LineDiff &diff, const Middle &middle) {
  const int height = middle.leftTo - middle.leftFrom, width = middle.rightTo - middle.rightFrom;
  if (height == 0 || width == 0 || (height + std::size_t(1)) * (width + std::size_t(1)) > kMostCells)
    return appendReplaced(diff.rows, middle.leftFrom, middle.leftTo, middle.rightFrom, middle.rightTo);
  const std::vector<std::uint16_t> lengths = commonLengths(diff.left, diff.right, middle);
  const auto lengthAt = [&](int i, int j) { return lengths[static_cast<std::size_t>(i) * (width + 1) + j]; };
  int i = 0, j = 0, leftDone = 0, rightDone = 0; // lines that are compared; lines that have rows
  while (i < height && j < width) {
    if (diff.left[middle.leftFrom + i] != diff.right[middle.rightFrom + j]) {
      lengthAt(i + 1, j) >= lengthAt(i, j + 1) ? ++i : ++j;
      continue;
    }
    appendReplaced(diff.rows, middle.leftFrom + leftDone, middle.leftFrom + i, middle.rightFrom + rightDone,
                   middle.rightFrom + j);
    diff.rows.push_back({middle.leftFrom + i, middle.rightFrom + j, true});
    leftDone = ++i;
    rightDone = ++j;
  }
  appendReplaced(diff.rows, middle.leftFrom + leftDone, middle.leftTo, middle.rightFrom + rightDone, middle.rightTo);
}

} // namespace

LineDiff lineDiff(std::string_view left, std::string_view right) {
  LineDiff diff{linesOf(left), linesOf(right), {}};
  const int leftSize = static_cast<int>(diff.left.size()), rightSize = static_cast<int>(diff.right.size());
  int same = 0, sameEnd = 0;
  while (same < std::min(leftSize, rightSize) && diff.left[same] == diff.right[same])
    ++same;
  while (sameEnd < std::min(leftSize, rightSize) - same &&
         diff.left[leftSize - 1 - sameEnd] == diff.right[rightSize - 1 - sameEnd])
    ++sameEnd;
  for (int line = 0; line < same; ++line)
    diff.rows.push_back({line, line, true});
  appendMiddle(diff, {same, leftSize - sameEnd, same, rightSize - sameEnd});
  for (int line = 0; line < sameEnd; ++line)
    diff.rows.push_back({leftSize - sameEnd + line, rightSize - sameEnd + line, true});
  return diff;
}

} // namespace agentic
