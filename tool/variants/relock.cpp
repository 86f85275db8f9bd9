#include "tool/variants/relock.h"

#include "tool/base/hash.h"
#include "tool/base/version.h"
#include "tool/build/host.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/evaluate/baseline/level_here.h"
#include "tool/variants/existing_variant.h"
#include "tool/variants/shipped_build.h"
#include "tool/variants/variant_set.h"

#include <algorithm>

namespace agentic {
namespace {

class Relocker {
public:
  Relocker(const EvaluatorOptions &options, Manifest manifest, KernelSpec spec)
      : options_(options), manifest_(std::move(manifest)), spec_(std::move(spec)),
        existing_(readExisting(manifest_.variantDir, spec_)), optimize_("build the target optimize-" + spec_.kernel) {}

  Result<Relocked> run();

private:
  std::unexpected<Error> rejected(const Lock::Variant &variant, const std::string &problem) const {
    return std::unexpected(Error{ErrorKind::Rejected,
                                 "variant " + nameOf(variant) + " of kernel '" + spec_.kernel + "': " + problem,
                                 "nothing was written; " + optimize_});
  }
  bool isOutdated() const;
  Result<void> remake();
  Result<void> verify(const Lock::Variant &variant, const Candidate &candidate);
  bool isOnlyLayout() const;

  const EvaluatorOptions &options_;
  Manifest manifest_;
  KernelSpec spec_;
  ExistingVariants existing_;
  std::string optimize_;
  std::vector<Candidate> candidates_; ///< of the lock's variants, in its order
  std::vector<GeneratedFile> files_;
  Relocked result_;
};

/// Returns whether the variants are fresh, but this tool would write another dispatcher.
bool Relocker::isOutdated() const {
  std::vector<Provenance> variants;
  for (const Lock::Variant &variant : existing_.lock->variants)
    variants.push_back(variant.provenance);
  const Result<std::string> now = emitDispatch(spec_, variants, existing_.lock->tool);
  return now && sha256(*now) != existing_.lock->dispatch.sha256;
}

/// Makes all files again around the variants' own texts.
Result<void> Relocker::remake() {
  std::vector<VariantSource> variants;
  for (const Lock::Variant &variant : existing_.lock->variants) {
    const Level *level = findLevel(variant.provenance.level);
    std::optional<Candidate> candidate = candidateOf(manifest_.variantDir, variant, spec_);
    if (!candidate || !level)
      return userError("'" + manifest_.variantDir + "/" + variant.file.path + "' is not as it was written",
                       "restore it, or 'agentic-kernel drop' it; 'agentic-kernel apply' takes an edited text");
    if (auto source = sourceOf(manifest_.variantDir, variant);
        source && isAsEmitted(manifest_.variantDir, variant, spec_, *candidate)) {
      variants.push_back(std::move(*source)); // not even blanks change
      candidates_.push_back(std::move(*candidate));
      continue;
    }
    const Family family = familyNamed(variant.provenance.family);
    const CandidateUnit unit =
        buildCandidateUnit({spec_, *level, family, variant.provenance.candidate}, candidate->text);
    if (!unit.findings.empty())
      return rejected(variant, unit.findings.front().message);
    VariantSource source{.provenance = variant.provenance, .text = {}, .own = {}};
    source.text = emitVariant(spec_, source.provenance, unit);
    source.own = ownSpans(source.text, unit);
    variants.push_back(std::move(source));
    candidates_.push_back(std::move(*candidate));
  }
  files_ = TRY(emitFiles(spec_, variants, kVersion));
  return {};
}

/// Returns whether not only the kernel's tokens are the same, but also everything else that was hashed.
bool Relocker::isOnlyLayout() const {
  Result<Lock> now = parseLock(files_.back().text, files_.back().name);
  const auto isSameFile = [](const Lock::File &one, const Lock::File &other) {
    return one.path == other.path && one.sha256 == other.sha256;
  };
  return now && now->directives == existing_.lock->directives &&
         std::ranges::equal(now->headers, existing_.lock->headers, isSameFile);
}

Result<void> Relocker::verify(const Lock::Variant &variant, const Candidate &candidate) {
  if (options_.progress)
    options_.progress("verifying " + nameOf(variant));
  EvaluatorOptions options = options_;
  options.level = variant.provenance.level;
  options.levelIsRecorded = true;
  std::unique_ptr<Evaluator> evaluator = TRY(Evaluator::open(options));
  Evaluation evaluation = TRY(evaluator->inspect(candidate));
  if (evaluation.verdict == Verdict::Rejected)
    return rejected(variant,
                    std::string(stageName(evaluation.stage)) + ": " +
                        (evaluation.findings.empty() ? evaluation.detail : evaluation.findings.front().message));
  ShippedBuild shipped = TRY(ShippedBuild::open(*evaluator, files_));
  for (auto prove : {+[](const ShippedBuild &build, const std::string &level) { return build.testForced(level); },
                     +[](const ShippedBuild &build, const std::string &) { return build.replay(); }}) {
    std::string problem = TRY(prove(shipped, options.level));
    if (!problem.empty())
      return rejected(variant, problem);
  }
  result_.verified.push_back(nameOf(variant));
  return {};
}

Result<Relocked> Relocker::run() {
  if (!existing_.lock)
    return userError("kernel '" + spec_.kernel + "' has no variants to lock again" +
                         (existing_.staleReason.empty() ? "" : ": " + existing_.staleReason),
                     optimize_);
  result_.reason = existing_.staleReason;
  if (existing_.fresh() && !isOutdated())
    return std::move(result_);
  if (existing_.lock->fingerprint != spec_.fingerprint)
    return userError("kernel '" + spec_.kernel +
                         "' has changed by more than comments and layout: " + existing_.staleReason,
                     optimize_ + ", which tries the old variants first");
  TRY(remake());
  if (result_.reason.empty())
    result_.reason = "another version of the tool wrote its dispatcher";
  Compiler compiler = TRY(compilerOf(manifest_));
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Lock::Variant &variant = existing_.lock->variants[i];
    Result<LevelHere> here = LevelHere::No;
    if (variant.provenance.family == familyName(compiler.family))
      here = levelHere(variant.provenance.level, manifest_);
    if (!here)
      return std::unexpected(here.error());
    if (*here != LevelHere::No) {
      TRY(verify(variant, candidates_[i]));
    } else if (isOnlyLayout()) {
      result_.warnings.push_back("variant " + nameOf(variant) + " cannot run in this build; its kernel's tokens are " +
                                 "the same, and it stays unverified");
    } else {
      return userError("variant " + nameOf(variant) + " of kernel '" + spec_.kernel +
                           "' cannot be verified in this build, and more has changed than comments and layout of " +
                           spec_.source + " (" + existing_.staleReason + ")",
                       "run 'agentic-kernel relock' where it can run, or 'agentic-kernel drop --level " +
                           variant.provenance.level + "'");
    }
  }
  result_.files = TRY(changeVariantSet({.folder = manifest_.variantDir,
                                        .scratch = manifest_.buildDir + "/_agentic",
                                        .files = files_,
                                        .removed = {},
                                        .afterChange = {}}));
  return std::move(result_);
}

} // namespace

Result<Relocked> relock(const EvaluatorOptions &options) {
  CurrentKernel kernel = TRY(currentKernel(options.buildDir, options.kernel, options.config));
  return Relocker(options, std::move(kernel.manifest), std::move(kernel.spec)).run();
}

} // namespace agentic
