#include "tests/report/page_fixture.h"

#include "tool/model/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace agentic {
namespace {

const char *const kBaseline = R"(#include <cstddef>

/// Sum of the products of two arrays.
float dot(const float *a, const float *b, std::size_t count) {
  float sum = 0.0f;
  for (std::size_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}
)";

const char *const kWinner = R"(#include <cstddef>

/// Sum of the products of two arrays.
float dot(const float *a, const float *b, std::size_t count) {
  constexpr std::size_t kLanes = 16; // independent sums: no chain of additions
  float sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += a[i + lane] * b[i + lane];
  float sum = 0.0f;
  for (float part : sums)
    sum += part;
  for (; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}
)";

constexpr int kRefused = 44; // attempt

const char *const kBefore =
    ".L4:\n  vmovss (%rdi,%rax,4), %xmm1\n  vmulss (%rsi,%rax,4), %xmm1, %xmm1\n  vaddss %xmm1, %xmm0, "
    "%xmm0   # one chain\n  incq %rax\n  cmpq %rax, %rdx\n  jne .L4\n";
const char *const kAfter =
    ".L7:\n  vmovups (%rdi,%rax,4), %zmm1\n  vfmadd231ps (%rsi,%rax,4), %zmm1, %zmm0\n  addq $16, %rax\n"
    "  cmpq %rcx, %rax\n  jbe .L7\n";

/// Makes the fate of attempt `index`, as in journals: one that loses against the best is not compared with the
/// baseline, and the same code is not measured again. The same at every call.
PageAttempt attemptAt(int index, double &best) {
  PageAttempt attempt;
  const bool isModel = index % 3 == 0;
  attempt.iteration = index + 1;
  attempt.agent = isModel ? "model:example-large" : "built-in";
  attempt.wall = 4.5 * (index + 1);
  attempt.dollars = 0.013 * (index / 3 + 1);
  attempt.agentDollars = isModel ? attempt.dollars : 0;
  const int kind = (index * 7) % 10;
  const double ratio = (kind < 7 ? 0.82 : 1.02) + 0.35 * std::log2(index + 2) * (kind < 7 ? 0.6 : 1);
  if (index % 21 == 15) {
    attempt.verdict = "reply";
  } else if (kind < 3) {
    attempt.verdict = "rejected";
    attempt.stage = kind == 0 ? "compile" : kind == 1 ? "check" : "test";
    attempt.check = kind == 1 ? (isModel ? "threads" : "globals") : "";
    attempt.texts = {{"What was found", "dot.cpp:5: a variable with static storage; pass it as a parameter"}};
  } else if (ratio > best) {
    const bool isRefused = index == kRefused;
    attempt.verdict = isRefused ? "refused" : "accepted";
    attempt.stage = isRefused ? "confirm" : "benchmark";
    attempt.speedup = Speedup{ratio, ratio - 0.04, ratio + 0.05, true};
    attempt.ns = 812.0 / ratio;
    if (isRefused)
      attempt.texts = {{"Why it was refused by confirm", "slower than the baseline at 2 of 5 shapes"}};
    else
      best = ratio;
  } else {
    attempt.verdict = "not-faster";
    attempt.stage = kind == 6 ? "audit" : "benchmark";
    attempt.estimate = kind == 6 ? 1 : ratio;
  }
  attempt.best = best;
  attempt.facts = {{"Origin", isModel ? "reply 12" : "unroll(4); lanes(16)"}};
  return attempt;
}

PageAgent agentOf(const PageRun &run, const std::string &name) {
  PageAgent agent{.name = name};
  for (const PageAttempt &attempt : run.attempts) {
    if (attempt.agent != name)
      continue;
    ++agent.attempts;
    agent.dollars = attempt.agentDollars;
    if (attempt.verdict != "accepted")
      continue;
    ++agent.accepted;
    agent.speedup = attempt.speedup;
  }
  agent.hasCalls = agent.dollars > 0;
  agent.seconds = agent.hasCalls ? 25 : 0;
  return agent;
}

void keepNames(PageFixture &fixture, std::vector<std::string> names) {
  fixture.owned = std::make_shared<const std::vector<std::string>>(std::move(names));
  std::vector<PageAttempt> &attempts = fixture.page.runs[0].attempts;
  for (std::size_t at = 0; at < attempts.size(); ++at)
    if (attempts[at].verdict != "reply")
      attempts[at].id = (*fixture.owned)[at];
}

PageRun usualRun(int attempts) {
  PageRun run;
  run.name = "dot on x86-64-v4, clang";
  double best = 1;
  for (int index = 0; index < attempts; ++index)
    run.attempts.push_back(attemptAt(index, best));
  run.best = Speedup{best - 0.06, best - 0.09, best - 0.03, true, true}; // measured anew, as it ships
  run.seconds = 4.5 * attempts;
  run.dollars = 0.013 * attempts / 3;
  run.tokens = tokensText(41'200, 9310);
  run.times = "812 ns → " + nanoseconds(812 / run.best->ratio);
  run.standing = "The run ended: the iteration budget is spent";
  run.hasEnded = true;
  run.stages = {{"preparing", 12.4, 0}, {"calls of models", 25, 0.26}, {"check", 1.3, 0},  {"compile", 41, 0},
                {"test", 44, 0},        {"benchmark", 112, 0},         {"confirm", 21, 0}, {"other", 13.3, 0}};
  std::map<std::string, std::size_t> rejected;
  for (const PageAttempt &attempt : run.attempts)
    if (attempt.verdict != "accepted")
      ++rejected[attempt.verdict == "not-faster" ? "benchmark: not faster"
                 : attempt.verdict == "reply"    ? "reply"
                 : attempt.check.empty()         ? attempt.stage
                                                 : "check: " + attempt.check];
  run.rejected.assign(rejected.begin(), rejected.end());
  run.comparisons = {
      {"Hot loop",
       {kBefore, "of dot, 0 loops around it; chosen by structure, not by measurement", true},
       {kAfter, "of dot, 1 loop around it; chosen by structure, not by measurement", true}},
      {"Loops that are not vectorized",
       {"line 6: loop not vectorized: cannot prove it is safe to reorder floating-point operations; allow reordering "
        "by "
        "specifying '#pragma clang loop vectorize(enable)' before the loop or by providing the compiler option\n",
        "lines of the kernel's own text; the compiler's words", true},
       {"", "the compiler reports none", true}},
      {"Roofline", {"memory-bound: 12 % of what one core can do\n", "", true}, {}}};
  run.environment = {{"CPU", "Example CPU 9000, 8 cores"},
                     {"Compiler", "clang 19.1.7"},
                     {"Tool", "0.1.0"},
                     {"Flags", "-O3 -march=x86-64-v4"}};
  run.reproduce = "agentic-kernel optimize dot --level x86-64-v4 --seed 1";
  return run;
}

} // namespace

PageFixture usualPage() {
  PageFixture fixture;
  fixture.texts[0] = std::make_shared<const std::string>(kBaseline);
  fixture.texts[1] = std::make_shared<const std::string>(kWinner);
  fixture.page.runs.push_back(usualRun(60));
  PageRun &run = fixture.page.runs[0];
  std::vector<std::string> names;
  for (std::size_t at = 0; at < run.attempts.size(); ++at) {
    names.push_back(fmt::format("c{:010x}", 0x9e3779b97fULL * (at + 1) & 0xffffffffff));
    if (run.attempts[at].verdict != "reply")
      run.attempts[at].source = at % 5 == 0 ? *fixture.texts[1] : *fixture.texts[0];
  }
  const auto best = std::find_if(run.attempts.begin(), run.attempts.end(),
                                 [&](const PageAttempt &attempt) { return attempt.best == run.attempts.back().best; });
  const std::string winner = names[best - run.attempts.begin()];
  run.winner = winner;
  run.lineage = {{"baseline", "as the project has it", std::nullopt},
                 {names[3], "unroll(4)", Speedup{1.41, 1.38, 1.44, true}},
                 {winner, "lanes(16): sixteen sums", best->speedup}};
  run.baselineSource = *fixture.texts[0];
  run.winnerSource = *fixture.texts[1];
  keepNames(fixture, std::move(names));
  fixture.page.agents = {agentOf(run, "built-in"), agentOf(run, "model:example-large")};
  return fixture;
}

PageFixture pageOfRuns() {
  PageFixture fixture = usualPage();
  const PageRun once = fixture.page.runs[0];
  fixture.page.runs.push_back(once);
  PageRun &free = fixture.page.runs[1];
  for (PageAttempt &attempt : free.attempts)
    attempt.dollars = attempt.agentDollars = 0;
  free.dollars = 0;
  free.tokens.clear();
  free.times = "baseline 812 ns";
  free.winner.clear();
  free.winnerSource = {};
  free.best.reset();
  free.lineage.clear();
  free.comparisons.resize(1);
  free.comparisons[0].hasAfter = false;
  const std::vector<PageAgent> agents = std::exchange(fixture.page.agents, {});
  for (std::size_t run = 0; run < 2; ++run) {
    PageRun &shown = fixture.page.runs[run];
    shown.label = fmt::format("run {}", run + 1);
    shown.name = shown.label + ": " + shown.name + " (2026-11-23T13:44:18Z)";
    for (PageAgent agent : agents) {
      agent.name = shown.label + ": " + agent.name;
      fixture.page.agents.push_back(agent);
    }
  }
  return fixture;
}

PageFixture hostilePage() {
  static const std::string kHostile =
      "</script><script>window.hacked=1</script><!-- --><img src=x onerror=\"window.hacked=1\"> \" ' {{script}} ${x} "
      "\xE2\x80\xA8\xE2\x80\xAE\xC2\x85\x01\x1B[31m\xFF\xC0\xAF <svg onload=window.hacked=1> ]]> javascript:hacked=1";
  PageFixture fixture = usualPage();
  const std::string nul("nul\0byte", 8);
  fixture.texts[2] = std::make_shared<const std::string>(kHostile + nul + "\n" + std::string(1 << 20, 'x') +
                                                         "\nconst char *s = \"" + kHostile);
  PageRun &run = fixture.page.runs[0];
  run.name = run.winner = run.standing = run.tokens = run.reproduce = kHostile;
  run.winnerSource = *fixture.texts[2];
  fixture.texts[3] = std::make_shared<const std::string>(kHostile);
  for (PageAttempt &attempt : run.attempts) {
    const bool isLong = &attempt == &run.attempts[0]; // one is enough
    attempt.id = attempt.source = *fixture.texts[isLong ? 2 : 3];
    attempt.agent = attempt.check = attempt.stage = kHostile;
    attempt.facts = attempt.texts = {{kHostile, *fixture.texts[isLong ? 2 : 3]}};
  }
  run.attempts[1].verdict = kHostile;
  run.stages = {{kHostile, INFINITY, NAN}};
  run.rejected = {{kHostile, 3}};
  run.lineage = {{kHostile, *fixture.texts[2], Speedup{NAN, -INFINITY, INFINITY, true}}};
  run.comparisons = {{kHostile, {*fixture.texts[2], kHostile, true}, {kHostile, kHostile, true}}};
  run.environment = {{kHostile, kHostile}};
  run.attempts[5].speedup = Speedup{NAN, NAN, NAN, false};
  run.attempts[6].speedup = Speedup{1e308, 0, INFINITY, false};
  run.attempts[7].ns = -1e-300;
  fixture.page.agents[0].name = kHostile;
  return fixture;
}

PageFixture longPage(std::size_t attempts) {
  PageFixture fixture;
  fixture.page.runs.push_back(usualRun(static_cast<int>(attempts)));
  PageRun &run = fixture.page.runs[0];
  std::vector<std::string> names, sources;
  std::size_t noise = 1;
  for (std::size_t at = 0; at < attempts; ++at) {
    names.push_back(fmt::format("c{:010x}", 0x9e3779b97fULL * (at + 1) & 0xffffffffff));
    std::string source = kWinner;
    while (source.size() < 3000) {
      noise = noise * 6364136223846793005ULL + 1442695040888963407ULL;
      source += fmt::format("  sums[{}] += a[i + {}] * b[{} - i]; // {}\n", noise >> 40 & 15, noise >> 44 & 255,
                            noise >> 52 & 1023, noise >> 33 & 0xffff);
    }
    sources.push_back(std::move(source));
  }
  names.insert(names.end(), std::make_move_iterator(sources.begin()), std::make_move_iterator(sources.end()));
  keepNames(fixture, std::move(names));
  for (std::size_t at = 0; at < attempts; ++at)
    run.attempts[at].source = (*fixture.owned)[attempts + at];
  run.baselineSource = run.attempts[0].source;
  run.winnerSource = run.attempts.back().source;
  fixture.page.agents = {{"built-in", run.best, attempts, 9, false, 0, 0}};
  return fixture;
}

} // namespace agentic
