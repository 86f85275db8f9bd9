#include "tool/red_team/benchmark_audit.h"

#include "tool/evaluate/benchmark/benchmark_process.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kBenchmarkSeconds = 10; // far more than any baseline of the suite needs
constexpr int kReferenceProcesses = 3;
constexpr int kUsual = 1; // repetitions

} // namespace

/// Runs one process: returns its CPU account, or what is wrong with it.
Result<std::expected<CpuAccount, std::string>>
BenchmarkAudit::account(std::size_t program, const std::string &sharedObject, int repetitions, double minTime) const {
  using Account = std::expected<CpuAccount, std::string>;
  const BenchmarkProgramFacts &facts = prepared_->facts.benchmarks[program];
  auto sample =
      TRY(runBenchmark(*context_, {.program = &prepared_->shadow.benchmarks[program],
                                   .filter = filterFor(facts, prepared_->manifest.benchmarkFilter),
                                   .sharedObject = sharedObject,
                                   .repetitions = repetitions,
                                   .minTime = minTime,
                                   .minTimeSuffix = facts.minTimeSuffix,
                                   .timeoutSeconds = std::max(kBenchmarkSeconds, 5 * facts.seconds * repetitions *
                                                                                     minTime / kMinTimeSeconds),
                                   .byWallTime = facts.byWallTime}));
  if (!sample)
    return Account(std::unexpect, "benchmark program " + facts.target + " " + sample.error().reason);
  if (benchmarkNames(sample->report) != facts.names)
    return Account(std::unexpect,
                   "benchmark program " + facts.target + " reported other benchmarks than the baseline does");
  return Account(sample->account);
}

Result<CpuAccount> BenchmarkAudit::referenceAccount(std::size_t program, int repetitions, double minTime) const {
  auto reference = TRY(account(program, prepared_->baselineLibrary, repetitions, minTime));
  if (!reference)
    return userError(reference.error() + " with the unchanged kernel",
                     "run it by hand several times; a benchmark must not fail now and then");
  return *reference;
}

Result<BenchmarkAudit> BenchmarkAudit::learn(const Prepared &prepared, const RunContext &context) {
  BenchmarkAudit audit(prepared, context);
  audit.reference_.resize(prepared.shadow.benchmarks.size());
  for (std::size_t i = 0; i < audit.reference_.size(); ++i)
    for (int process = 0; process < kReferenceProcesses; ++process) {
      CpuAccount reference = TRY(audit.referenceAccount(i, kUsual, kMinTimeSeconds));
      audit.reference_[i].push_back(reference);
    }
  return audit;
}

Result<std::string> BenchmarkAudit::problem(const std::string &sharedObject) const {
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    Result<std::string> problem = programProblem(i, sharedObject);
    if (!problem || !problem->empty())
      return problem;
  }
  return std::string();
}

/// Other users of the machine make the same work slower for a while, so a suspicion is checked again, beside the
/// reference as it is now.
Result<std::string> BenchmarkAudit::programProblem(std::size_t program, const std::string &sharedObject) const {
  auto first = TRY(account(program, sharedObject, kUsual, kMinTimeSeconds));
  if (!first)
    return first.error();
  const BenchmarkProgramFacts &facts = prepared_->facts.benchmarks[program];
  const int repetitions = repetitionsForAudit(kUsual, facts.seconds / facts.repetitions);
  auto pair = [&](double minTime) -> Result<std::string> {
    CpuAccount reference = TRY(referenceAccount(program, repetitions, minTime));
    auto candidate = TRY(account(program, sharedObject, repetitions, kMinTimeSeconds));
    if (!candidate)
      return candidate.error();
    return auditCpu({&reference, 1}, {&*candidate, 1}, facts.pausedPerIteration, kMinTimeSeconds, SearchDoubt::Allowed);
  };
  return decideCpu(reference_[program], {&*first, 1}, facts.pausedPerIteration, kMinTimeSeconds, pair);
}

} // namespace agentic
