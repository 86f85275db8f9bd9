// The benchmark layer of an examination: whether a candidate's benchmark processes end as the baseline's do and use no
// CPU time that the benchmark's clock does not see. Nothing is decided about speed. The machine-wide measuring lock is
// the caller's. Cost: one process per program and candidate, more on a suspicion.
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

  /// Empty if all is clean.
  Result<std::string> problem(const std::string &sharedObject) const;

private:
  BenchmarkAudit(const Prepared &prepared, const RunContext &context) : prepared_(&prepared), context_(&context) {}
  Result<std::expected<CpuAccount, std::string>> account(std::size_t program, const std::string &sharedObject,
                                                         int repetitions, double minTime) const;
  Result<CpuAccount> referenceAccount(std::size_t program, int repetitions, double minTime) const;
  Result<std::string> programProblem(std::size_t program, const std::string &sharedObject) const;

  const Prepared *prepared_;
  const RunContext *context_;
  std::vector<std::vector<CpuAccount>> reference_; ///< by program
};

} // namespace agentic
