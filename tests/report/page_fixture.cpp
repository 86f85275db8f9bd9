#include "tests/report/page_fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
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

const char *const kBefore =
    ".L4:\n  vmovss (%rdi,%rax,4), %xmm1\n  vmulss (%rsi,%rax,4), %xmm1, %xmm1\n  vaddss %xmm1, %xmm0, "
    "%xmm0   # one chain\n  incq %rax\n  cmpq %rax, %rdx\n  jne .L4\n";
const char *const kAfter =
    ".L7:\n  vmovups (%rdi,%rax,4), %zmm1\n  vfmadd231ps (%rsi,%rax,4), %zmm1, %zmm0\n  addq $16, %rax\n"
    "  cmpq %rcx, %rax\n  jbe .L7\n";

/// What happens to attempt `index`; the same at every call.
PageAttempt attemptAt(int index, double &best) {
  PageAttempt attempt;
  const bool isModel = index % 3 == 0;
  attempt.iteration = index + 1;
  attempt.agent = isModel ? "model:example-large" : "built-in";
  attempt.wall = 4.5 * (index + 1);
  attempt.dollars = 0.013 * (index / 3 + 1);
  const int kind = (index * 7) % 10;
  if (kind < 3) {
    attempt.verdict = "rejected";
    attempt.stage = kind == 0 ? "compile" : kind == 1 ? "check" : "test";
    attempt.check = kind == 1 ? (isModel ? "threads" : "globals") : "";
    attempt.texts = {{"What was found", "dot.cpp:5: a variable with static storage; pass it as a parameter"}};
  } else {
    const double ratio = (kind < 7 ? 0.82 : 1.02) + 0.35 * std::log2(index + 2) * (kind < 7 ? 0.6 : 1);
    attempt.verdict = ratio > best ? "accepted" : "not-faster";
    attempt.stage = "benchmark";
    attempt.speedup = Speedup{ratio, ratio - 0.04, ratio + 0.05, true};
    attempt.ns = 812.0 / ratio;
    best = std::max(best, ratio);
  }
  attempt.best = best;
  attempt.facts = {{"Origin", isModel ? "reply 12" : "unroll(4); lanes(16)"}};
  return attempt;
}

void keepNames(PageFixture &fixture, std::vector<std::string> names) {
  fixture.owned = std::make_shared<const std::vector<std::string>>(std::move(names));
  std::vector<PageAttempt> &attempts = fixture.page.runs[0].attempts;
  for (std::size_t at = 0; at < attempts.size(); ++at)
    attempts[at].id = (*fixture.owned)[at];
}

PageRun usualRun(int attempts) {
  PageRun run;
  run.name = "dot on x86-64-v4, clang";
  double best = 1;
  for (int index = 0; index < attempts; ++index)
    run.attempts.push_back(attemptAt(index, best));
  run.best = Speedup{best, best - 0.04, best + 0.05, true};
  run.seconds = 4.5 * attempts;
  run.dollars = 0.013 * attempts / 3;
  run.tokens = "41,200 in, 9,310 out";
  run.stages = {{"check", 1.3, 0}, {"compile", 61, 0}, {"test", 44, 0}, {"benchmark", 139, 0}, {"model", 25, 0.26}};
  run.rejected = {{"globals", 4}, {"compile", 6}, {"threads", 2}, {"test", 6}};
  run.comparisons = {{"Hot loop", "The instructions where the time goes, for x86-64-v4.", kBefore, kAfter},
                     {"Vectorization remarks", "",
                      "dot.cpp:6: loop not vectorized: cannot prove it is safe to reorder "
                      "floating-point operations",
                      "dot.cpp:9: vectorized loop (vectorization width: 16)"}};
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
    run.attempts[at].source = at % 5 == 0 ? *fixture.texts[1] : *fixture.texts[0];
  }
  const auto best = std::find_if(run.attempts.begin(), run.attempts.end(),
                                 [&](const PageAttempt &attempt) { return attempt.best == run.best->ratio; });
  const std::string winner = names[best - run.attempts.begin()];
  run.winner = winner;
  run.lineage = {{"baseline", "as the project has it", std::nullopt},
                 {names[3], "unroll(4)", Speedup{1.41, 1.38, 1.44, true}},
                 {winner, "lanes(16): sixteen sums", run.best}};
  run.baselineSource = *fixture.texts[0];
  run.winnerSource = *fixture.texts[1];
  keepNames(fixture, std::move(names));
  fixture.page.agents = {{"built-in", run.best, 40, 9, 180, 0},
                         {"model:example-large", Speedup{2.31, 2.24, 2.39, true}, 20, 4, 90, 0.26}};
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
  run.comparisons = {{kHostile, kHostile, *fixture.texts[2], kHostile}};
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
  fixture.page.agents = {{"built-in", run.best, attempts, 9, 180, 0}};
  return fixture;
}

} // namespace agentic
