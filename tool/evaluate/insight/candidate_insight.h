// Makes an insight: compiles the candidate once more with remarks, reads its object code, runs its benchmark once.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/benchmark/physical_floor.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/evaluate/insight/insight.h"
#include "tool/evaluate/programs/program_run.h"

#include <span>
#include <string>
#include <vector>

namespace agentic {

struct InsightContext {
  const BuildContext &build;
  const RunContext &run;
  const std::vector<TestProgram> &benchmarks;
  const BenchmarkFacts &facts;
  std::string filter;                   ///< BENCHMARK_FILTER
  std::span<const BenchmarkCall> calls; ///< recorded in the benchmarks, with the times of the baseline
};

/// Errors: it does not compile; the machinery. A part that is not available is a section with the reason as its note.
Result<Insight> insightOf(const InsightContext &context, const Candidate &candidate, const InsightRequest &request);

} // namespace agentic
