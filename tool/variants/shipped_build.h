// A kernel's build as it ships: the user's configuration with generated files in place and no hook, beside the original
// without a dispatcher. Write-back uses it before files are placed, verify for checked-in variants.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/end_to_end.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/generated_file.h"
#include "tool/variants/existing_variant.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Refers to the evaluator, which must outlive it. Each call fails only where the machinery does.
class ShippedBuild {
public:
  /// Builds the kernel's tests and benchmarks with `files` in VARIANT_DIR. An error is a bug if they are not fresh
  /// there.
  static Result<ShippedBuild> open(Evaluator &evaluator, const std::vector<GeneratedFile> &files);

  /// Returns the levels that this build and this CPU can run, best first.
  Result<std::vector<std::string>> levels() const;

  /// Runs the tests with `choice` forced, "baseline" or a level; the dispatcher's trace must say that it ran. Returns
  /// empty, or the fault; details are in logFile(choice).
  Result<std::string> testForced(const std::string &choice) const;
  std::string logFile(const std::string &choice) const;

  /// Replays calls on the file of the variant of the evaluator's level, compiled by this build's own command, and
  /// compares with the baseline: it proves that the evaluated code is the shipped code. Returns empty, or the
  /// difference. Empty at once for a level that is only emulated here.
  Result<std::string> replay() const;

  /// Measures with `level` forced, against the original, undispatched build, which is made first. At least eight pairs.
  Result<BenchmarkOutcome> measure(const std::string &level);

  /// Measures the application of END_TO_END likewise; nullopt if there is none. `secondsLeft`: as EndToEndRequest's.
  Result<std::optional<EndToEnd>> measureApplication(const std::string &level, std::optional<double> secondsLeft);

private:
  explicit ShippedBuild(Evaluator &evaluator) : evaluator_(&evaluator), facts_(evaluator.stageFacts()) {}
  Result<void> makeOriginal();
  Result<ShadowTree> tree(ShadowKind kind, const std::vector<GeneratedFile> &files) const;
  RunContext contextFor(const ShadowTree &tree) const;

  Evaluator *evaluator_;
  StageFacts facts_;
  ShadowTree final_;
  std::optional<ShadowTree> original_;
  ExistingVariants staged_;
};

} // namespace agentic
