#include "tool/evaluate/benchmark/experts.h"

#include "tool/base/text.h"
#include "tool/evaluate/benchmark/benchmark_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace agentic {
namespace {

constexpr std::string_view kMark = "_Expert_";
constexpr int kRepetitions = 3;
constexpr double kExpertMinTime = 0.1, kTimeoutSeconds = 120;

ReferenceTimes::Entry entryOf(const BenchmarkSeries &series) {
  return {*std::ranges::min_element(series.cpuNs), series.bytesPerIteration, series.operationsPerIteration};
}

/// The two runs of a program.
enum class Which { Kernel, Experts };

Result<void> runOne(const RunContext &context, const ReferenceRequest &request, std::size_t index, Which which,
                    ReferenceTimes &times) {
  const TestProgram &program = (*request.programs)[index];
  if (which == Which::Experts && !program.metric.pattern.empty())
    return {};
  BenchmarkProcessRequest process;
  process.program = &program;
  const BenchmarkProgramFacts *facts =
      request.facts && index < request.facts->size() ? &(*request.facts)[index] : nullptr;
  process.filter = which == Which::Experts ? std::string(kMark)
                   : facts                 ? filterFor(*facts, request.filter)
                                           : request.filter;
  process.repetitions = kRepetitions;
  process.minTime = which == Which::Kernel ? kMinTimeSeconds : kExpertMinTime;
  process.minTimeSuffix = facts && facts->minTimeSuffix;
  process.timeoutSeconds = kTimeoutSeconds;
  auto sample = TRY(runBenchmark(context, process));
  if (!sample) {
    if (sample.error().reason == "reported no benchmark" && which == Which::Experts)
      return {};
    const std::string text =
        fmt::format("benchmark program '{}' {}: {}", program.target, sample.error().reason, sample.error().details);
    if (which == Which::Kernel)
      return userError(text, "run " + program.file + " by hand");
    times.problems.push_back("the expert was not measured: " + text);
    return {};
  }
  const std::string prefix = request.programs->size() == 1 ? "" : program.target + ": ";
  for (const auto &[name, series] : sample->report)
    if (parseExpertName(name))
      times.experts[prefix + name] = entryOf(series);
    else if (which == Which::Kernel)
      times.kernel[prefix + name] = entryOf(series);
  return {};
}

} // namespace

std::optional<ExpertName> parseExpertName(std::string_view benchmark) {
  const std::size_t slash = std::min(benchmark.find('/'), benchmark.size());
  const std::size_t mark = benchmark.substr(0, slash).find(kMark);
  if (mark == std::string_view::npos || mark == 0 || mark + kMark.size() == slash)
    return std::nullopt;
  return ExpertName{std::string(benchmark.substr(0, mark)) + std::string(benchmark.substr(slash)),
                    std::string(benchmark.substr(mark + kMark.size(), slash - mark - kMark.size()))};
}

Result<ReferenceTimes> measureReferences(const RunContext &context, const ReferenceRequest &request) {
  const LockFile lock = TRY(lockMeasuring(request.lockFile, context.cancelled));
  ReferenceTimes times;
  for (std::size_t i = 0; i < request.programs->size(); ++i)
    for (Which which : {Which::Kernel, Which::Experts})
      TRY(runOne(context, request, i, which, times));
  return times;
}

std::optional<ExpertComparison> compareWithExperts(const std::map<std::string, double> &kernelNs,
                                                   const std::map<std::string, ReferenceTimes::Entry> &experts) {
  std::map<std::string, std::pair<double, std::string>> fastest; // key: the kernel's benchmark
  for (const auto &[name, entry] : experts) {
    const std::optional<ExpertName> expert = parseExpertName(name);
    if (!expert || !(entry.ns > 0))
      continue;
    const auto [found, isNew] = fastest.try_emplace(expert->benchmark, entry.ns, expert->library);
    if (!isNew && entry.ns < found->second.first)
      found->second = {entry.ns, expert->library};
  }
  double logarithms = 0;
  int count = 0;
  std::set<std::string> libraries;
  for (const auto &[benchmark, ns] : kernelNs)
    if (const auto expert = fastest.find(benchmark); expert != fastest.end() && ns > 0) {
      logarithms += std::log(expert->second.first / ns);
      libraries.insert(expert->second.second);
      ++count;
    }
  if (count == 0)
    return std::nullopt;
  return ExpertComparison{100 * std::exp(logarithms / count),
                          join(std::vector<std::string>(libraries.begin(), libraries.end()), ", ")};
}

} // namespace agentic
