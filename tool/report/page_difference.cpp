// Makes the side-by-side difference of two sources as a table.
#include "tool/report/html_text.h"
#include "tool/report/line_diff.h"
#include "tool/report/page_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kLineBytes = 2000, kMostRows = 3000, kContext = 4;

std::string sideHtml(const std::vector<std::string_view> &lines, int line, const char *changed, bool isSame) {
  if (line < 0)
    return "<td class=\"line gap\"></td><td class=\"gap\"></td>";
  return fmt::format("<td class=\"line\">{}</td><td class=\"text{}\">{}</td>", line + 1,
                     isSame ? "" : std::string(" ") + changed, htmlText(clippedText(lines[line], kLineBytes)));
}

/// Returns whether each row is shown: it differs, or is near one that does.
std::vector<bool> shownRows(const std::vector<DiffRow> &rows) {
  std::vector<bool> isShown(rows.size(), false);
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (!rows[row].isSame)
      for (std::size_t near = row - std::min(row, kContext); near < std::min(rows.size(), row + kContext + 1); ++near)
        isShown[near] = true;
  return isShown;
}

std::string skippedHtml(std::size_t count, std::string_view what) {
  return fmt::format("<tr class=\"skipped\"><td colspan=\"4\">{} {}{}</td></tr>\n", count, what, count == 1 ? "" : "s");
}

} // namespace

std::string differenceHtml(std::string_view before, std::string_view after) {
  const LineDiff diff = lineDiff(before, after);
  const std::vector<bool> isShown = shownRows(diff.rows);
  std::string html = "<table class=\"diff\"><thead><tr><th class=\"line\">#</th><th>baseline</th><th "
                     "class=\"line\">#</th><th>winner</th></tr></thead>\n<tbody>\n";
  std::size_t written = 0, same = 0, row = 0;
  for (; row < diff.rows.size() && written < kMostRows; ++row) {
    if (!isShown[row]) {
      ++same;
      continue;
    }
    if (same > 0)
      html += skippedHtml(same, "equal line");
    same = 0;
    const DiffRow &shown = diff.rows[row];
    html += "<tr>" + sideHtml(diff.left, shown.left, "removed", shown.isSame) +
            sideHtml(diff.right, shown.right, "added", shown.isSame) + "</tr>\n";
    ++written;
  }
  if (same > 0)
    html += skippedHtml(same, "equal line");
  if (row < diff.rows.size())
    html += skippedHtml(diff.rows.size() - row, "more row");
  return html + "</tbody></table>\n";
}

} // namespace agentic
