// The content of the page in words: between the runs' data and the HTML. Texts are views of the source RunReports,
// which must outlive it: 10,000 sources are not copied.
#pragma once

#include "tool/model/measurement.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {

using TextPairs = std::vector<std::pair<std::string, std::string>>; ///< title and text

struct PageAttempt {
  std::string_view id, source;
  std::string verdict, stage, check, agent;
  int iteration = 0;
  std::optional<double> ns; ///< time of the candidate
  std::optional<Speedup> speedup;
  std::optional<double> estimate; ///< ReportAttempt::estimate
  double best = 1;                ///< best speedup of the run after this attempt
  double wall = 0, dollars = 0;   ///< totals of the run up to then
  double agentDollars = 0;        ///< total of the agent up to then
  TextPairs facts, texts;         ///< for the dialog: one line each; many lines each
};

struct PageStage {
  std::string name;
  double seconds = 0, dollars = 0;
};

struct PageAgent {
  std::string name;
  std::optional<Speedup> speedup; ///< as measured in the search
  std::size_t attempts = 0, accepted = 0;
  bool hasCalls = false; ///< has calls of a model
  double seconds = 0, dollars = 0;
};

struct PageStep {
  std::string id, text;
  std::optional<Speedup> speedup;
};

/// The same property before and after: a hot loop's instructions, the compiler's remarks.
struct PageComparison {
  struct Side {
    std::string text, note;
    bool isLookedAt = false;
  };
  std::string title;
  Side before, after;
  bool hasAfter = true; ///< there is a winner
};

/// A line of the tree of attempts.
struct PageBranch {
  int depth = 0;
  std::string id, text;
};

struct PageRun {
  std::string name;
  std::string label; ///< set if there are several on the page: "run 2"; else empty
  std::vector<PageAttempt> attempts;
  std::optional<Speedup> best; ///< speedup of the winner
  std::string winner;          ///< id, or empty
  std::string endToEnd;        ///< of the application with the winner, in words; or empty
  std::string times;           ///< times of the baseline and of the winner, in words; or empty
  double seconds = 0, dollars = 0;
  std::string tokens;   ///< in words, or empty
  std::string standing; ///< how the run ended, or that it goes on
  bool hasEnded = false;
  std::vector<PageStage> stages;
  std::vector<std::pair<std::string, std::size_t>> rejected;
  std::vector<PageStep> lineage;
  std::string strategy;         ///< or empty
  std::vector<PageBranch> tree; ///< depth first, as many as the page holds
  std::size_t branchesLeft = 0; ///< not shown
  TextPairs cells;              ///< of archives: what the object code does, and the id of the fastest
  TextPairs roles;              ///< name and cost
  std::string judge;            ///< whether it pays; or empty
  TextPairs hypotheses;         ///< what was expected, and what came of it
  std::string_view baselineSource, winnerSource;
  std::vector<PageComparison> comparisons;
  TextPairs environment;
  std::string reproduce;
};

struct RunReport;

struct PageModel {
  std::vector<PageRun> runs;
  std::vector<PageAgent> agents;
};

PageModel pageModel(std::span<const RunReport> runs);

} // namespace agentic
