// The whole project under sanitizers, once for the final winner: its tests run with the variant forced, in a tree in
// which everything is instrumented, as a normal build would have it. So the callers' arrays have their guards too,
// which the candidate's own instrumentation cannot give them.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/programs/test_stage.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct SanitizedTreeRequest {
  const Manifest *manifest = nullptr;                ///< of the user's tree
  const std::vector<GeneratedFile> *files = nullptr; ///< as for ShadowKind::Final
  std::vector<GeneratedFile> withoutVariants;        ///< the same files for no variant: tells whose fault a failure is
  std::string level;                                 ///< of the variant that is forced
  std::string variantFile;                           ///< its name among `files`
  RunContext context;
  const TestFacts *tests = nullptr;
  double treeSeconds = 0;            ///< a normal build of the tests and benchmarks
  std::optional<double> secondsLeft; ///< does not begin what does not fit; nullopt = no limit
};

struct SanitizedTreeOutcome {
  bool passed = true; ///< also where nothing could run: then `remark` says so
  bool ran = false;
  std::string detail; ///< why not
  std::string remark; ///< one line without paths, for the variant's header
  std::string hint;   ///< where more is said of `remark` or `detail`; with paths
  double seconds = 0;
};

/// What runSanitizedTree takes, at most: all of it built from scratch, and the tests.
double sanitizedTreeSeconds(double treeSeconds, double testSeconds);

/// Cost: the kernel's tests and benchmarks and what they link, built with sanitizers (minutes for a large project;
/// about twice a normal build), then the tests twice at a third of their speed; a second time only what changed. A
/// project that cannot be built or whose unchanged kernel does not pass its tests that way is remarked; undefined
/// behaviour that it shows with the unchanged kernel is nobody's fault. Errors: those of the machinery.
Result<SanitizedTreeOutcome> runSanitizedTree(const SanitizedTreeRequest &request);

} // namespace agentic
