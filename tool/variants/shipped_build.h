// A kernel's build as it ships: the user's configuration with generated files in place and no hook, beside the original
// without a dispatcher. Write-back asks it before files are placed, verify of those that are checked in.
#pragma once

#include "tool/base/error.h"
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

  /// Levels that this build and this CPU can run, best first.
  Result<std::vector<std::string>> levels() const;

  /// The tests with `choice` forced, "baseline" or a level; the dispatcher's trace must say that it ran. Empty, or what
  /// is wrong; details are in logFile(choice).
  Result<std::string> testForced(const std::string &choice) const;
  std::string logFile(const std::string &choice) const;

  /// The file of the variant of the evaluator's level, compiled by this build's own command, does what the baseline
  /// does in replayed calls: what was evaluated is what ships. Empty, or how it differs. Empty at once for a level that
  /// is only emulated here.
  Result<std::string> replay() const;

  /// With `level` forced, against the original, undispatched build, which is made first. At least eight pairs.
  Result<BenchmarkOutcome> measure(const std::string &level);

private:
  explicit ShippedBuild(Evaluator &evaluator) : evaluator_(&evaluator), facts_(evaluator.stageFacts()) {}
  Result<ShadowTree> tree(ShadowKind kind, const std::vector<GeneratedFile> &files) const;
  RunContext contextFor(const ShadowTree &tree) const;

  Evaluator *evaluator_;
  StageFacts facts_;
  ShadowTree final_;
  std::optional<ShadowTree> original_;
  ExistingVariants staged_;
};

} // namespace agentic
