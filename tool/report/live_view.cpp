#include "tool/report/live_view.h"

#include "tool/base/money.h"
#include "tool/base/terminal_text.h"
#include "tool/model/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace agentic {
namespace {

constexpr const char *kPlain = "", *kBold = "1", *kDim = "2", *kGreen = "32", *kYellow = "33";
constexpr std::size_t kLeastSparkline = 6, kMostSparkline = 60, kShortId = 12;

/// A line that is filled from the left until it is full.
class Line {
public:
  Line(const LiveSize &size, std::size_t room) : size_(size), room_(room) {}
  explicit Line(const LiveSize &size) : Line(size, size.columns > 1 ? size.columns - 1 : 0) {}

  /// Adds foreign text.
  Line &add(const char *style, std::string_view text) {
    return raw(style, size_.hasUnicode ? printable(text) : printableAscii(text));
  }
  /// Adds text of ours.
  Line &raw(const char *style, const std::string &text) {
    const std::string fits = fitted(text, left());
    line_.columns += displayColumns(fits);
    line_.text += size_.hasColor && *style && !fits.empty() ? fmt::format("\033[{}m{}\033[0m", style, fits) : fits;
    return *this;
  }
  std::size_t left() const { return room_ - std::min(room_, line_.columns); }
  LiveLine take() { return std::move(line_); }

private:
  const LiveSize &size_;
  std::size_t room_;
  LiveLine line_;
};

/// The time stays, however long the name of a kernel is.
LiveLine headLine(const LiveState &state, const LiveSize &size) {
  std::string time = clockText(state.secondsUsed);
  if (state.secondsLeft)
    time += ", " + clockText(*state.secondsLeft) + " left";
  const std::size_t room = Line(size).left();
  if (room < 2 * time.size())
    return Line(size).add(kBold, state.kernel).take();
  LiveLine line = Line(size, room - time.size() - 2)
                      .add(kBold, state.kernel)
                      .add(kDim, "  " + state.agent + (state.target.empty() ? "" : "  " + state.target))
                      .take();
  line.text += std::string(room - time.size() - line.columns, ' ') + time;
  line.columns = room;
  return line;
}

LiveLine stageLine(const LiveState &state, const LiveSize &size) {
  Line line(size);
  if (state.iteration > 0)
    line.raw(kDim, state.maxIterations > 0 ? fmt::format("  [{}/{}] ", state.iteration, state.maxIterations)
                                           : fmt::format("  [{}] ", state.iteration));
  else
    line.raw(kPlain, "  ");
  line.add(kPlain, state.stage.empty() ? "preparing" : state.stage);
  if (!state.candidate.empty())
    line.add(kDim, "  " + state.candidate.substr(0, kShortId));
  if (!state.origin.empty())
    line.add(kDim, "  " + state.origin);
  return line.take();
}

LiveLine bestLine(const LiveState &state, const LiveSize &size) {
  Line line(size);
  line.raw(kDim, "  best      ");
  if (!state.isTimed)
    return line.add(kPlain, "nothing is measured here: the first that passes is taken").take();
  if (state.best)
    line.add(kGreen, ratioText(*state.best));
  else
    line.add(kPlain, "the baseline");
  if (size.columns >= 60 && !state.bestCandidate.empty())
    line.add(kDim, "  " + state.bestCandidate.substr(0, kShortId));
  if (line.left() >= kLeastSparkline + 2 && state.bestSoFar.size() > 1)
    line.raw(kPlain, "  ")
        .raw(kGreen, sparkline(state.bestSoFar, std::min(line.left(), kMostSparkline), size.hasUnicode));
  return line.take();
}

LiveLine rejectedLine(const LiveState &state, const LiveSize &size) {
  Line line(size);
  line.raw(kDim, "  rejected  ");
  std::string text;
  for (const auto &[stage, count] : state.rejected)
    text += (text.empty() ? "" : ", ") + stage + " " + std::to_string(count);
  return line.add(kPlain, text.empty() ? "none" : text).take();
}

LiveLine branchLine(const SearchBranch &branch, std::size_t width, const LiveSize &size) {
  return Line(size)
      .raw(kDim, "  ")
      .add(kDim, branch.label)
      .raw(kPlain, fmt::format("{}  {} asked, {} passed", std::string(width - branch.label.size(), ' '),
                               branch.questions, branch.passed))
      .raw(kGreen, branch.best > 0 ? fmt::format(", best {:.2f}x", branch.best) : "")
      .take();
}

LiveLine hostLine(const std::string &name, const LiveHost &host, std::size_t width, const LiveSize &size) {
  return Line(size)
      .raw(kDim, "  ")
      .add(kDim, name)
      .raw(kPlain, fmt::format("{}  {} measured", std::string(width - name.size(), ' '), host.measured))
      .raw(kDim, ", last ")
      .add(kDim, host.candidate.substr(0, kShortId))
      .take();
}

LiveLine costLine(const LiveState &state, const LiveSize &size) {
  const LiveCost &cost = *state.cost;
  const std::string most = cost.budgetUsd ? " of " + usdText(*cost.budgetUsd) : "";
  return Line(size)
      .raw(kDim, "  model     ")
      .add(kPlain, fmt::format("{}{}, {}, {} call{}", usdText(cost.usd), most,
                               tokensText(cost.inputTokens, cost.outputTokens), cost.calls, cost.calls == 1 ? "" : "s"))
      .take();
}

} // namespace

std::vector<LiveLine> liveLines(const LiveState &state, const LiveSize &size) {
  // Display order, with a rank that says which lines stay longest when rows are few.
  std::vector<std::pair<int, LiveLine>> all;
  all.emplace_back(3, headLine(state, size));
  all.emplace_back(0, stageLine(state, size));
  all.emplace_back(1, bestLine(state, size));
  all.emplace_back(5, rejectedLine(state, size));
  int rank = 6;
  std::size_t width = 0;
  for (const SearchBranch &branch : state.branches)
    width = std::max(width, branch.label.size());
  for (const SearchBranch &branch : state.branches)
    all.emplace_back(rank++, branchLine(branch, width, size));
  width = 0;
  for (const auto &[name, host] : state.hosts)
    width = std::max(width, name.size());
  for (const auto &[name, host] : state.hosts)
    all.emplace_back(rank++, hostLine(name, host, width, size));
  if (state.cost)
    all.emplace_back(4, costLine(state, size));
  if (state.isStopping)
    all.emplace_back(2, Line(size)
                            .add(kYellow, state.bestCandidate.empty()
                                              ? "  stopping; Ctrl-C again aborts"
                                              : "  stopping: the best so far is kept; Ctrl-C again aborts")
                            .take());
  const std::size_t room = size.rows > 2 ? size.rows - 1 : 1;
  while (all.size() > room)
    all.erase(std::ranges::max_element(all, {}, &std::pair<int, LiveLine>::first));
  std::vector<LiveLine> lines;
  for (auto &[priority, line] : all)
    lines.push_back(std::move(line));
  return lines;
}

std::string sparkline(const std::vector<double> &values, std::size_t columns, bool hasUnicode) {
  static constexpr std::array kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::array kAscii = {"_", ".", "-", "~", "=", "+", "*", "#"};
  const auto begin = values.size() > columns ? values.end() - static_cast<std::ptrdiff_t>(columns) : values.begin();
  std::vector<double> seen;
  std::ranges::copy_if(begin, values.end(), std::back_inserter(seen),
                       [](double value) { return std::isfinite(value); });
  if (seen.empty())
    return {};
  const auto [least, most] = std::ranges::minmax(seen);
  std::string bars;
  for (const double value : seen) {
    const double share = most > least ? (value / 2 - least / 2) / (most / 2 - least / 2) : 0; // for huge ones, too
    const auto bar = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (kBars.size() - 1) + 0.5);
    bars += (hasUnicode ? kBars : kAscii)[bar];
  }
  return bars;
}

} // namespace agentic
