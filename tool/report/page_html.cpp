#include "tool/report/page_html.h"

#include "tool/base/money.h"
#include "tool/model/figures.h"
#include "tool/report/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kRowsWithoutScript = 200, kNoteBytes = 1000, kComparisonBytes = 200'000;
constexpr int kMostDepth = 20;

std::string nameHtml(std::string_view name) {
  return htmlText(clippedText(name, kNameBytes));
}

/// `value`: HTML.
std::string tile(std::string_view label, const std::string &value, const std::string &small = {}) {
  return fmt::format("<div><dt>{}</dt><dd>{}{}</dd></div>\n", label, value,
                     small.empty() ? "" : "<small>" + nameHtml(small) + "</small>");
}

/// With scripts, a button opens the candidate.
std::string candidateHtml(std::string_view id) {
  const std::string name = nameHtml(id);
  return fmt::format("<code data-candidate=\"{}\">{}</code>", name, name);
}

std::string numberCell(const std::string &text) {
  return "<td class=\"number\">" + htmlText(text) + "</td>";
}

/// Makes a scrolling region that the tabulator key reaches.
std::string scrolled(std::string_view label, const std::string &html) {
  return fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n", label,
                     html);
}

std::string section(std::size_t run, bool isOfRun, std::string_view title, const std::string &html,
                    std::string_view more = {}) {
  return fmt::format("<section{}{}>\n<h2>{}</h2>\n{}</section>\n", isOfRun ? fmt::format(" data-run=\"{}\"", run) : "",
                     more, title, html);
}

std::string runTitle(const PageModel &page, std::size_t run, std::string_view title) {
  return page.runs.size() < 2
             ? std::string(title)
             : fmt::format("{} <span class=\"no-script\">({})</span>", title, nameHtml(page.runs[run].name));
}

std::string agentsHtml(const PageModel &page) {
  std::string rows;
  for (const PageAgent &agent : page.agents)
    rows += fmt::format("<tr><td>{}</td>{}{}{}{}{}</tr>\n", nameHtml(agent.name),
                        numberCell(agent.speedup ? ratioText(agent.speedup->ratio) : "–"),
                        numberCell(std::to_string(agent.attempts)), numberCell(std::to_string(agent.accepted)),
                        numberCell(agent.hasCalls ? seconds(agent.seconds) : "–"),
                        numberCell(agent.hasCalls ? usdText(agent.dollars) : "–"));
  return section(
      0, false, "Best per agent",
      "<div class=\"chart script-only\"><canvas id=\"chart-agents\" role=\"img\" aria-label=\"Best speedup per "
      "agent; the table below has the numbers\"></canvas></div>\n"
      "<p class=\"hint\">As measured in the search, where the best of many is picked: estimates. What is confirmed at "
      "its end is measured anew, with fresh pairs "
      "and, "
      "if it is written, as it ships: the summary has that number.</p>\n" +
          scrolled("Best per agent",
                   "<table><thead><tr><th>Agent</th><th class=\"number\">Best</th><th class=\"number\">"
                   "Attempts</th><th class=\"number\">Accepted</th><th "
                   "class=\"number\">Time in calls</th><th class=\"number\">Cost</th></tr></thead>\n<tbody>\n" +
                       rows + "</tbody></table>\n"));
}

/// The page has one chart, drawn for the chosen run; all tables are there.
std::string stagesHtml(const PageModel &page) {
  std::string html =
      "<div class=\"chart script-only\"><canvas id=\"chart-stages\" role=\"img\" aria-label=\"Seconds by "
      "stage; the table below has the numbers\"></canvas></div>\n";
  for (std::size_t run = 0; run < page.runs.size(); ++run) {
    std::string rows;
    for (const PageStage &stage : page.runs[run].stages)
      rows += fmt::format("<tr><td>{}</td>{}{}</tr>\n", nameHtml(stage.name), numberCell(seconds(stage.seconds)),
                          numberCell(stage.dollars > 0 ? usdText(stage.dollars) : "–"));
    html += fmt::format(
        "<div data-run=\"{}\">\n{}</div>\n", run,
        rows.empty()
            ? "<p class=\"empty\">Nothing was timed yet.</p>\n"
            : "<table class=\"small\"><thead><tr><th>Stage</th><th class=\"number\">Time</th><th class=\"number\">"
              "Cost</th></tr></thead>\n<tbody>\n" +
                  rows + "</tbody></table>\n");
  }
  return section(0, false, "Where time and money went", html);
}

std::string rejectedHtml(const PageModel &page) {
  std::string html =
      "<div class=\"chart script-only\"><canvas id=\"chart-rejected\" role=\"img\" aria-label=\"Candidates "
      "rejected, by check; the table below has the numbers\"></canvas></div>\n";
  for (std::size_t run = 0; run < page.runs.size(); ++run) {
    std::string rows;
    for (const auto &[name, count] : page.runs[run].rejected)
      rows += fmt::format("<tr><td>{}</td>{}</tr>\n", nameHtml(name), numberCell(std::to_string(count)));
    html += fmt::format(
        "<div data-run=\"{}\">\n{}</div>\n", run,
        rows.empty()
            ? "<p class=\"empty\">Nothing was rejected.</p>\n"
            : "<table class=\"small\"><thead><tr><th>By</th><th class=\"number\">Candidates</th></tr></thead>\n"
              "<tbody>\n" +
                  rows + "</tbody></table>\n");
  }
  return section(0, false, "What was not taken", html);
}

std::string lineageHtml(const PageModel &page, std::size_t run) {
  if (page.runs[run].lineage.empty())
    return {};
  std::string steps;
  for (const PageStep &step : page.runs[run].lineage)
    steps +=
        fmt::format("<li>{}{}{}</li>\n", candidateHtml(step.id), step.speedup ? " " + ratioText(*step.speedup) : "",
                    step.text.empty() ? "" : ": " + htmlText(clippedText(step.text, 1000)));
  return section(run, true, runTitle(page, run, "Lineage of the winner"),
                 "<p class=\"hint\">From what it was made first, with speedups as measured in the search.</p>\n"
                 "<ol class=\"lineage\">\n" +
                     steps + "</ol>\n");
}

std::string treeHtml(const PageModel &page, std::size_t run) {
  const PageRun &shown = page.runs[run];
  if (shown.tree.empty())
    return {};
  std::string rows;
  int open = -1; // depth of the list that is open
  for (const PageBranch &branch : shown.tree) {
    const int depth = std::clamp(branch.depth, 0, std::min(open + 1, kMostDepth));
    rows += depth > open ? (open < 0 ? "<ul class=\"tree\">\n" : "\n<ul>\n") : "</li>\n";
    for (; open > depth; --open)
      rows += "</ul></li>\n";
    open = depth;
    rows += fmt::format("<li>{} {}", candidateHtml(branch.id), htmlText(clippedText(branch.text, kNoteBytes)));
  }
  for (; open >= 0; --open)
    rows += open > 0 ? "</li></ul>\n" : "</li>\n</ul>\n";
  std::string html =
      fmt::format("<p class=\"hint\">What was made from what, below what it was made from{}; speedups as "
                  "measured in the search.</p>\n{}",
                  shown.strategy.empty() ? "" : ", as the strategy " + nameHtml(shown.strategy) + " asked", rows);
  if (shown.branchesLeft > 0)
    html += fmt::format("<p class=\"hint\">And {} more.</p>\n", shown.branchesLeft);
  return section(run, true, runTitle(page, run, "Tree of attempts"), html, " class=\"long\"");
}

std::string cellsHtml(const PageModel &page, std::size_t run) {
  std::string rows;
  for (const auto &[traits, id] : page.runs[run].cells)
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", nameHtml(traits), candidateHtml(id));
  return rows.empty()
             ? ""
             : section(run, true, runTitle(page, run, "Archives"),
                       scrolled("Archives", "<table class=\"small\"><thead><tr><th>Population and what the "
                                            "object code does</th><th>The fastest</th></tr></thead>\n<tbody>\n" +
                                                rows + "</tbody></table>\n"));
}

std::string rolesHtml(const PageModel &page, std::size_t run) {
  std::string rows;
  for (const auto &[role, calls] : page.runs[run].roles)
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", nameHtml(role), nameHtml(calls));
  if (rows.empty())
    return {};
  const std::string &judge = page.runs[run].judge;
  return section(run, true, runTitle(page, run, "Roles"),
                 "<table class=\"small\"><thead><tr><th>Role</th><th>Calls</th></tr></thead>\n<tbody>\n" + rows +
                     "</tbody></table>\n" +
                     (judge.empty() ? "" : "<p class=\"hint\">The judge: " + nameHtml(judge) + "</p>\n"));
}

std::string hypothesesHtml(const PageModel &page, std::size_t run) {
  std::string rows;
  for (const auto &[expected, outcome] : page.runs[run].hypotheses)
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", htmlText(clippedText(expected, kNoteBytes)),
                        nameHtml(outcome));
  return rows.empty()
             ? ""
             : section(run, true, runTitle(page, run, "Hypotheses"),
                       scrolled("Hypotheses", "<table class=\"small\"><thead><tr><th>Before the first file</th>"
                                              "<th>What came of it</th></tr></thead>\n<tbody>\n" +
                                                  rows + "</tbody></table>\n"));
}

std::string comparisonHtml(const PageModel &page, std::size_t run, const PageComparison &comparison) {
  const auto side = [&](std::string_view name, const PageComparison::Side &shown) {
    std::string html = fmt::format("<div><h3>{}</h3>\n", name);
    if (!shown.note.empty())
      html += "<p class=\"hint\">" + htmlText(clippedText(shown.note, kNoteBytes)) + "</p>\n";
    if (!shown.isLookedAt)
      html += "<p class=\"empty\">Not looked at.</p>\n";
    else if (shown.text.empty() && shown.note.empty())
      html += "<p class=\"empty\">None.</p>\n";
    else if (!shown.text.empty())
      html += fmt::format("<pre class=\"wrap\" tabindex=\"0\" aria-label=\"{}, {}\">{}</pre>\n",
                          nameHtml(comparison.title), name, htmlText(clippedText(shown.text, kComparisonBytes)));
    return html + "</div>\n";
  };
  return section(run, true, runTitle(page, run, nameHtml(comparison.title)),
                 "<div class=\"pair\">\n" + side(comparison.hasAfter ? "before" : "baseline", comparison.before) +
                     (comparison.hasAfter ? side("after", comparison.after) : "") + "</div>\n",
                 " class=\"long\"");
}

} // namespace

std::string summaryHtml(const PageModel &page) {
  if (page.runs.empty())
    return "<h1>No runs</h1>\n<p>There is nothing to report yet.</p>\n";
  std::string html;
  for (std::size_t run = 0; run < page.runs.size(); ++run) {
    const PageRun &shown = page.runs[run];
    const auto accepted = std::count_if(shown.attempts.begin(), shown.attempts.end(),
                                        [](const PageAttempt &attempt) { return attempt.verdict == "accepted"; });
    html += fmt::format("<div data-run=\"{}\">\n<h1>{}</h1>\n", run, nameHtml(shown.name));
    if (!shown.standing.empty())
      html += fmt::format("<p class=\"{}\">{}</p>\n", shown.hasEnded ? "hint" : "note",
                          htmlText(clippedText(shown.standing, kNoteBytes)));
    html += "<dl class=\"tiles\">\n" +
            tile("Speedup", shown.best ? ratioText(shown.best->ratio) : "none",
                 !shown.best               ? ""
                 : shown.best->isConfirmed ? "99 % interval " + intervalText(*shown.best)
                                           : "estimate") +
            tile("Winner", shown.winner.empty() ? "the baseline" : candidateHtml(shown.winner), shown.times) +
            tile("Attempts", std::to_string(shown.attempts.size()), fmt::format("{} accepted", accepted)) +
            tile("Time", seconds(shown.seconds)) + tile("Cost", usdText(shown.dollars), shown.tokens) + "</dl>\n";
    if (!shown.endToEnd.empty())
      html += fmt::format("<p class=\"hint\">End to end: {}</p>\n", htmlText(clippedText(shown.endToEnd, kNoteBytes)));
    html += "</div>\n";
  }
  return html;
}

std::string sectionsHtml(const PageModel &page) {
  if (page.runs.empty())
    return {};
  std::string html = agentsHtml(page) + "<div class=\"pair\">\n" + stagesHtml(page) + rejectedHtml(page) + "</div>\n";
  for (std::size_t run = 0; run < page.runs.size(); ++run) {
    html += rolesHtml(page, run) + hypothesesHtml(page, run) + treeHtml(page, run) + cellsHtml(page, run) +
            lineageHtml(page, run);
    if (!page.runs[run].winnerSource.empty())
      html += section(run, true, runTitle(page, run, "What the winner changed"),
                      scrolled("Baseline and winner side by side",
                               differenceHtml(page.runs[run].baselineSource, page.runs[run].winnerSource)),
                      " class=\"long\"");
    for (const PageComparison &comparison : page.runs[run].comparisons)
      html += comparisonHtml(page, run, comparison);
  }
  return html;
}

std::string candidatesHtml(const PageModel &page) {
  struct Row {
    std::pair<double, std::size_t> order; ///< better first, then earlier first
    const PageRun *run;
    const PageAttempt *attempt;
  };
  std::vector<Row> rows;
  for (const PageRun &run : page.runs)
    for (const PageAttempt &attempt : run.attempts) {
      const double ratio = attempt.speedup ? attempt.speedup->ratio : attempt.estimate.value_or(-1);
      rows.push_back({{std::isfinite(ratio) ? -ratio : 1, rows.size()}, &run, &attempt});
    }
  const bool hasRuns = page.runs.size() > 1;
  const std::size_t all = rows.size(), shown = std::min(all, kRowsWithoutScript);
  std::ranges::sort(rows, {}, &Row::order);
  std::string html = fmt::format(
      "<table id=\"candidates-table\">\n<caption>The best {} of {}; with JavaScript all of them are here, with their "
      "sources.</caption>\n<thead><tr>{}<th data-sort=\"candidate\">Candidate</th><th class=\"number\" "
      "data-sort=\"iteration\">Iteration</th><th data-sort=\"agent\">Agent</th><th data-sort=\"verdict\">Verdict</th>"
      "<th data-sort=\"stage\">Stage</th><th class=\"number\" data-sort=\"speedup\">Speedup "
      "(estimate)</th><th class=\"number\" data-sort=\"time\">Time</th><th class=\"number\" data-sort=\"cost\">Cost "
      "until "
      "then</th></tr></thead>\n<tbody>\n",
      shown, all, hasRuns ? "<th class=\"no-script\">Run</th>" : "");
  for (std::size_t row = 0; row < shown; ++row) {
    const PageAttempt &attempt = *rows[row].attempt;
    const std::string ratio = attempt.speedup    ? ratioText(attempt.speedup->ratio)
                              : attempt.estimate ? "about " + ratioText(*attempt.estimate)
                                                 : "";
    html +=
        fmt::format("<tr>{}<td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td>{}{}{}</tr>\n",
                    hasRuns ? "<td class=\"no-script\">" + nameHtml(rows[row].run->label) + "</td>" : "",
                    attempt.id.empty() ? "no candidate" : "<code>" + nameHtml(attempt.id) + "</code>",
                    numberCell(std::to_string(attempt.iteration)), nameHtml(attempt.agent), nameHtml(attempt.verdict),
                    nameHtml(attempt.stage) + (attempt.check.empty() ? "" : ": " + nameHtml(attempt.check)),
                    numberCell(ratio), numberCell(attempt.ns ? nanoseconds(*attempt.ns) : ""),
                    numberCell(attempt.dollars > 0 ? usdText(attempt.dollars) : ""));
  }
  return html + "</tbody></table>\n";
}

std::string environmentHtml(const PageModel &page) {
  std::string html;
  for (std::size_t run = 0; run < page.runs.size(); ++run) {
    std::string facts;
    for (const auto &[name, text] : page.runs[run].environment)
      facts += fmt::format("<dt>{}</dt><dd>{}</dd>\n", nameHtml(name), htmlText(clippedText(text, 4000)));
    std::string body = facts.empty() ? "" : "<dl class=\"facts\">\n" + facts + "</dl>\n";
    if (!page.runs[run].reproduce.empty())
      body += "<h3>To do it again</h3>\n<pre class=\"wrap\" tabindex=\"0\" aria-label=\"Command\">" +
              htmlText(clippedText(page.runs[run].reproduce, 8000)) + "</pre>\n";
    if (!body.empty())
      html += section(run, true, runTitle(page, run, "Environment"), body);
  }
  return html;
}

} // namespace agentic
