#include "tool/agent/hypotheses.h"

#include "tool/agent/bounded_text.h"
#include "tool/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace agentic {
namespace {

constexpr double kMostGain = 1000;
constexpr std::string_view kHeading = "## Hypothesis";
constexpr std::string_view kWhy = "why", kExpected = "expected", kRisk = "how it could fail", kFrom = "from";

/// A line of code such as "#pragma omp simd" is none.
bool isHeading(std::string_view line) {
  const std::size_t end = std::min(line.find_first_not_of('#'), line.size());
  return end > 0 && (end == line.size() || line[end] == ' ');
}

bool isItem(std::string_view line) {
  return line.starts_with("- ") || line == "-";
}

/// Returns the text without what would make it a heading or an item.
std::string_view withoutMarks(std::string_view text) {
  text = trim(text);
  while (isHeading(text) || isItem(text))
    text = trim(text.substr(std::min(text.find_first_not_of(text.front()), text.size())));
  return text;
}

/// Reads "1.4", "1.4x", "about 1.4 times as fast": what a person writes is not guessed.
std::optional<double> writtenGain(std::string_view text) {
  if (text.starts_with("about "))
    text = trim(text.substr(6));
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view unit = text.substr(end);
  const bool isRatio = unit.empty() || unit.starts_with(' ') || unit.starts_with('x') || unit.starts_with(", ");
  if (end == 0 || !isRatio || text.contains('%') || text.contains("percent"))
    return std::nullopt;
  return gainIn(text.substr(0, end));
}

std::string items(const Hypothesis &hypothesis) {
  std::string text = fmt::format("- {}: {}\n", kWhy, hypothesis.why);
  if (hypothesis.gain)
    text += fmt::format("- {}: {:.4g} times as fast\n", kExpected, *hypothesis.gain);
  for (const auto &[title, value] : {std::pair(kRisk, &hypothesis.risk), {kFrom, &hypothesis.source}})
    if (!value->empty())
      text += fmt::format("- {}: {}\n", title, *value);
  return text;
}

class HypothesesReader {
public:
  HypothesesReader(std::string_view text, const std::string &file) : lines_(split(text, '\n')), file_(file) {}

  Result<std::vector<Hypothesis>> read() {
    for (; at_ < lines_.size(); ++at_)
      if (isHeading(lines_[at_]))
        TRY(begin(lines_[at_]));
      else if (isInside_)
        TRY(take(trim(lines_[at_])));
    TRY(close());
    if (all_.empty())
      return userError(
          file_ + " holds no hypothesis",
          fmt::format("write a section '{} 1', what is to be changed, and a line '- {}: …'", kHeading, kWhy));
    return std::move(all_);
  }

private:
  std::unexpected<Error> error(std::size_t line, const std::string &what, std::string next) const {
    return userError(fmt::format("{}:{}: {}", file_, line + 1, what), std::move(next));
  }

  Result<void> begin(std::string_view heading) {
    TRY(close());
    isInside_ = heading.starts_with(kHeading);
    if (!isInside_)
      return {};
    if (all_.size() >= kMostGivenHypotheses)
      return error(at_, fmt::format("this is hypothesis {}, and a run takes {}", all_.size() + 1, kMostGivenHypotheses),
                   "keep the most promising ones");
    all_.emplace_back();
    heading_ = at_;
    open_ = &all_.back().what;
    return {};
  }

  /// Ends the section before this line.
  Result<void> close() {
    if (!isInside_)
      return {};
    const Hypothesis &done = all_.back();
    if (withoutMarks(done.what).empty())
      return error(heading_, "the hypothesis has no words", "write what is to be changed, in one or two sentences");
    if (done.why.empty())
      return error(heading_, "the hypothesis has no reason", fmt::format("add a line '- {}: …'", kWhy));
    for (const std::string *text : {&done.what, &done.why, &done.risk, &done.source})
      if (text->size() > kGivenHypothesisBytes)
        return error(heading_, fmt::format("a text of the hypothesis is longer than {} bytes", kGivenHypothesisBytes),
                     "shorten it: it is sent with a question");
    return {};
  }

  /// Takes a line of an item or of the text before it.
  Result<void> take(std::string_view line) {
    if (isItem(line))
      return item(trim(line.substr(1)));
    return goOn(line);
  }

  Result<void> goOn(std::string_view line) {
    if (const std::string words = oneLine(line); !words.empty())
      *open_ += (open_->empty() ? "" : " ") + words;
    return {};
  }

  Result<void> item(std::string_view line) {
    Hypothesis &hypothesis = all_.back();
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = trim(line.substr(0, colon)),
                           value = trim(line.substr(std::min(colon + 1, line.size())));
    const std::pair<std::string_view, std::string *> texts[] = {
        {kWhy, &hypothesis.why}, {kRisk, &hypothesis.risk}, {kFrom, &hypothesis.source}};
    if (name == kExpected) {
      hypothesis.gain = writtenGain(value);
      if (!hypothesis.gain)
        return error(at_, fmt::format("'{}' is no speedup", boundedText(value, kNameBytes)),
                     "write how many times as fast, such as 1.4");
      rest_.clear(), open_ = &rest_;
      return {};
    }
    const auto *text = std::ranges::find(texts, name, &std::pair<std::string_view, std::string *>::first);
    if (text == std::end(texts)) // a list of its author's
      return goOn("- " + std::string(line));
    *text->second = oneLine(value);
    open_ = text->second;
    return {};
  }

  std::vector<std::string> lines_;
  const std::string &file_;
  std::vector<Hypothesis> all_;
  std::size_t at_ = 0, heading_ = 0; ///< indices of lines
  bool isInside_ = false;            ///< a hypothesis' section
  std::string *open_ = nullptr;      ///< takes further lines
  std::string rest_;                 ///< of an item that is a number
};

} // namespace

/// Reads "1.5", "1.5x" and "about 1.5x"; nothing that no speedup could be.
std::optional<double> gainIn(std::string_view text) {
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos)
    return std::nullopt;
  double gain = 0;
  const auto read = std::from_chars(text.data() + begin, text.data() + text.size(), gain);
  const std::string_view unit = trim(std::string_view(read.ptr, text.data() + text.size()));
  const bool isGain =
      read.ec == std::errc() && std::isfinite(gain) && gain > 0 && gain <= kMostGain && !unit.starts_with('%');
  return isGain ? std::optional(gain) : std::nullopt;
}

bool Hypothesis::isComplete() const {
  return !withoutMarks(what).empty() && !why.empty();
}

std::string hypothesesMarkdown(const std::string &begin, const std::vector<Hypothesis> &hypotheses) {
  std::string text = begin;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    text += fmt::format("\n{} {}\n\n{}\n\n{}", kHeading, i + 1, withoutMarks(hypotheses[i].what), items(hypotheses[i]));
  return text;
}

Result<std::vector<Hypothesis>> readHypotheses(std::string_view text, const std::string &file) {
  if (validUtf8(std::string(text)) != text)
    return userError(file + " is no text in UTF-8", "save it as UTF-8: it is sent to a model");
  return HypothesesReader(text, file).read();
}

std::vector<Hypothesis> givenHypotheses(const std::string &text) {
  return readHypotheses(text, "--hypotheses").value_or(std::vector<Hypothesis>());
}

nlohmann::json hypothesisJson(const Hypothesis &hypothesis) {
  return {{"hypothesis", hypothesis.what},
          {"why", hypothesis.why},
          {"gain", hypothesis.gain ? nlohmann::json(*hypothesis.gain) : nlohmann::json()},
          {"risk", hypothesis.risk},
          {"source", hypothesis.source}};
}

std::string hypothesisName(std::size_t number, int call) {
  return call > 0 ? fmt::format("hypothesis {} of call {}", number, call)
                  : fmt::format("hypothesis {} of the file", number);
}

std::vector<std::size_t> bestGainFirst(const std::vector<Hypothesis> &hypotheses) {
  std::vector<std::size_t> order(hypotheses.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-hypotheses[i].gain.value_or(0), i); });
  return order;
}

} // namespace agentic
