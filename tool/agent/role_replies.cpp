#include "tool/agent/role_replies.h"

#include "tool/agent/bounded_text.h"
#include "tool/agent/reply_parser.h"
#include "tool/base/text.h"

#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostReplyBytes = 64u << 10, kMostLabels = 256;

using Labelled = std::vector<std::pair<std::string_view, std::string>>;

/// Returns the text as far as it is an answer: a reply that was cut or refused is none.
std::string_view answerIn(const ChatReply &reply) {
  if (reply.finish == ChatFinish::Length || reply.finish == ChatFinish::Refused)
    return {};
  bool isThoughtOpen = false; // what was said before it counts
  return withoutThoughts(reply.message.text, isThoughtOpen).substr(0, kMostReplyBytes);
}

/// Returns the values of lines such as "**PLAN:** text", with their labels, in order.
Labelled labelledIn(const ChatReply &reply, std::initializer_list<std::string_view> labels) {
  Labelled found;
  for (const std::string &line : split(answerIn(reply), '\n')) {
    std::string_view rest = line;
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t*#>-_`"), rest.size()));
    for (const std::string_view label : labels) {
      if (!rest.starts_with(label) || found.size() >= kMostLabels)
        continue;
      std::string_view value = rest.substr(label.size());
      value.remove_prefix(std::min(value.find_first_not_of(" \t*_`"), value.size()));
      if (!value.starts_with(':'))
        continue;
      value.remove_prefix(1);
      while (!value.empty() && std::string_view(" \t*_`").contains(value.front()))
        value.remove_prefix(1);
      found.emplace_back(label, std::string(trim(boundedText(oneLine(value), kRoleLineBytes))));
    }
  }
  return found;
}

/// Reads the number of a hypothesis; 0: none that could be.
int hypothesisIn(std::string_view text) {
  const std::size_t begin = text.find_first_of("0123456789");
  int number = 0;
  if (begin != std::string_view::npos)
    std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return number <= static_cast<int>(kMostGivenHypotheses) ? number : 0;
}

} // namespace

std::vector<StepPlan> readPlans(const ChatReply &reply, std::size_t most) {
  std::vector<StepPlan> plans;
  for (auto &[label, value] : labelledIn(reply, {"PLAN", "GAIN", "WHY", "HYPOTHESIS"})) {
    if (label == "PLAN")
      plans.push_back({.step = std::move(value), .why = {}, .gain = {}});
    else if (!plans.empty() && label == "GAIN")
      plans.back().gain = gainIn(value);
    else if (!plans.empty() && label == "HYPOTHESIS")
      plans.back().hypothesis = hypothesisIn(value);
    else if (!plans.empty() && plans.back().why.empty())
      plans.back().why = std::move(value);
  }
  std::erase_if(plans, [](const StepPlan &plan) { return plan.step.empty() || plan.why.empty(); });
  if (plans.size() > most)
    plans.resize(most);
  return plans;
}

Opinion readOpinion(const ChatReply &reply) {
  Opinion opinion;
  int verdicts = 0;
  for (auto &[label, value] : labelledIn(reply, {"VERDICT", "WHY"})) {
    if (label == "WHY") {
      opinion.why = std::move(value);
      continue;
    }
    ++verdicts;
    const std::string word = lowered(std::string_view(value).substr(0, value.find_first_of(" .,;:!*")));
    opinion.objection = word == "wrong" || word == "same" ? word : "";
  }
  return verdicts == 1 && (opinion.objection.empty() || !opinion.why.empty()) ? opinion : Opinion();
}

std::optional<Summary> readSummary(const ChatReply &reply) {
  Summary summary;
  for (auto &[label, value] : labelledIn(reply, {"TITLE", "WHAT", "WHY"})) {
    std::string &text = label == "TITLE" ? summary.title : label == "WHAT" ? summary.what : summary.why;
    if (text.empty())
      text = std::move(value);
  }
  summary.title = boundedText(summary.title, kRoleTitleBytes);
  const bool isWhole = !summary.title.empty() && !summary.what.empty() && !summary.why.empty();
  return isWhole ? std::optional(std::move(summary)) : std::nullopt;
}

ResearchAnswer readResearch(const ChatReply &reply) {
  ResearchAnswer answer;
  std::vector<Hypothesis> &all = answer.hypotheses;
  for (auto &[label, value] : labelledIn(reply, {"SEARCH", "SHOW", "HYPOTHESIS", "WHY", "GAIN", "RISK", "SOURCE"})) {
    if (label == "SEARCH" || label == "SHOW") {
      if (!value.empty() && answer.lookups.size() < kMostLookups)
        answer.lookups.push_back({label == "SHOW", boundedText(value, kRoleTitleBytes)});
    } else if (label == "HYPOTHESIS") {
      all.emplace_back().what = std::move(value);
    } else if (!all.empty() && label == "GAIN") {
      all.back().gain = gainIn(value);
    } else if (!all.empty()) {
      std::string &text = label == "WHY" ? all.back().why : label == "RISK" ? all.back().risk : all.back().source;
      if (text.empty())
        text = std::move(value);
    }
  }
  std::erase_if(all, [](const Hypothesis &hypothesis) { return !hypothesis.isComplete(); });
  if (all.size() > kMostHypotheses)
    all.resize(kMostHypotheses);
  if (!all.empty())
    answer.lookups.clear();
  return answer;
}

} // namespace agentic
