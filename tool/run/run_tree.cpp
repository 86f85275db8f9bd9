#include "tool/run/run_tree.h"

#include "tool/agent/agent.h"
#include "tool/agent/judge_standing.h"
#include "tool/agent/role_replies.h"
#include "tool/search/ask_tree.h"
#include "tool/search/islands_archive.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kMostPlansRead = 32;

/// Reads a number behind `mark`; 0 if there is none.
int numberBehind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  int number = 0;
  if (at != std::string_view::npos)
    std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), number);
  return number;
}

/// What a coder was told to do.
struct Carried {
  std::string words;  ///< empty: nothing that is known
  int hypothesis = 0; ///< number of the one that it carried out; 0: none
};

Carried numbered(std::span<const Hypothesis> all, int number) {
  const auto i = static_cast<std::size_t>(number - 1);
  return i < all.size() ? Carried{all[i].what, number} : Carried();
}

/// Returns what "plan 2 of call 7" and "hypothesis 2 of call 3" mean, if that call holds it, and "hypothesis 2 of the
/// file".
Carried carriedOut(std::string_view about, const ToldAgent &told) {
  const int plan = numberBehind(about, "plan "), hypothesis = numberBehind(about, "hypothesis "),
            call = numberBehind(about, "of call ");
  if (hypothesis > 0 && call == 0)
    return numbered(told.given, hypothesis);
  for (const CallRecord &record : told.calls) {
    if (record.call != call || !record.reply)
      continue;
    if (plan > 0 && record.purpose.role == roleName(Role::Planner)) {
      const std::vector<StepPlan> plans = readPlans(*record.reply, kMostPlansRead);
      if (const std::size_t i = std::size_t(plan) - 1; i < plans.size())
        return {plans[i].step, plans[i].hypothesis};
    }
    if (hypothesis > 0 && record.purpose.role == roleName(Role::Researcher))
      return numbered(readResearch(*record.reply).hypotheses, hypothesis);
  }
  return {};
}

/// Accepted ones first, then those that were measured, by their speed; then those that were refused, then replies.
bool isBetter(const ReportAttempt &left, const ReportAttempt &right) {
  const auto rank = [](const ReportAttempt &attempt) {
    const std::optional<Measurement> &measured = attempt.evaluation.measurement;
    return std::tuple(attempt.isAccepted(),
                      !attempt.isReply() && !attempt.refusal && attempt.evaluation.verdict != Verdict::Rejected,
                      measured ? measured->speedup.ratio : attempt.estimate.value_or(0), !attempt.isReply());
  };
  return rank(left) > rank(right);
}

class Descent {
public:
  Descent(const RunReport &report, const RunRecord &record) : report_(report) {
    for (const Asked &asked : record.asked)
      for (const std::string &id : asked.candidates)
        parents_.try_emplace(id, asked.ask.fixes.empty() ? asked.ask.parent : asked.ask.fixes);
    for (std::size_t i = 0; i < report.attempts.size(); ++i)
      if (!report.attempts[i].isReply())
        known_.try_emplace(report.attempts[i].candidate, i);
    for (std::size_t i = 0; i < report.attempts.size(); ++i)
      if (!report.attempts[i].isReply())
        children_[parentOf(report.attempts[i])].push_back(i);
  }

  std::vector<ReportBranch> branches() {
    std::vector<ReportBranch> branches;
    // A stack of our own: a journal from elsewhere may be deep.
    std::vector<ReportBranch> open;
    push(open, "", 0);
    while (!open.empty()) {
      const ReportBranch next = open.back();
      open.pop_back();
      if (!seen_.insert(next.attempt).second)
        continue;
      branches.push_back(next);
      const std::string &id = report_.attempts[next.attempt].candidate;
      if (known_[id] == next.attempt)
        push(open, id, next.depth + 1);
    }
    return branches;
  }

private:
  /// Returns the id of what it was made from; empty: the baseline, or something that the report does not show.
  std::string parentOf(const ReportAttempt &attempt) const {
    const auto asked = parents_.find(attempt.evaluation.tuning.empty() ? attempt.candidate : attempt.parent);
    const std::string &parent = asked == parents_.end() ? attempt.parent : asked->second;
    const auto found = known_.find(parent);
    const bool isEarlier = found != known_.end() && report_.attempts[found->second].iteration < attempt.iteration;
    return isEarlier ? parent : "";
  }
  void push(std::vector<ReportBranch> &open, const std::string &parent, int depth) {
    const std::vector<std::size_t> &children = children_[parent];
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      open.push_back({depth, *child});
  }
  const RunReport &report_;
  std::map<std::string, std::string> parents_;               ///< of candidates that a strategy asked for
  std::map<std::string, std::size_t> known_;                 ///< index of the first attempt of each
  std::map<std::string, std::vector<std::size_t>> children_; ///< indices, by parent
  std::set<std::size_t> seen_;
};

/// The part of it that strategies look at.
RunState stateOf(const RunRecord &record) {
  RunState state;
  state.attempts = record.attempts;
  state.incumbent = record.incumbent;
  state.asked = record.asked;
  return state;
}

} // namespace

void addRoleOf(ReportAttempt &attempt, int call, const ToldAgent &told) {
  for (const CallRecord &record : told.calls) {
    if (call <= 0 || record.call != call)
      continue;
    attempt.role = record.purpose.role;
    attempt.model = record.agent;
    Carried carried = carriedOut(record.purpose.about, told);
    attempt.plan = std::move(carried.words);
    attempt.hypothesis = carried.hypothesis;
  }
}

void addHypotheses(RunReport &report, const std::string &agent, const ToldAgent &told) {
  std::vector<Hypothesis> all(told.given.begin(), told.given.end());
  for (const CallRecord &record : told.calls)
    if (told.given.empty() && record.reply && record.purpose.role == roleName(Role::Researcher))
      all = readResearch(*record.reply).hypotheses; // earlier answers asked for something to read
  const std::size_t first = report.hypotheses.size();
  for (Hypothesis &one : all)
    report.hypotheses.push_back({.number = int(report.hypotheses.size() - first) + 1,
                                 .agent = agent,
                                 .what = std::move(one.what),
                                 .why = std::move(one.why),
                                 .risk = std::move(one.risk),
                                 .source = std::move(one.source),
                                 .gain = one.gain});
  std::map<std::string, int> carried; // by candidate
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    ReportAttempt &attempt = report.attempts[i];
    if (!agent.empty() && attempt.agent != agent)
      continue;
    if (attempt.role == roleName(Role::Fixer)) // the idea is that of the file that it mended
      attempt.hypothesis = carried[attempt.parent];
    if (attempt.hypothesis > int(all.size()))
      attempt.hypothesis = 0; // a planner's that there is not
    if (attempt.hypothesis == 0)
      continue;
    carried[attempt.candidate] = attempt.hypothesis;
    ReportHypothesis &hypothesis = report.hypotheses[first + std::size_t(attempt.hypothesis) - 1];
    ++hypothesis.tried;
    if (!hypothesis.best || isBetter(attempt, report.attempts[*hypothesis.best]))
      hypothesis.best = i;
  }
}

std::vector<SearchBranch> branchesIn(const RunRecord &record) {
  const auto strategy = parseAskStrategy(record.config.model.strategy);
  if (!strategy || !strategy->row->branches || record.asked.empty())
    return {};
  return strategy->row->branches(stateOf(record));
}

void addTree(RunReport &report, const RunRecord &record) {
  if (!record.asked.empty())
    report.strategy = record.asked.back().ask.strategy;
  if (!record.judged.empty())
    report.judge = judgeText(judgeStanding(record.judged, record.attempts));
  if (record.asked.empty() && report.roles.empty())
    return;
  report.tree = Descent(report, record).branches();
  const RunState state = stateOf(record);
  const AskTree tree = treeOf(state);
  std::set<int> populations;
  for (const Asked &asked : record.asked)
    if (asked.ask.strategy == kIslandsName)
      populations.insert(asked.ask.population);
  for (const int population : populations)
    for (const ArchiveCell &cell : Archive(state, tree, population).cells())
      report.cells.push_back({population, cell.traits, tree.nodes[cell.elite].id});
}

std::map<std::string, CallTotals> roleTotalsOf(const std::string &runDirectory, const RunConfig &config) {
  std::vector<std::string> folders = {runDirectory};
  for (std::size_t i = 0; i < config.agents.size(); ++i)
    folders.push_back(agentDirectory(runDirectory, i));
  std::map<std::string, CallTotals> roles;
  for (const std::string &folder : folders)
    if (const auto calls = CallLog::read(folder))
      for (const auto &[role, totals] : totalsByRole(*calls))
        roles[role] = sum(roles[role], totals);
  return roles;
}

} // namespace agentic
