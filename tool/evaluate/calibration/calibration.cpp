#include "tool/evaluate/calibration/calibration.h"

#include "tool/base/clock.h"
#include "tool/base/cpus.h"
#include "tool/evaluate/calibration/calibration_kernels.h"
#include "tool/evaluate/programs/own_program.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace agentic {
namespace {

constexpr int kFullComparisons = 300, kFullGains = 40;
constexpr int kQuickComparisons = 1000; // large: the time is the limit
constexpr double kQuickSeconds = 10;
constexpr double kLoadSeconds = 120;
constexpr auto kTurn = std::chrono::milliseconds(100);  // waiting processes look for the lock every 10 ms
constexpr std::uint64_t kSeedStep = 0x9e3779b97f4a7c15; // far apart for neighbours

/// Measurements take the last one.
std::optional<int> otherCpu() {
  const std::vector<int> cpus = usableCpus();
  return cpus.size() < 2 ? std::nullopt : std::optional(cpus.front());
}

/// A process of ours that keeps another CPU busy for as long as this object lives.
class Load {
public:
  explicit Load(const std::string &program) {
    ProcessSpec spec;
    spec.argv = {program, "calibration-load", std::to_string(int(kLoadSeconds))};
    spec.timeoutSeconds = 2 * kLoadSeconds;
    spec.cpu = otherCpu();
    spec.cancelled = &stop_;
    thread_ = std::thread([spec = std::move(spec)] { (void)runProcess(spec); });
  }
  Load(const Load &) = delete;
  Load &operator=(const Load &) = delete;
  ~Load() {
    stop_ = true;
    thread_.join();
  }

private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

struct Unit {
  const CalibrationSubject *subject;
  bool isGain = false, isBusy = false;
};

/// Gains are spread over the whole run, like the load of the machine's other users.
std::vector<Unit> unitsOf(const std::vector<CalibrationSubject> &subjects, const CalibrationPlan &plan) {
  std::vector<Unit> units;
  const auto gainful =
      std::ranges::find_if(subjects, [](const CalibrationSubject &subject) { return !subject.lessWork.empty(); });
  const int comparisons = plan.full ? kFullComparisons : kQuickComparisons;
  const int gains = plan.full && gainful != subjects.end() ? kFullGains : 0;
  for (int i = 0, gained = 0; i < comparisons; ++i) {
    const std::size_t subject = std::size_t(i) % subjects.size();
    const bool isBusy = plan.full && !plan.loadProgram.empty() && std::size_t(i) / subjects.size() % 2 == 1;
    units.push_back({&subjects[subject], false, isBusy});
    for (; gained * comparisons < gains * (i + 1); ++gained)
      units.push_back({&*gainful, true, false});
  }
  return units;
}

std::string verdictOf(const BenchmarkOutcome &outcome) {
  if (!outcome.rejection.empty())
    return outcome.rejection;
  if (!outcome.measurement)
    return outcome.undecided;
  switch (outcome.measurement->comparison) {
  case Comparison::Faster:
    return "faster";
  case Comparison::Slower:
    return "slower";
  case Comparison::TooNoisy:
    return "too noisy";
  case Comparison::Same:
    break;
  }
  return "same";
}

BenchmarkRequest requestFor(const CalibrationSubject &subject, const std::string &lockFile) {
  BenchmarkRequest request;
  request.programs = &subject.programs;
  request.filter = subject.filter;
  request.reference = request.candidate = subject.reference;
  request.lockFile = lockFile;
  return request;
}

Result<CalibrationDecision> decideOne(const Unit &unit, const CalibrationPlan &plan, std::uint64_t seed,
                                      const std::string &lockFile) {
  BenchmarkRequest request = requestFor(*unit.subject, lockFile);
  if (unit.isGain)
    request.candidate = unit.subject->lessWork;
  request.rule = plan.rule;
  request.seed = seed;
  std::optional<Load> load;
  if (unit.isBusy)
    load.emplace(plan.loadProgram);
  BenchmarkOutcome outcome = TRY(measure(unit.subject->context, request, unit.subject->facts));
  CalibrationDecision decision{.subject = unit.subject->name,
                               .isGain = unit.isGain,
                               .isBusy = unit.isBusy,
                               .seconds = outcome.seconds,
                               .ownSeconds = outcome.ownSeconds};
  decision.verdict = verdictOf(outcome);
  if (outcome.measurement) {
    decision.isAccepted = outcome.measurement->comparison == Comparison::Faster;
    decision.speedup = outcome.measurement->speedup;
    decision.benchmarks = std::move(outcome.measurement->benchmarks);
  }
  return decision;
}

bool isCancelled(const CalibrationPlan &plan) {
  return plan.cancelled && plan.cancelled->load();
}

} // namespace

Result<std::vector<CalibrationSubject>> referenceSubjects(const std::string &program, const Sandbox &sandbox,
                                                          const std::string &scratch,
                                                          const std::atomic<bool> *cancelled,
                                                          const std::string &lockFile) {
  std::vector<CalibrationSubject> subjects;
  for (const char *kernel : {kCacheKernel, kMemoryKernel}) {
    CalibrationSubject subject{.name = kernel};
    subject.context.kernel = "calibration";
    subject.context.sandbox = &sandbox;
    showProgram(program, subject.context.view);
    subject.context.scratchDirectory = scratch;
    subject.context.cancelled = cancelled;
    TestProgram process;
    process.target = kernel;
    process.file = program;
    process.workingDirectory = "/";
    process.arguments = {"calibration-kernel", kernel};
    subject.programs = {process};
    subject.reference = "baseline";
    subject.lessWork = kLessWork;
    subject.facts = TRY(learnBenchmarks(subject.context, requestFor(subject, lockFile)));
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

Result<std::vector<CalibrationDecision>> calibrate(const std::vector<CalibrationSubject> &subjects,
                                                   const CalibrationPlan &plan, const std::string &lockFile) {
  const double start = steadySeconds();
  const double limit = plan.maxSeconds > 0 ? plan.maxSeconds : plan.full ? 0 : kQuickSeconds;
  const std::vector<Unit> units = unitsOf(subjects, plan);
  std::vector<CalibrationDecision> decisions;
  for (std::size_t i = 0; i < units.size() && !isCancelled(plan); ++i) {
    // Each subject runs once, however long it takes; later ones only if they will probably fit.
    const double used = steadySeconds() - start, each = i > 0 ? used / double(i) : 0;
    if (limit > 0 && i >= subjects.size() && used + each > limit)
      break;
    if (i > 0)
      std::this_thread::sleep_for(kTurn); // gives others a turn to measure
    Result<CalibrationDecision> decision = decideOne(units[i], plan, plan.seed + i * kSeedStep, lockFile);
    if (!decision && decision.error().kind == ErrorKind::Interrupted)
      break;
    if (!decision)
      return std::unexpected(decision.error());
    decisions.push_back(std::move(*decision));
    if (plan.decided)
      plan.decided(decisions.back(), int(decisions.size()), plan.full ? int(units.size()) : 0);
  }
  return decisions;
}

} // namespace agentic
