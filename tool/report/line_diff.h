// Compares two texts by lines: the longest common subsequence, with lines of the left and the right that replace one
// another in one row. Bounded: if the differing parts need a table of more than 4 million cells, all of one is shown as
// replaced by all of the other.
#pragma once

#include <string_view>
#include <vector>

namespace agentic {

struct DiffRow {
  int left = -1, right = -1; ///< indices of the lines; -1 = nothing on that side
  bool isSame = false;
};

struct LineDiff {
  std::vector<std::string_view> left, right; ///< lines without their ends; views of the texts
  std::vector<DiffRow> rows;
};

LineDiff lineDiff(std::string_view left, std::string_view right);

} // namespace agentic
