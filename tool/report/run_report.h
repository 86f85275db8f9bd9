// The content of a report on a run: read from its journal (cli/run_reports.h), turned into CSV, Markdown, JSON, text
// and a page here. Strings are as the journal has them: from models, hostile or damaged; every writer escapes them.
// Times in seconds, money in dollars.
#pragma once

#include "tool/model/call_totals.h"
#include "tool/model/end_to_end.h"
#include "tool/model/evaluation.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// One iteration.
struct ReportAttempt {
  int iteration = 0;                 ///< from 1
  std::string candidate;             ///< id; empty: a reply without a usable candidate
  std::string agent;                 ///< label of the proposing agent; empty: none, a checked-in variant
  std::string parent;                ///< id of the candidate it was made from; may be empty
  std::string origin;                ///< how it was made: "builtin: strip-mine(j,16)", "openai:x call 3"
  std::string role;                  ///< of a run with roles: "coder", "fixer"; else empty
  std::string model;                 ///< label of the model whose reply it is; empty: none
  std::string plan;                  ///< that it carries out, in words of a model; may be empty
  int hypothesis = 0;                ///< number, from 1, of its agent's hypothesis that it carries out; 0: none
  Evaluation evaluation;             ///< empty for a reply
  std::optional<Evaluation> refusal; ///< why an accepted candidate was not confirmed
  bool becameBest = false;
  /// Estimated speedup over the baseline of an attempt that was only measured against the best before it: the best's,
  /// times the ratio. For the same code as another attempt: that attempt's.
  std::optional<double> estimate;
  double best = 1; ///< speedup of the best so far, over the baseline; without candidates that were refused later
  std::int64_t tokensIn = 0, tokensOut = 0; ///< tokens of the call it answers, with retries; its first attempt has them
  double usd = 0;                           ///< cost of that call, and of those that helped it since the last one
  double usdSoFar = 0, agentUsdSoFar = 0;   ///< totals of the run and of its agent until then
  double wallSeconds = 0;                   ///< since the run began
  bool isReply() const { return candidate.empty(); }
  bool isAccepted() const { return !isReply() && evaluation.verdict == Verdict::Accepted && !refusal; }
  /// Returns the evaluation that decided the verdict.
  const Evaluation &decisive() const { return refusal ? *refusal : evaluation; }
};

/// The contribution of one agent.
struct ReportAgent {
  std::string name;
  int attempts = 0, accepted = 0;
  CallTotals calls;
  std::optional<Speedup> best; ///< speedup of its best accepted candidate over the baseline, as measured in the search
  std::string bestCandidate;
  int bestIteration = 0;
  double bestSeconds = 0; ///< when it was found
};

/// A fact about code besides its time: the compiler's remarks, the hot loop, an estimate of its cycles.
struct ReportSection {
  std::string title, text, note;
};

/// An attempt in the tree of what was made from what.
struct ReportBranch {
  int depth = 0;           ///< 0: made from the baseline
  std::size_t attempt = 0; ///< index into attempts
};

/// A cell of an archive: the fastest candidate that does so.
struct ReportCell {
  int population = 0;    ///< from 0
  std::string traits;    ///< what its object code does
  std::string candidate; ///< id
};

/// What a researcher expected before the first file, and what came of it.
struct ReportHypothesis {
  int number = 0;    ///< from 1, of this agent
  std::string agent; ///< label; empty: there is one
  std::string what, why, risk, source;
  std::optional<double> gain;      ///< expected speedup over the baseline
  int tried = 0;                   ///< attempts that carry it out, replies without a candidate included
  std::optional<std::size_t> best; ///< index into attempts: the best of those; none: not tried
};

struct RunReport {
  std::string name, directory;
  std::string kernel, level, family;
  std::string started; ///< "2026-11-23T13:44:18Z", or empty
  bool isFinished = false;
  bool isRunning = false; ///< a process works on it
  std::string reason;     ///< why it ended
  std::string uncovered;  ///< what nothing runs of the unchanged kernel, one sentence; or empty
  std::vector<std::pair<std::string, std::string>> configuration,
      environment;       ///< title and value, to be shown in order
  std::string reproduce; ///< command line, quoted for a shell
  double baselineNs = 0; ///< beside the winner's; without a winner as calibrated; 0 = not known
  std::string baselineSource;

  std::string winner;             ///< id of the confirmed candidate; empty: none
  std::string winnerOrigin;       ///< who made it and how: of another text than its attempt's, the steps that are left
  std::string winnerFrom;         ///< id of the attempt of which it is another text; empty: it is an attempt itself
  std::string shortening;         ///< what was left out of that; empty: nothing
  std::string reviewed;           ///< what a reviewer changed in it; empty: nothing
  std::string why;                ///< why it is faster, in numbers of the object code; empty: not known
  std::optional<Speedup> speedup; ///< the winner over the baseline: as it ships if it was written, else as confirmed
  double winnerNs = 0;
  bool isAsShipped = false;
  std::optional<EndToEnd> endToEnd; ///< the application with the written variant
  std::vector<std::string> written; ///< files

  /// Returns the id of the attempt that won.
  const std::string &winningAttempt() const { return winnerFrom.empty() ? winner : winnerFrom; }

  double wallSeconds = 0;
  CallTotals calls;                                         ///< sum over all agents
  std::vector<std::pair<std::string, double>> stageSeconds; ///< all of wallSeconds, in the order of the stages
  std::map<std::string, int> rejectedByStage;               ///< with candidates refused later, and replies
  std::map<std::string, int> rejectedByCheck;               ///< names of checks, of candidates that `check` rejected
  std::vector<ReportAgent> agents;                          ///< in order of their first attempt
  std::vector<ReportAttempt> attempts;
  std::string strategy;                       ///< of agents that ask a model; empty: none decided what was asked
  std::vector<ReportBranch> tree;             ///< depth first; empty without a strategy and without roles
  std::vector<ReportCell> cells;              ///< of `islands`, population by population, the fastest first
  std::map<std::string, CallTotals> roles;    ///< cost of each; empty without roles
  std::string judge;                          ///< whether it was right, and whether it is on; empty without one
  std::vector<ReportHypothesis> hypotheses;   ///< of each agent's researcher; empty without one
  std::vector<std::string> lineage;           ///< ids from the first ancestor to the winner; empty without one
  std::map<std::string, std::string> sources; ///< text of each candidate, by id; empty where its file is gone
  std::vector<ReportSection> baselineInsight, winnerInsight; ///< sections of the same titles belong together
};

/// Returns {"version", "runs": [{every field of the above by its name in snake case; unknown values are null}]};
/// without the sources' texts.
nlohmann::json reportJson(std::span<const RunReport> runs);

/// Returns RFC 4180, CRLF line ends: a header and a line per attempt, with the columns kernel, agent, iteration,
/// candidate, verdict, stage, time_ns, speedup, low, high, tokens_in, tokens_out, cost_usd, wall_seconds, run, origin,
/// against_best (the ratio to the best before it), estimated_speedup, refused_by, host (of a farm, where it was
/// measured). A cell that a spreadsheet would execute gets an apostrophe.
std::string reportCsv(std::span<const RunReport> runs);

/// Returns a text for a change request: the result, rejections, cost, environment, how to repeat it. Foreign text is in
/// code spans: it names no person and no issue.
std::string reportMarkdown(std::span<const RunReport> runs);

/// Returns a text for a terminal, without colour: control characters are escaped.
std::string reportText(std::span<const RunReport> runs);

} // namespace agentic
