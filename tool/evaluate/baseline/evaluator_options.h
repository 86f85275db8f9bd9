// Options of the evaluation of one kernel. Plain values; the objects that they point to outlive the Evaluator.
#pragma once

#include "tool/build/host.h"
#include "tool/evaluate/insight/insight.h"
#include "tool/evaluate/remote/measuring_hosts.h"
#include "tool/model/evaluation.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct EvaluatorOptions {
  std::string buildDir;
  std::string kernel;
  std::string config;
  std::string level;            ///< empty = the best of the manifest's, or the machine's highest
  bool levelIsRecorded = false; ///< the level comes from an existing variant, not from the user
  Cpu cpu = hostCpu();          ///< the CPU whose levels count
  bool allowUnoptimized = false;
  bool allowUncovered = false; ///< a winner's code that never ran does not reject it
  /// Judge measured candidates by everything of the first pass whatever their time. Else the sanitizers judge what is
  /// faster, and the audit of benchmark calls what claims more than kSuspiciousSpeedup.
  bool judgesSlow = false;
  bool requireSandbox = false; ///< fail where only rlimits would confine candidates
  std::string checkProgram;    ///< path of agentic-kernel: candidates are checked in a process of their own; empty =
                               ///< in this one, which a hostile text can then stop
  double threshold = 0.02;
  std::string rooflineFile; ///< where the machine's bandwidth is kept (benchmark/roofline.h); empty: claims are not
                            ///< checked against it
  /// A third of a run's whole time, which is usually its search's time; 0 = unlimited. Steps before and after the
  /// search (calibration, the full plan) take at most a share of it. `cancelled` bounds them all.
  double secondsLimit = 0;
  /// Parts of the insight (insight.h) that go with the verdict on a measured candidate; nullopt: none.
  std::optional<InsightRequest> feedback;
  /// Notes for the reviewer of a text that passed, from what this module does not know; they refuse nothing.
  std::function<std::vector<std::string>(const Manifest &, const KernelSpec &, const std::string &text)> remarks;
  bool describesCode = false; ///< measured candidates get their code's traits (insight/code_traits.h)
  /// Candidates that ahead() judges at once, beside a measurement; at most one for each CPU that it leaves, or one for
  /// each host of a farm. 0: none.
  std::size_t workers = 0;
  FarmOptions farm;           ///< where it is measured; without hosts, here
  bool runsOnHosts = false;   ///< all programs run there; else only if this machine lacks the level
  bool measuresAlone = false; ///< they pause while something is measured: timings suffer from them here
  std::uint64_t seed = 1;     ///< seed for the order of sides within pairs and the bootstrap
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void(const std::string &)> progress; ///< one line: what is being prepared
  std::function<void(Stage)> stage;                  ///< an evaluation enters this stage
  std::function<void(const std::string &)> warning;  ///< printed once each
};

} // namespace agentic
