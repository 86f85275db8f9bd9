// Runs the benchmark stage on code whose truth is known: identical code against itself, and a kernel against a version
// that does 5 % less. Its verdicts say how far the tool's measurements can be believed on this machine.
//
// Every comparison is measure() of benchmark_stage.h, under the machine-wide lock, which is free between two of them.
#pragma once

#include "tool/evaluate/benchmark/benchmark_stage.h"

#include <functional>
#include <string>
#include <vector>

namespace agentic {

/// A subject to compare with itself.
struct CalibrationSubject {
  std::string name;
  RunContext context;
  std::vector<TestProgram> programs;
  std::string filter;
  BenchmarkFacts facts;
  std::string reference; ///< shared object or forced choice: both sides
  std::string lessWork;  ///< the choice that does 5 % less; empty = none
};

/// One decision.
struct CalibrationDecision {
  std::string subject;
  bool isGain = false; ///< the candidate did 5 % less work; else the same code
  bool isBusy = false; ///< with a load of ours on another CPU
  bool isAccepted = false;
  std::string verdict;                          ///< "faster", "slower", "same", "too noisy", or why there is no verdict
  double seconds = 0;                           ///< without waiting for the lock
  double ownSeconds = 0;                        ///< also without waiting for other programs
  std::vector<BenchmarkMeasurement> benchmarks; ///< with their pairs; empty without a measurement
  Speedup speedup;
};

struct CalibrationPlan {
  bool full = false;     ///< 300 comparisons and 40 gains, half of the comparisons under load; else until time is up
  double maxSeconds = 0; ///< wall time; comparisons that do not fit are left out; 0 = unlimited
  DecisionRule rule;
  std::uint64_t seed = 1;
  std::string loadProgram; ///< this tool, which has the load as a subcommand; empty = no load
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void(const CalibrationDecision &decision, int done, int planned)> decided;
};

/// Returns the subjects of a machine: the tool's own kernels, learnt. `program`: this tool; `scratch`: a folder that
/// stays until the subjects are gone; `sandbox` must outlive them. Errors: as learnBenchmarks.
Result<std::vector<CalibrationSubject>> referenceSubjects(const std::string &program, const Sandbox &sandbox,
                                                          const std::string &scratch,
                                                          const std::atomic<bool> *cancelled,
                                                          const std::string &lockFile = {});

/// Returns decisions in the order they were made; fewer than planned when interrupted or out of time. Errors: a
/// reference's process fails, the lock is never free.
Result<std::vector<CalibrationDecision>> calibrate(const std::vector<CalibrationSubject> &subjects,
                                                   const CalibrationPlan &plan, const std::string &lockFile = {});

} // namespace agentic
