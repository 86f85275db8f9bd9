#include "tool/variants/shipped_build.h"

#include "tool/base/files.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/level_here.h"

namespace agentic {

Result<ShadowTree> ShippedBuild::tree(ShadowKind kind, const std::vector<GeneratedFile> &files) const {
  ShadowRequest request;
  request.manifest = evaluator_->manifest();
  request.kind = kind;
  request.files = files;
  request.cancelled = facts_.context.cancelled;
  return prepareShadow(request);
}

RunContext ShippedBuild::contextFor(const ShadowTree &tree) const {
  RunContext context = facts_.context;
  context.view.readOnly.push_back(tree.directory);
  return context;
}

Result<ShippedBuild> ShippedBuild::open(Evaluator &evaluator, const std::vector<GeneratedFile> &files) {
  ShippedBuild build(evaluator);
  build.final_ = TRY(build.tree(ShadowKind::Final, files));
  build.staged_ = readExisting(build.final_.manifest.variantDir, evaluator.spec());
  if (!build.staged_.fresh())
    return bugError("the staged files are not fresh: " + build.staged_.staleReason);
  return build;
}

Result<std::vector<std::string>> ShippedBuild::levels() const {
  std::vector<std::string> levels;
  for (const Lock::Variant &variant : staged_.lock->variants) {
    if (variant.provenance.family != familyName(evaluator_->compiler().family))
      continue;
    const LevelHere here = TRY(levelHere(variant.provenance.level, evaluator_->manifest(), facts_.cpu));
    if (here != LevelHere::No)
      levels.push_back(variant.provenance.level);
  }
  return levels;
}

std::string ShippedBuild::logFile(const std::string &choice) const {
  return final_.directory + "/forced-" + choice + ".log";
}

Result<std::string> ShippedBuild::testForced(const std::string &choice) const {
  auto outcome = TRY(runTests(contextFor(final_),
                              {.programs = &final_.tests,
                               .filter = evaluator_->manifest().testFilter,
                               .sharedObject = choice,
                               .logFile = logFile(choice),
                               .isTraced = true},
                              facts_.tests));
  if (!outcome.passed)
    return "the tests fail in the binary as it ships, with " + choice + " forced: " + outcome.detail;
  const std::string &kernel = evaluator_->spec().kernel;
  auto text = readFile(logFile(choice));
  if (!text || text->find(kernel + " " + choice + "\n") == std::string::npos)
    return "AGENTIC_KERNEL_" + kernel + "=" + choice + " did not run that variant in the binary as it ships";
  return std::string();
}

Result<std::string> ShippedBuild::replay() const {
  if (!evaluator_->isTimed())
    return std::string();
  const std::string file =
      final_.manifest.variantDir + "/" +
      variantFileName(evaluator_->spec(), evaluator_->level().name, familyName(evaluator_->compiler().family));
  auto command = TRY(compileCommandFor(final_.directory, file));
  auto problem = evaluator_->replayShipped(file, command);
  if (problem && !problem->empty())
    return "the variant as it ships is not what was evaluated: " + *problem;
  return problem;
}

Result<void> ShippedBuild::makeOriginal() {
  if (!original_) {
    original_ = TRY(tree(ShadowKind::Original, {}));
  }
  return {};
}

Result<std::optional<EndToEnd>> ShippedBuild::measureApplication(const std::string &level,
                                                                 std::optional<double> secondsLeft) {
  if (facts_.applications.empty())
    return std::optional<EndToEnd>();
  TRY(makeOriginal());
  RunContext context = contextFor(*original_);
  context.view.readOnly.push_back(final_.directory);
  EndToEnd measured = TRY(measureEndToEnd(context, {.original = &original_->applications,
                                                    .variant = &final_.applications,
                                                    .choice = level,
                                                    .facts = &facts_.applications,
                                                    .secondsLeft = secondsLeft,
                                                    .lockFile = {}}));
  return std::optional(std::move(measured));
}

Result<BenchmarkOutcome> ShippedBuild::measure(const std::string &level) {
  TRY(makeOriginal());
  RunContext context = contextFor(*original_);
  context.view.readOnly.push_back(final_.directory);
  BenchmarkRequest request;
  request.programs = &original_->benchmarks;
  request.candidatePrograms = &final_.benchmarks;
  request.filter = evaluator_->manifest().benchmarkFilter;
  request.candidate = level;
  request.rule = facts_.rule;
  request.rule.minimumPairs = 8; // enough for an interval
  request.rule.isClaim = true;
  return facts_.measure(context, request);
}

} // namespace agentic
