#include "tool/evaluate/insight/limits.h"

#include <fmt/format.h>

#include <cstdlib>

namespace agentic {
namespace {

constexpr double kMostlyMemory = 60;       // percent of the roof: the rest is what measuring costs and misses
constexpr double kMostlyDependencies = 50; // percent of llvm-mca's cycles
constexpr int kManyBranches = 3;           // in one pass; the loop's own is one of them

} // namespace

double mcaPercent(std::string_view mca, std::string_view bottleneck) {
  const std::size_t line = mca.find(bottleneck);
  if (line == std::string_view::npos)
    return 0;
  const std::string_view rest = mca.substr(line, mca.find('\n', line) - line);
  const std::size_t open = rest.find('[');
  return open == std::string_view::npos ? 0 : std::strtod(std::string(rest.substr(open + 1)).c_str(), nullptr);
}

std::vector<std::string> boundsOf(const LimitFacts &facts) {
  std::vector<std::string> bounds;
  if (facts.classification.bound == Bound::Memory && facts.classification.percent >= kMostlyMemory)
    bounds.emplace_back("memory");
  if (facts.mix.calls > 0)
    bounds.emplace_back("calls");
  if (mcaPercent(facts.mca, "Data Dependencies:") >= kMostlyDependencies)
    bounds.emplace_back("latency");
  if (facts.mix.branches >= kManyBranches)
    bounds.emplace_back("branches");
  const bool isArithmetic = facts.classification.bound == Bound::Compute || facts.mix.divisions > 0;
  if (isArithmetic || (bounds.empty() && facts.mix.instructions > 0))
    bounds.emplace_back("compute");
  return bounds;
}

std::vector<std::string> limitsOf(const LimitFacts &facts) {
  std::vector<std::string> limits;
  const InstructionMix &mix = facts.mix;
  if (facts.classification.bound == Bound::Memory && facts.classification.percent >= kMostlyMemory)
    limits.push_back(fmt::format("memory: it moves {:.0f} % of what {} can deliver; only less traffic would help",
                                 facts.classification.percent, facts.classification.level));
  if (mix.instructions == 0) {
    limits.emplace_back("there is no loop in its object code: a call's own cost and code without loops count");
    return limits;
  }
  if (mix.calls > 0)
    limits.push_back(fmt::format("{} call{} in its hot loop: inline them, or do several elements in one call",
                                 mix.calls, mix.calls == 1 ? "" : "s"));
  if (const double percent = mcaPercent(facts.mca, "Data Dependencies:"); percent >= kMostlyDependencies)
    limits.push_back(fmt::format("a chain of dependent instructions in its hot loop (llvm-mca: {:.0f} % of the "
                                 "cycles): several independent chains, such as partial results, would help",
                                 percent));
  if (mix.divisions > 0)
    limits.push_back(
        fmt::format("{} division{} or roots in its hot loop", mix.divisions, mix.divisions == 1 ? "" : "s"));
  if (mix.branches >= kManyBranches)
    limits.push_back(
        fmt::format("{} branches in one pass of its hot loop: they cost where data decide them", mix.branches));
  if (mix.vector == 0)
    limits.push_back("its hot loop has no vector instruction" +
                     (facts.notVectorized.empty() ? "" : " (the compiler: " + facts.notVectorized + ")"));
  return limits;
}

} // namespace agentic
