// Tests the final winner once with the whole project under sanitizers: the tests run with the variant forced, in a tree
// in which everything is instrumented, as a normal build would have it. So the callers' arrays have redzones, too,
// which the candidate's own instrumentation cannot give them.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/programs/test_stage.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct SanitizedTreeRequest {
  const Manifest *manifest = nullptr;                ///< manifest of the user's tree
  const std::vector<GeneratedFile> *files = nullptr; ///< as for ShadowKind::Final
  std::vector<GeneratedFile> withoutVariants;        ///< the same files for no variant: show whose fault a failure is
  std::string level;                                 ///< level of the forced variant
  std::string variantFile;                           ///< its name among `files`
  RunContext context;
  const TestFacts *tests = nullptr;
  double treeSeconds = 0;            ///< time of a normal build of the tests and benchmarks
  std::optional<double> secondsLeft; ///< steps that would not fit are not begun; nullopt = no limit
};

struct SanitizedTreeOutcome {
  bool passed = true; ///< also where nothing could run: then `remark` says so
  bool ran = false;
  std::string detail; ///< why it failed
  std::string remark; ///< one line without paths, for the variant's header
  std::string hint;   ///< where to read more about `remark` or `detail`; with paths
  double seconds = 0;
};

/// Returns the upper bound of runSanitizedTree's time: all of it built from scratch, and the tests.
double sanitizedTreeSeconds(double treeSeconds, double testSeconds);

/// Cost: the kernel's tests and benchmarks and what they link, built with sanitizers (minutes for a large project;
/// about twice a normal build), then the tests twice at a third of their speed; a later call builds only what changed.
/// A project that cannot be built, or whose unchanged kernel fails its tests that way, gets a remark; undefined
/// behaviour that the unchanged kernel shows as well does not count. Errors: those of the machinery.
Result<SanitizedTreeOutcome> runSanitizedTree(const SanitizedTreeRequest &request);

} // namespace agentic
