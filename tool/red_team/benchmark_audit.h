// The benchmark layer of an examination: a candidate's benchmark processes must end like the baseline's and use no CPU
// time that the benchmark's clock does not see. It decides nothing about speed. The caller holds the machine-wide
// measuring lock. Cost: one process per program and candidate, more on a suspicion.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/benchmark/cpu_audit.h"

#include <expected>
#include <string>
#include <vector>

namespace agentic {

class BenchmarkAudit {
public:
  /// Runs the baseline; `prepared` and `context` must outlive the result.
  static Result<BenchmarkAudit> learn(const Prepared &prepared, const RunContext &context);

  /// Returns empty if all is clean, else the problem.
  Result<std::string> problem(const std::string &sharedObject) const;

private:
  BenchmarkAudit(const Prepared &prepared, const RunContext &context) : prepared_(&prepared), context_(&context) {}
  Result<std::expected<CpuAccount, std::string>> account(std::size_t program, const std::string &sharedObject,
                                                         int repetitions, double minTime) const;
  Result<CpuAccount> referenceAccount(std::size_t program, int repetitions, double minTime) const;
  Result<std::string> programProblem(std::size_t program, const std::string &sharedObject) const;

  const Prepared *prepared_;
  const RunContext *context_;
  std::vector<std::vector<CpuAccount>> reference_; ///< index: the program
};

} // namespace agentic
