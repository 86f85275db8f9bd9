#include "tool/variants/verification.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/build/host.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/evaluate/baseline/level_here.h"
#include "tool/variants/existing_variant.h"
#include "tool/variants/shipped_build.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

class KernelVerifier {
public:
  KernelVerifier(const EvaluatorOptions &options, const VerificationLimits &limits, Manifest manifest, KernelSpec spec)
      : options_(options), limits_(limits), manifest_(std::move(manifest)), spec_(std::move(spec)),
        existing_(readExisting(manifest_.variantDir, spec_)), optimize_("build the target optimize-" + spec_.kernel) {}

  Result<std::vector<VerifiedVariant>> run();

private:
  VerifiedVariant row() const {
    VerifiedVariant row;
    row.kernel = spec_.kernel;
    row.source = manifest_.source;
    return row;
  }
  VerifiedVariant rowOf(const Lock::Variant &variant) const;
  static void fail(VerifiedVariant &row, std::string what, std::string problem, std::string next) {
    row.standing = Standing::Fails;
    row.what = std::move(what);
    row.problem = std::move(problem);
    row.next = std::move(next);
  }

  /// Decides what needs no build. True: the variant can be tried.
  Result<bool> canBeTried(VerifiedVariant &row) const;
  Result<void> tryVariant(VerifiedVariant &row, const Lock::Variant &variant);
  Result<bool> isClean(VerifiedVariant &row, const Lock::Variant &variant);
  Result<bool> isCorrect(VerifiedVariant &row);
  Result<void> isFaster(VerifiedVariant &row);
  Result<std::vector<GeneratedFile>> checkedIn() const;
  int levelsOfFamily() const;

  const EvaluatorOptions &options_;
  const VerificationLimits &limits_;
  Manifest manifest_;
  KernelSpec spec_;
  ExistingVariants existing_;
  std::string optimize_, family_;
  std::unique_ptr<Evaluator> evaluator_; ///< of the level that is tried now
  std::optional<ShippedBuild> shipped_;  ///< refers to evaluator_
};

VerifiedVariant KernelVerifier::rowOf(const Lock::Variant &variant) const {
  const Provenance &from = variant.provenance;
  VerifiedVariant row = this->row();
  row.level = from.level;
  row.family = from.family;
  row.file = manifest_.variantDir + "/" + variant.file.path;
  row.isTuned = from.isTuned;
  row.recorded = {from.ratio, from.low, from.high, from.isTuned, from.isTuned};
  row.recordedCpu = from.cpu;
  return row;
}

int KernelVerifier::levelsOfFamily() const {
  return int(std::ranges::count(existing_.lock->variants, family_,
                                [](const Lock::Variant &variant) { return variant.provenance.family; }));
}

Result<bool> KernelVerifier::canBeTried(VerifiedVariant &row) const {
  if (!existing_.fresh()) {
    fail(row, "fresh", "stale: " + existing_.staleReason, optimize_);
    return false;
  }
  if (row.family != family_) {
    row.problem = "made for " + row.family + "; this build compiles with " + family_;
    row.next = "verify it in a build tree of that compiler";
    return false;
  }
  if (limits_.levels && levelsOfFamily() > *limits_.levels) {
    fail(row, "limit", fmt::format("{} levels, and the limit is {}", levelsOfFamily(), *limits_.levels),
         "take levels out of ARCHITECTURES, remove " + manifest_.variantDir + ", and " + optimize_);
    return false;
  }
  const LevelHere here = TRY(levelHere(row.level, manifest_));
  if (here == LevelHere::No) {
    row.problem = (manifest_.runner.empty() ? "this CPU lacks " : "the CPU that RUNNER presents lacks ") + row.level;
    row.next = "verify it on a machine that has it";
    return false;
  }
  return true;
}

Result<std::vector<GeneratedFile>> KernelVerifier::checkedIn() const {
  std::vector<std::string> names;
  for (const Lock::Variant &variant : existing_.lock->variants)
    names.push_back(variant.file.path);
  names.push_back(existing_.lock->dispatch.path);
  names.push_back(spec_.kernel + ".lock.json");
  std::vector<GeneratedFile> files;
  for (const std::string &name : names) {
    auto text = TRY(readFile(fs::path(manifest_.variantDir) / name));
    files.push_back({name, normalizeLineEnds(text)});
  }
  return files;
}

/// Checks the text and the compiled object.
Result<bool> KernelVerifier::isClean(VerifiedVariant &row, const Lock::Variant &variant) {
  const std::optional<Candidate> candidate = candidateOf(manifest_.variantDir, variant, spec_);
  if (!candidate) {
    fail(row, "fresh", "its lock does not say which parts of it the candidate wrote", optimize_);
    return false;
  }
  Evaluation evaluation = TRY(evaluator_->inspect(*candidate));
  row.codeBytes = evaluation.codeBytes;
  if (evaluation.verdict == Verdict::Rejected) {
    std::string problem = evaluation.detail;
    if (!evaluation.findings.empty())
      problem = evaluation.findings.front().message + " [" + evaluation.findings.front().check + "]";
    fail(row, stageName(evaluation.stage), firstLine(problem),
         optimize_ + "; what this version of the tool refuses must not be used");
    return false;
  }
  if (!isAsEmitted(manifest_.variantDir, variant, spec_, *candidate)) {
    const std::string problem = "around the candidate's own text it is not what this version of the tool writes";
    if (variant.provenance.toolVersion == kVersion) {
      fail(row, "check", problem + ", which wrote it", optimize_);
      return false;
    }
    row.warnings.push_back(problem + "; it was written by " + variant.provenance.toolVersion);
  }
  if (limits_.codeBytes && row.codeBytes > *limits_.codeBytes) {
    fail(row, "limit", fmt::format("{} bytes of code, and the limit is {}", row.codeBytes, *limits_.codeBytes),
         "apply a smaller candidate with 'agentic-kernel apply'");
    return false;
  }
  return true;
}

Result<bool> KernelVerifier::isCorrect(VerifiedVariant &row) {
  Result<std::string> problem = shipped_->testForced(row.level);
  if (!problem)
    return std::unexpected(problem.error());
  if (!problem->empty()) {
    fail(row, "tests", *problem, "see " + shipped_->logFile(row.level) + "; then " + optimize_);
    return false;
  }
  problem = shipped_->replay();
  if (!problem)
    return std::unexpected(problem.error());
  if (!problem->empty()) {
    fail(row, "calls", *problem, optimize_);
    return false;
  }
  return true;
}

Result<void> KernelVerifier::isFaster(VerifiedVariant &row) {
  BenchmarkOutcome outcome = TRY(shipped_->measure(row.level));
  if (!outcome.measurement) {
    fail(row, "speedup", "it could not be measured: " + outcome.rejection + outcome.undecided, optimize_);
    return {};
  }
  const Measurement &measurement = *outcome.measurement;
  row.measured = measurement.speedup;
  const bool isNoisy = measurement.comparison == Comparison::TooNoisy;
  if (measurement.comparison != Comparison::Faster)
    fail(row, "speedup", measurement.reason,
         isNoisy ? "verify on a quieter machine, or with --no-benchmark" : optimize_);
  else if (limits_.minimumSpeedup > 0 && measurement.speedup.ratio < limits_.minimumSpeedup)
    fail(
        row, "speedup",
        fmt::format("{:.2f} times as fast, and {:.2f} is asked for", measurement.speedup.ratio, limits_.minimumSpeedup),
        optimize_);
  return {};
}

Result<void> KernelVerifier::tryVariant(VerifiedVariant &row, const Lock::Variant &variant) {
  const double start = steadySeconds();
  if (row.isTuned && row.recordedCpu != cpuName())
    row.warnings.push_back("tuned on " + row.recordedCpu + ", verified on " + cpuName());
  EvaluatorOptions options = options_;
  options.level = row.level;
  options.levelIsRecorded = true;
  shipped_.reset();
  evaluator_ = TRY(Evaluator::open(options));
  Result<bool> holds = isClean(row, variant);
  if (holds && *holds) {
    std::vector<GeneratedFile> files = TRY(checkedIn());
    if (options_.progress)
      options_.progress("building what ships");
    shipped_ = TRY(ShippedBuild::open(*evaluator_, files));
    holds = isCorrect(row);
  }
  if (!holds)
    return std::unexpected(holds.error());
  if (*holds) {
    row.standing = Standing::Holds;
    if (!row.isTuned)
      row.warnings.push_back("untuned: nobody has measured it; optimize on a machine that has " + row.level);
    else if (!evaluator_->isTimed())
      row.warnings.push_back(row.level + " is only emulated here, so its speed was not verified");
    else if (limits_.benchmark)
      if (Result<void> measured = isFaster(row); !measured)
        return measured;
  }
  row.seconds = steadySeconds() - start;
  return {};
}

Result<std::vector<VerifiedVariant>> KernelVerifier::run() {
  std::vector<VerifiedVariant> rows;
  if (!existing_.lock) {
    VerifiedVariant row = this->row();
    if (existing_.staleReason.empty()) {
      row.problem = "no variants";
      row.next = optimize_;
    } else {
      fail(row, "fresh", "stale: " + existing_.staleReason, optimize_);
    }
    rows.push_back(std::move(row));
    return rows;
  }
  Compiler compiler = TRY(compilerOf(manifest_));
  family_ = familyName(compiler.family);
  for (const Lock::Variant &variant : existing_.lock->variants) {
    VerifiedVariant row = rowOf(variant);
    const bool canBe = TRY(canBeTried(row));
    if (canBe) {
      if (options_.progress)
        options_.progress(row.level + " " + row.family);
      TRY(tryVariant(row, variant));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace

Result<std::vector<VerifiedVariant>> verifyKernel(const EvaluatorOptions &options, const VerificationLimits &limits) {
  CurrentKernel kernel = TRY(currentKernel(options.buildDir, options.kernel, options.config));
  const PolicyLimits &project = kernel.spec.policy.limits;
  VerificationLimits all = limits;
  if (all.minimumSpeedup == 0)
    all.minimumSpeedup = project.minSpeedup;
  if (!all.codeBytes && project.maxCodeBytes > 0)
    all.codeBytes = project.maxCodeBytes;
  if (!all.levels && project.maxLevels > 0)
    all.levels = project.maxLevels;
  return KernelVerifier(options, all, std::move(kernel.manifest), std::move(kernel.spec)).run();
}

} // namespace agentic
