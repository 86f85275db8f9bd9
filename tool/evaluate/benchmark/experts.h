// A kernel's expert: a benchmark of the project that does the same work with a well-kept library, named
// BM_<Kernel>_Expert_<library>/<arguments> beside BM_<Kernel>/<arguments> (BENCHMARK_FILTER keeps it out of what is
// optimised). Matched by name and arguments; the fastest library per benchmark counts.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct ExpertName {
  std::string benchmark; ///< the kernel's, with its arguments: "BM_Sgemm/256/256/256"
  std::string library;   ///< "OpenBLAS"
};

/// Parses a name; nullopt for a benchmark that is not an expert's.
std::optional<ExpertName> parseExpertName(std::string_view benchmark);

/// The times of the unchanged kernel and of its experts in the project's benchmark programs, by benchmark's name as in
/// Measurement. Experts have their own full names.
struct ReferenceTimes {
  struct Entry {
    double ns = 0;                    ///< per call, the least of the repetitions
    double bytes = 0, operations = 0; ///< per call, as the benchmark counts them; 0 = not counted
  };
  std::map<std::string, Entry> kernel, experts;
  std::vector<std::string> problems; ///< why an expert could not be measured; safe to show
};

struct ReferenceRequest {
  const std::vector<TestProgram> *programs = nullptr;
  std::string filter; ///< BENCHMARK_FILTER
  const BenchmarkFacts *facts = nullptr;
  std::string lockFile; ///< empty = the machine-wide one
};

/// Runs each program twice, under the lock. Errors: the kernel's own benchmark fails; interrupted. A failing expert is
/// a problem; a missing expert is not.
Result<ReferenceTimes> measureReferences(const RunContext &context, const ReferenceRequest &request);

struct ExpertComparison {
  double percent = 0; ///< 100 * expert's time / kernel's time, geometric mean over the benchmarks that have an expert
  std::string libraries;
};

/// Compares with the experts; `kernelNs`: per benchmark. nullopt if no expert matches.
std::optional<ExpertComparison> compareWithExperts(const std::map<std::string, double> &kernelNs,
                                                   const std::map<std::string, ReferenceTimes::Entry> &experts);

} // namespace agentic
