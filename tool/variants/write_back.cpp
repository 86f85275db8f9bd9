#include "tool/variants/write_back.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/build/compile.h"
#include "tool/build/host.h"
#include "tool/evaluate/insight/why_faster.h"
#include "tool/evaluate/instruments/sanitized_tree.h"
#include "tool/model/figures.h"
#include "tool/variants/existing_variant.h"
#include "tool/variants/patch.h"
#include "tool/variants/shipped_build.h"
#include "tool/variants/shipped_claim.h"
#include "tool/variants/variant_set.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kPlacingSeconds = 2; // for the work after the last gate

class WriteBack {
public:
  WriteBack(Evaluator &evaluator, const WriteBackRequest &request)
      : evaluator_(evaluator), request_(request), manifest_(evaluator.manifest()), spec_(evaluator.spec()),
        facts_(evaluator.stageFacts()) {}

  Result<WriteBackResult> run();

private:
  void enter(Stage gate) const {
    if (request_.gate)
      request_.gate(gate);
  }
  Result<std::vector<GeneratedFile>> generate(const Measurement &measurement);
  Result<VariantSource> winner(const Measurement &measurement);
  std::string why();
  void keepOthers(std::vector<VariantSource> &variants);
  Result<void> replacesNothingTuned() const;
  Result<void> judgeSpeed(ShippedBuild &build, const std::vector<GeneratedFile> &staged);
  Result<void> worksAsItShips(const ShippedBuild &build);
  Result<void> measureLater(ShippedBuild &build);
  Result<void> measureApplication(ShippedBuild &build);
  Result<void> survivesSanitizers(const std::vector<GeneratedFile> &files);
  Result<void> place(const std::vector<GeneratedFile> &files);
  void warnIfIgnored(const std::vector<GeneratedFile> &files);

  Evaluator &evaluator_;
  const WriteBackRequest &request_;
  const Manifest &manifest_;
  const KernelSpec &spec_;
  StageFacts facts_;
  std::optional<std::string> why_;
  WriteBackResult result_;
};

/// Two compiles. Without an answer, the header lacks the line.
std::string WriteBack::why() {
  if (!why_ && !evaluator_.isTimed())
    why_ = ""; // nothing was found to be faster
  if (why_)
    return *why_;
  const InsightRequest request{.parts = {"mix"}, .rooflineFile = {}};
  const auto before = evaluator_.insight(makeCandidate(baselineCandidate(spec_), "baseline"), request);
  const auto after = before ? evaluator_.insight(request_.candidate, request) : before;
  why_ = before && after ? whyFaster(before->figures, after->figures) : "";
  return *why_;
}

Result<VariantSource> WriteBack::winner(const Measurement &measurement) {
  const Compiler &compiler = evaluator_.compiler();
  const CandidateUnit unit =
      buildCandidateUnit({spec_, evaluator_.level(), compiler.family, request_.candidate.id}, request_.candidate.text);
  if (!unit.findings.empty())
    return bugError("the winner no longer makes a candidate unit: " + unit.findings.front().message);
  VariantSource variant;
  variant.provenance = {.level = std::string(evaluator_.level().name),
                        .family = familyName(compiler.family),
                        .isTuned = evaluator_.isTimed(),
                        .agent = request_.agent,
                        .origin = request_.candidate.origin,
                        .candidate = request_.candidate.id,
                        .ratio = measurement.speedup.ratio,
                        .low = measurement.speedup.low,
                        .high = measurement.speedup.high,
                        .baselineNs = measurement.referenceNs,
                        .variantNs = measurement.candidateNs,
                        .cpu = evaluator_.measuringCpu(),
                        .compiler = compiler.description,
                        .compilerVersion = compiler.version,
                        .flags = codeFlags(evaluator_.compileFlags()),
                        .date = utcTimestamp(),
                        .toolVersion = kVersion,
                        .assumptions = assumptionsOf(spec_),
                        .why = why(),
                        .shortening = request_.shortening,
                        .reviewed = request_.reviewed,
                        .review = request_.review};
  if (!evaluator_.isTimed()) {
    const std::string runner = fs::path(manifest_.runner.front()).filename().string();
    variant.provenance.cpu = "an emulated CPU (" + runner + ")";
    variant.provenance.ratio = variant.provenance.low = variant.provenance.high = 0;
    variant.provenance.review.push_back("untuned: checked, audited, and tested under " + runner +
                                        "; no replayed calls, no sanitizers, no timing");
  }
  if (result_.endToEnd)
    variant.provenance.endToEnd = endToEndText(*result_.endToEnd);
  variant.provenance.review.insert(variant.provenance.review.end(), result_.review.begin(), result_.review.end());
  variant.text = emitVariant(spec_, variant.provenance, unit);
  variant.own = ownSpans(variant.text, unit);
  return variant;
}

/// Variants of other levels and families stay, if they are fresh: the lock vouches for all of them at once.
void WriteBack::keepOthers(std::vector<VariantSource> &variants) {
  const ExistingVariants existing = readExisting(manifest_.variantDir, spec_);
  if (!existing.lock)
    return;
  for (const Lock::Variant &variant : existing.lock->variants) {
    const Provenance &from = variant.provenance;
    if (from.level == variants.front().provenance.level && from.family == variants.front().provenance.family)
      continue;
    auto source = sourceOf(manifest_.variantDir, variant);
    if (existing.fresh() && source)
      variants.push_back(std::move(*source));
    else
      result_.warnings.push_back("variant " + from.level + "/" + from.family + " of kernel '" + spec_.kernel +
                                 "' is stale (" + existing.staleReason +
                                 ") and no longer listed; run optimize with that compiler to renew it");
  }
}

Result<std::vector<GeneratedFile>> WriteBack::generate(const Measurement &measurement) {
  auto own = TRY(winner(measurement));
  std::vector<VariantSource> variants = {own};
  keepOthers(variants);
  return emitFiles(spec_, variants, kVersion);
}

/// Tests every variant of this family, forced, and the baseline; proves that the evaluated code is the shipped code.
Result<void> WriteBack::worksAsItShips(const ShippedBuild &build) {
  std::vector<std::string> choices = TRY(build.levels());
  choices.insert(choices.begin(), "baseline");
  enter(Stage::Test);
  for (const std::string &choice : choices) {
    auto problem = TRY(build.testForced(choice));
    if (!problem.empty())
      return std::unexpected(Error{ErrorKind::Rejected, problem, "nothing was written; see " + build.logFile(choice)});
  }
  enter(Stage::Differential);
  auto problem = TRY(build.replay());
  if (!problem.empty())
    return std::unexpected(Error{ErrorKind::Rejected, problem,
                                 "nothing was written; see that flags and macros of the variant's file are SOURCE's"});
  return {};
}

/// Measures again after the tree with sanitizers: the interval must include the difference between minutes.
Result<void> WriteBack::measureLater(ShippedBuild &build) {
  if (request_.deadline && *request_.deadline - steadySeconds() < kPlacingSeconds + decisionSeconds(facts_.benchmarks))
    return {};
  enter(Stage::Benchmark);
  auto later = TRY(claimWithLaterSession(build, evaluator_, std::move(result_.claim)));
  result_.claim = std::move(later.claim);
  if (!later.remark.empty())
    result_.review.push_back(later.remark);
  return {};
}

/// The application may spend its time elsewhere: that it did not become faster refuses nothing.
Result<void> WriteBack::measureApplication(ShippedBuild &build) {
  enter(Stage::Benchmark);
  std::optional<double> left;
  if (request_.deadline)
    left = *request_.deadline - steadySeconds() - kPlacingSeconds;
  result_.endToEnd = TRY(build.measureApplication(std::string(evaluator_.level().name), left));
  if (!result_.endToEnd)
    return {};
  const EndToEnd &application = *result_.endToEnd;
  const std::string shown = "'" + application.application + "' (END_TO_END)";
  if (application.outcome == EndToEndOutcome::Failed)
    return std::unexpected(Error{ErrorKind::Rejected,
                                 "with the variant as it ships, the application " + shown +
                                     " does not run as with the original: " + application.reason,
                                 "nothing was written; run it by hand on the cases that the kernel's tests lack"});
  if (application.outcome == EndToEndOutcome::Slower)
    return std::unexpected(Error{ErrorKind::NoImprovement,
                                 "the benchmarks are faster with the variant as it ships, and the application " +
                                     shown + " is slower: " + endToEndText(application),
                                 "nothing was written; benchmark the kernel with the data and the caches that the "
                                 "application has"});
  if (application.outcome == EndToEndOutcome::NotMeasured)
    result_.warnings.push_back("end to end: " + endToEndText(application));
  return {};
}

/// The last gate but for the application, because it costs most: the header names what does not fit into the time left.
Result<void> WriteBack::survivesSanitizers(const std::vector<GeneratedFile> &files) {
  auto none = TRY(emitFiles(spec_, {}, kVersion));
  SanitizedTreeRequest request;
  request.manifest = &manifest_;
  request.files = &files;
  request.withoutVariants = std::move(none);
  request.level = evaluator_.level().name;
  request.variantFile = variantFileName(spec_, request.level, familyName(evaluator_.compiler().family));
  request.context = facts_.context;
  request.tests = &facts_.tests;
  request.treeSeconds = evaluator_.calibration().treeSeconds;
  if (request_.deadline)
    request.secondsLeft = *request_.deadline - steadySeconds() - kPlacingSeconds;
  auto outcome = TRY(runSanitizedTree(request));
  if (!outcome.passed)
    return std::unexpected(Error{ErrorKind::Rejected, "the variant is rejected " + outcome.detail,
                                 "nothing was written; " + outcome.hint});
  if (!outcome.remark.empty()) {
    result_.review.push_back(outcome.remark);
    result_.warnings.push_back(outcome.remark + (outcome.hint.empty() ? "" : "; " + outcome.hint));
  }
  return {};
}

Result<void> WriteBack::place(const std::vector<GeneratedFile> &files) {
  if (!request_.patchFile.empty()) {
    auto patch = TRY(makePatch(manifest_.variantDir, manifest_.sourceDir, files, facts_.context.scratchDirectory));
    result_.files = {request_.patchFile};
    return writeFileAtomic(request_.patchFile, patch);
  }
  result_.files = TRY(changeVariantSet(
      {.folder = manifest_.variantDir, .scratch = manifest_.buildDir + "/_agentic", .files = files, .removed = {}}));
  return {};
}

void WriteBack::warnIfIgnored(const std::vector<GeneratedFile> &files) {
  if (!findProgram("git"))
    return;
  for (const GeneratedFile &file : files) {
    const std::string path = manifest_.variantDir + "/" + file.name;
    auto git =
        runProcess({.argv = {"git", "-C", manifest_.sourceDir, "check-ignore", "-q", path}, .timeoutSeconds = 10});
    if (git && git->ok()) {
      result_.warnings.push_back("git ignores " + path +
                                 ": add an exception to .gitignore, or others build the baseline");
      return;
    }
  }
}

/// An emulator says nothing about speed: a result measured on a real machine stays until one measures something else.
Result<void> WriteBack::replacesNothingTuned() const {
  if (evaluator_.isTimed())
    return {};
  const ExistingVariants existing = readExisting(manifest_.variantDir, spec_);
  if (existing.fresh())
    for (const Lock::Variant &variant : existing.lock->variants)
      if (const Provenance &from = variant.provenance; from.isTuned && from.level == evaluator_.level().name &&
                                                       from.family == familyName(evaluator_.compiler().family))
        return userError("variant " + nameOf(variant) + " of kernel '" + spec_.kernel + "' was measured (on " +
                             from.cpu + "), and what an emulator has run is not written over it",
                         "optimize on a machine that has " + from.level +
                             ", or remove it with 'agentic-kernel drop "
                             "--level " +
                             from.level + "'");
  return {};
}

Result<void> WriteBack::judgeSpeed(ShippedBuild &build, const std::vector<GeneratedFile> &staged) {
  if (!evaluator_.isTimed())
    return {};
  enter(Stage::Benchmark);
  result_.claim = TRY(shippedClaim(build, evaluator_));
  enter(Stage::Sanitize);
  TRY(survivesSanitizers(staged));
  TRY(measureLater(build));
  return measureApplication(build);
}

Result<WriteBackResult> WriteBack::run() {
  TRY(replacesNothingTuned());
  TRY(evaluator_.recheckInputs());
  auto staged = TRY(generate(request_.confirmed));
  result_.warnings.clear(); // they come again with the placed files
  enter(Stage::Compile);
  auto build = TRY(ShippedBuild::open(evaluator_, staged));
  TRY(worksAsItShips(build));
  TRY(judgeSpeed(build, staged));

  // The texts are the same but for the measured numbers in their comments.
  auto files = TRY(generate(result_.claim));
  TRY(evaluator_.recheckInputs());
  TRY(place(files));
  warnIfIgnored(files);
  return result_;
}

} // namespace

Result<WriteBackResult> writeBack(Evaluator &evaluator, const WriteBackRequest &request) {
  return WriteBack(evaluator, request).run();
}

Result<void> checkLevelLimit(const Evaluator &evaluator) {
  const int most = evaluator.spec().policy.limits.maxLevels;
  const ExistingVariants existing = readExisting(evaluator.manifest().variantDir, evaluator.spec());
  if (most == 0 || !existing.fresh())
    return {};
  std::vector<std::string> others;
  for (const Lock::Variant &variant : existing.lock->variants)
    if (variant.provenance.family == familyName(evaluator.compiler().family) &&
        variant.provenance.level != evaluator.level().name)
      others.push_back(variant.provenance.level);
  if (int(others.size()) < most)
    return {};
  return userError("kernel '" + evaluator.spec().kernel + "' has variants for " + join(others, ", ") +
                       ", and one for " + std::string(evaluator.level().name) + " would exceed limits.max_levels (" +
                       std::to_string(most) + ") of " + std::string(kPolicyFile),
                   "'agentic-kernel drop --level " + others.back() + "', or raise the limit");
}

Result<void> checkWritable(const std::string &directory) {
  fs::path existing = directory;
  std::error_code ignored;
  while (!existing.empty() && !fs::exists(existing, ignored) && existing != existing.root_path())
    existing = existing.parent_path();
  if (auto probe = ScratchDirectory::create(existing, ".agentic-kernel-"); !probe)
    return userError("the generated files cannot be written: " + probe.error().message,
                     "make " + directory + " writable, or use --patch FILE or --no-write");
  return {};
}

} // namespace agentic
