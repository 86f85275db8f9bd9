#include "tool/evaluate/benchmark/cpu_audit.h"

#include "tool/base/median.h"
#include "tool/evaluate/benchmark/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

/// Google Benchmark searches for an iteration count whose run takes min_time. It multiplies by ten while a try takes no
/// more than a tenth of it, then once by the missing factor and 1.4 for safety; the try that takes long enough is the
/// first repetition. So the tries before it were the powers of ten up to its iterations / 1.4. They are derived from
/// the final number of iterations, because times alone do not show whether a try just under a tenth led to one more.
///
/// They are a guess if the last try ended where a tenth of the time would have led as well: the benchmark rounds, so 14
/// iterations follow from one try of a tenth or from another ten times as long.
struct Search {
  double runs = 0, iterations = 0, seconds = 0;
  double doubt = 0, doubtIterations = 0; ///< of these
};

Search iterationSearch(double iterations, double secondsPerIteration, double minTime) {
  constexpr double kSafety = 1.4, kRounding = 0.5 + 1e-9;
  Search search;
  for (double tried = 1; kSafety * tried < iterations + kRounding && tried < iterations; tried *= 10) {
    const double seconds = tried * secondsPerIteration;
    if (seconds > kSafety * minTime)
      break; // the try would have been long enough: the benchmark fixes its iterations itself
    ++search.runs;
    search.iterations += tried;
    search.seconds += seconds;
    const bool isDoubtful = tried > 1 && kSafety * tried > iterations - kRounding;
    search.doubt = isDoubtful ? seconds : 0;
    search.doubtIterations = isDoubtful ? tried : 0;
  }
  return search;
}

/// Factors on the baseline's time outside. Work between iterations differs more from process to process: 35 to 57 us of
/// the same loop within a minute, on two CPUs of which one compiled.
constexpr double kMargin = 1.1, kPausedMargin = 1.5;

/// Smaller shares of the timed code are noise. A candidate 20 times as fast pauses 20 times as often: a tenth of the
/// baseline's time is twice its own.
constexpr double kNotablePause = 0.03;

double medianOf(std::span<const CpuAccount> accounts, double CpuAccount::*member) {
  std::vector<double> values;
  for (const CpuAccount &account : accounts)
    values.push_back(account.*member);
  return median(std::move(values));
}

} // namespace

CpuAccount cpuAccount(const BenchmarkReport &report, double totalSeconds, double minTime) {
  CpuAccount account;
  account.total = totalSeconds;
  account.claimed = claimedSeconds(report);
  double searched = 0;
  for (const auto &[name, series] : report) {
    const double iterations = series.iterations.empty() ? 1 : series.iterations.front();
    Search search = iterationSearch(iterations, median(series.cpuNs) * 1e-9, minTime);
    searched += search.seconds;
    account.doubt += search.doubt;
    account.doubtIterations += search.doubtIterations;
    account.iterations += search.iterations; // they pause, too, and are up to four fifths of a repetition
    account.calls += search.runs + double(series.cpuNs.size());
    for (double repetition : series.iterations)
      account.iterations += repetition;
  }
  account.unclaimed = account.total - account.claimed - searched;
  return account;
}

double unclaimedThatGrows(const CpuAccount &few, const CpuAccount &more) {
  constexpr double kHardlyMore = 1.5;
  const double growth = few.iterations > 0 ? more.iterations / few.iterations : 0;
  return growth > kHardlyMore ? (more.unclaimed - few.unclaimed) * growth / (growth - 1) : more.unclaimed;
}

/// Solves unclaimed = set-up * calls + pause * iterations for the pause.
double pausedSecondsPerIteration(const CpuAccount &few, const CpuAccount &more, SearchDoubt doubt) {
  if (few.calls <= 0)
    return 0;
  const double calls = more.calls / few.calls;
  const double iterations = more.iterations - few.iterations * calls;
  if (iterations <= 0)
    return 0;
  const double unclaimed = more.unclaimed + (doubt == SearchDoubt::Allowed ? more.doubt : 0);
  const double perIteration = (unclaimed - std::max(0.0, few.unclaimed) * calls) / iterations;
  return perIteration * few.iterations > kNotablePause * few.claimed ? perIteration : 0;
}

std::string auditCpu(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate,
                     double pausedPerIteration, double minTime, SearchDoubt doubt) {
  if (reference.empty() || candidate.empty())
    return {};
  double explained = std::max(0.0, medianOf(reference, &CpuAccount::unclaimed));
  if (doubt == SearchDoubt::Allowed)
    explained += medianOf(reference, &CpuAccount::doubt) +
                 pausedPerIteration * medianOf(reference, &CpuAccount::doubtIterations);
  double calls = medianOf(candidate, &CpuAccount::calls) / medianOf(reference, &CpuAccount::calls);
  double iterations = medianOf(candidate, &CpuAccount::iterations) - medianOf(reference, &CpuAccount::iterations);
  double claimed = medianOf(candidate, &CpuAccount::claimed);
  double unclaimed = medianOf(candidate, &CpuAccount::unclaimed);
  // The tolerance covers page faults, the search's rounding and noise: a quarter of one repetition, a share of the
  // baseline's time outside, and a share of the claim in which no accepted gain of a long run could hide.
  const double margin = pausedPerIteration > 0 && doubt == SearchDoubt::Allowed ? kPausedMargin : kMargin;
  const double allowed = (explained * std::max(1.0, calls) + pausedPerIteration * std::max(0.0, iterations)) * margin +
                         0.25 * minTime + 0.05 * claimed;
  if (unclaimed <= allowed)
    return {};
  return fmt::format("the benchmark process used {:.1f} ms of CPU time beyond the {:.1f} ms it claims; the reference "
                     "explains {:.1f} ms: time is hidden from the benchmark's clock or spent in other threads",
                     unclaimed * 1e3, claimed * 1e3, allowed * 1e3);
}

std::string auditGain(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate, double cpuShare,
                      double speedup) {
  constexpr double kNotable = 0.3, kVisible = 0.5; // of the reference's time, and of what should be gone
  const double gone = cpuShare * (1 - 1 / std::max(1.0, speedup));
  if (reference.empty() || candidate.empty() || gone < kNotable)
    return {};
  const double before = medianOf(reference, &CpuAccount::total), after = medianOf(candidate, &CpuAccount::total);
  if (after <= before * (1 - kVisible * gone))
    return {};
  return fmt::format("the benchmark program prints a {:.1f} times better number, but its process used {:.1f} ms of CPU "
                     "time and the reference's {:.1f} ms, of which the kernel takes {:.0f} %: time is hidden from its "
                     "clock",
                     speedup, after * 1e3, before * 1e3, cpuShare * 100);
}

Result<std::string> mostOfFive(const std::function<Result<std::string>()> &look) {
  constexpr int kMajority = 3;
  std::string reason;
  for (int suspicious = 0, clean = 0; suspicious < kMajority && clean < kMajority;) {
    std::string seen = TRY(look());
    if (seen.empty()) {
      ++clean;
      continue;
    }
    reason = std::move(seen);
    if (++suspicious == kMajority)
      return reason;
  }
  return std::string();
}

Result<std::string> decideCpu(std::span<const CpuAccount> reference, std::span<const CpuAccount> candidate,
                              double pausedPerIteration, double minTime, const FreshPair &pair) {
  if (auditCpu(reference, candidate, pausedPerIteration, minTime).empty())
    return std::string();
  constexpr double kMostIterations = 20; // times the reference's; the rest is calculated from the learnt pause
  const double longer =
      std::clamp(medianOf(candidate, &CpuAccount::iterations) / medianOf(reference, &CpuAccount::iterations), 1.0,
                 kMostIterations);
  const auto decided = [&](double referenceMinTime) { return mostOfFive([&] { return pair(referenceMinTime); }); };
  if (pausedPerIteration > 0 || longer == 1)
    return decided(longer * minTime);
  // Most suspicions end here; processes that are so much longer take minutes.
  Result<std::string> asUsual = decided(minTime);
  return asUsual && !asUsual->empty() ? decided(longer * minTime) : asUsual;
}

int repetitionsForAudit(int usual, double repetitionSeconds) {
  constexpr double kRepetitions = 40, kSeconds = 2;
  const double fitting = std::min(kRepetitions, kSeconds / std::max(repetitionSeconds, 1e-6));
  return std::max(usual, int(fitting));
}

} // namespace agentic
