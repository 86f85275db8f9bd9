#include "tool/evaluate/baseline/preparation.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/build/host.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/baseline_check.h"
#include "tool/evaluate/baseline/baseline_facts.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/evaluate/baseline/differential_facts.h"
#include "tool/evaluate/baseline/level_here.h"
#include "tool/evaluate/baseline/project_level.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/programs/task_grants.h"
#include "tool/source/emit/emit.h"

#include <fmt/format.h>

namespace agentic {
namespace {

constexpr std::size_t kFindingsShown = 10;

std::unexpected<Error> baselineRejected(const Manifest &manifest, const std::vector<Finding> &findings) {
  std::string message = "kernel '" + manifest.kernel + "' itself uses constructs that candidates may not use:";
  for (std::size_t i = 0; i < findings.size() && i < kFindingsShown; ++i)
    message += fmt::format("\n  {}:{}:{}: {} [{}]", findings[i].file, findings[i].line, findings[i].column,
                           findings[i].message, findings[i].check);
  return std::unexpected(Error{ErrorKind::Rejected, message, "change the kernel, or mark a smaller function"});
}

class Preparation {
public:
  explicit Preparation(const EvaluatorOptions &options) : options_(options) {}

  Result<Prepared> run() {
    for (auto step :
         {&Preparation::readProject, &Preparation::chooseLevel, &Preparation::extract, &Preparation::buildShadow,
          &Preparation::learn, &Preparation::expect, &Preparation::rememberJudges})
      if (Result<void> done = (this->*step)(); !done)
        return std::unexpected(done.error());
    return std::move(prepared_);
  }

private:
  void progress(const std::string &line) const {
    if (options_.progress)
      options_.progress(line);
  }
  void timed(const char *name, double start) { prepared_.times.push_back({name, steadySeconds() - start}); }

  Result<void> readProject() {
    double start = steadySeconds();
    Result<Manifest> manifest = loadManifest(options_.buildDir, options_.kernel, options_.config);
    if (!manifest)
      return std::unexpected(manifest.error());
    prepared_.manifest = std::move(*manifest);
    const std::string state = prepared_.manifest.buildDir + "/_agentic";
    prepared_.cacheDirectory = state + "/cache/" + prepared_.manifest.kernel;
    prepared_.workRoot = state + "/work";
    if (Result<void> made = createDirectories(prepared_.cacheDirectory); !made)
      return made;
    Result<Compiler> compiler = identifyCompiler(prepared_.manifest.compiler, state + "/cache");
    if (!compiler)
      return std::unexpected(compiler.error());
    prepared_.compiler = std::move(*compiler);
    Result<CompileCommand> command = sourceCommand(prepared_.manifest, prepared_.manifest.buildDir);
    if (!command)
      return std::unexpected(command.error());
    prepared_.command = std::move(*command);
    timed("manifest", start);
    return {};
  }

  Result<void> chooseLevel() {
    Result<const Level *> level = chosenLevel(prepared_.manifest, options_.level, options_.cpu);
    if (!level)
      return std::unexpected(level.error());
    prepared_.level = *level;
    const bool isNamed = !options_.level.empty() || !prepared_.manifest.architectures.empty();
    if (isNamed && !options_.levelIsRecorded)
      if (Result<void> fits = refuseLowLevel(**level, prepared_.command, prepared_.compiler); !fits)
        return fits;
    const Result<LevelHere> here = levelHere(**level, prepared_.manifest, options_.cpu);
    if (!here)
      return std::unexpected(here.error());
    prepared_.isTimed = *here == LevelHere::Native;
    return {};
  }

  Result<void> extract() {
    double start = steadySeconds();
    prepared_.sourceHash = textHash(prepared_.manifest.source);
    prepared_.specKey = specKeyOf(prepared_.manifest, prepared_.command, prepared_.compiler);
    progress("extracting kernel '" + prepared_.manifest.kernel + "'");
    Result<BaselineCheck> check = checkBaselineOnce(prepared_.manifest, prepared_.command, prepared_.compiler);
    if (!check)
      return std::unexpected(check.error());
    if (!check->findings.empty())
      return baselineRejected(prepared_.manifest, check->findings);
    prepared_.spec = std::move(check->spec);
    timed("extract", start);
    return {};
  }

  Result<void> buildShadow() {
    double start = steadySeconds();
    prepared_.sandbox = Sandbox::probe();
    if (std::string warning = prepared_.sandbox.warning(); !warning.empty()) {
      if (options_.requireSandbox)
        return userError("--require-sandbox: no sandbox works here: " + warning, "or leave --require-sandbox out");
      prepared_.warnings.push_back(warning);
    }
    Result<std::vector<GeneratedFile>> files = emitFiles(prepared_.spec, {}, kVersion);
    if (!files)
      return std::unexpected(files.error());
    progress("building the shadow tree");
    ShadowRequest request;
    request.manifest = prepared_.manifest;
    request.files = std::move(*files);
    request.allowUnoptimized = options_.allowUnoptimized;
    request.cancelled = options_.cancelled;
    Result<ShadowTree> shadow = prepareShadow(request);
    if (!shadow)
      return std::unexpected(shadow.error());
    prepared_.shadow = std::move(*shadow);
    timed("shadow", start);
    learnTreeSeconds(steadySeconds() - start);
    return {};
  }

  /// How long a tree takes to build is known only when it was built: kept for runs that find most of it up to date.
  void learnTreeSeconds(double seconds) {
    constexpr double kBuilt = 1, kUnknown = 10;
    const std::string file = prepared_.cacheDirectory + "/tree-seconds";
    const Result<std::string> text = readFile(file);
    const double longest = text ? std::strtod(text->c_str(), nullptr) : 0;
    if (seconds > std::max(kBuilt, longest))
      (void)writeFileAtomic(file, fmt::format("{:.1f}\n", seconds)); // only an estimate: losing it costs nothing
    treeSeconds_ = std::max(longest, seconds);
    if (treeSeconds_ <= kBuilt)
      treeSeconds_ = kUnknown;
  }

  Result<void> learn() {
    if (prepared_.shadow.tests.empty() || (prepared_.isTimed && prepared_.shadow.benchmarks.empty()))
      return userError("kernel '" + prepared_.manifest.kernel + "' has no " +
                           (prepared_.shadow.tests.empty() ? "TESTS" : "BENCHMARKS") +
                           ": candidates could not be judged",
                       "name GoogleTest and Google Benchmark targets in add_agentic_kernel()");
    if (Result<void> learned = learnBaseline(prepared_, options_); !learned)
      return learned;
    prepared_.facts.calibration.treeSeconds = treeSeconds_;
    if (const std::string grant = describeGrant(prepared_.facts.tasks); !grant.empty() && prepared_.isTimed)
      progress(grant);
    return {};
  }

  /// What the baseline does in recorded and generated calls.
  Result<void> expect() {
    if (!prepared_.isTimed) {
      prepared_.warnings.push_back(fmt::format(
          "level {} runs here under '{}' alone: candidates of kernel '{}' are judged by its tests, no calls are "
          "replayed, nothing is measured, they may start processes as the emulator must, and what is written stays "
          "untuned",
          prepared_.level->name, prepared_.manifest.runner.front(), prepared_.spec.kernel));
      return {};
    }
    const double start = steadySeconds();
    const std::string directory = fs::path(prepared_.baselineLibrary).parent_path() / "differential";
    Result<ScratchDirectory> scratch = ScratchDirectory::create(prepared_.workRoot, "expect-");
    if (!scratch)
      return std::unexpected(scratch.error());
    progress("learning what the unchanged kernel does in recorded and generated calls");
    Result<Expectation> learned = quickExpectation(prepared_, options_, directory, scratch->path().string());
    if (!learned)
      return std::unexpected(learned.error());
    prepared_.expectation = std::move(*learned);
    if (prepared_.expectation.steps.empty())
      prepared_.warnings.push_back(fmt::format(
          "candidates of kernel '{}' are judged by its tests alone{}: {}", prepared_.spec.kernel,
          prepared_.facts.recording.comparedInProcess > 0 ? ", and by comparing calls in the tests' own process" : "",
          join(prepared_.expectation.remarks, "; ")));
    timed("expectation", start);
    return {};
  }

  Result<void> rememberJudges() {
    const Result<std::string> runner = helperFile(kRunnerProgram), recorder = helperFile(kRecorderLibrary);
    const Result<std::string> entry = kernelEntry(prepared_.buildContext(options_));
    for (const Result<std::string> *one : {&runner, &recorder, &entry})
      if (!*one)
        return std::unexpected(one->error());
    JudgingFiles &judging = prepared_.judging;
    judging.addContent("the policy", (fs::path(prepared_.manifest.sourceDir) / kPolicyFile).string(), {});
    judging.add("the runner", *runner);
    judging.add("the recorder", *recorder);
    judging.add("the kernel's glue", prepared_.glueLibrary);
    judging.add("the candidates' entry", *entry);
    judging.add("the unchanged kernel as a library", prepared_.baselineLibrary);
    judging.add("the recorded calls", prepared_.callsFile);
    judging.add("the planned calls", prepared_.expectation.planFile);
    judging.add("the expected results", prepared_.expectation.resultsFile);
    for (const std::string &data : prepared_.manifest.testData)
      judging.addContent("data of the tests", data, prepared_.manifest.buildDir);
    for (const auto *programs : {&prepared_.shadow.tests, &prepared_.shadow.benchmarks})
      for (const TestProgram &program : *programs)
        judging.add("a test or benchmark program", program.file);
    return {};
  }

  const EvaluatorOptions &options_;
  Prepared prepared_;
  double treeSeconds_ = 0;
};

std::unexpected<Error> changed(const std::string &what) {
  return userError(what + " changed during the run, so what was measured no longer holds; nothing was written",
                   "start again");
}

} // namespace

RunContext Prepared::runContext(const EvaluatorOptions &options, const std::string &scratch) const {
  RunContext context;
  context.kernel = manifest.kernel;
  context.sandbox = &sandbox;
  context.view.readOnly = shadow.visible;
  context.view.tasks = facts.tasks;
  context.scratchDirectory = scratch;
  context.runner = manifest.runner;
  context.cancelled = options.cancelled;
  return context;
}

BuildContext Prepared::buildContext(const EvaluatorOptions &options) const {
  BuildContext context;
  context.spec = &spec;
  context.level = level;
  context.compiler = &compiler;
  context.command = shadow.command;
  context.sandbox = &sandbox;
  context.cacheDirectory = cacheDirectory;
  context.allowedUndefined = facts.allowedUndefined;
  context.checkProgram = options.checkProgram;
  context.compileSeconds = facts.calibration.compileSeconds;
  context.cancelled = options.cancelled;
  return context;
}

Result<Prepared> prepare(const EvaluatorOptions &options) {
  return Preparation(options).run();
}

Result<void> recheck(Prepared &prepared, const EvaluatorOptions &options) {
  Result<Manifest> manifest = loadManifest(options.buildDir, options.kernel, options.config);
  if (!manifest)
    return std::unexpected(manifest.error());
  if (const std::vector<std::string> judges = prepared.judging.changed(); !judges.empty())
    return changed(join(judges, ", "));
  if (textHash(manifest->source) != prepared.sourceHash)
    return changed("SOURCE of kernel '" + prepared.manifest.kernel + "'");
  Result<Compiler> compiler = compilerOf(*manifest);
  if (!compiler)
    return std::unexpected(compiler.error());
  Result<CompileCommand> command = sourceCommand(*manifest, manifest->buildDir);
  if (!command)
    return std::unexpected(command.error());
  if (specKeyOf(*manifest, *command, *compiler) != prepared.specKey)
    return changed("the source, the flags, the compiler or this tool");
  if (!loadSpec(specFileOf(prepared.manifest), prepared.specKey))
    return changed("a header that the kernel uses");
  Result<std::vector<GeneratedFile>> files = emitFiles(prepared.spec, {}, kVersion);
  if (!files)
    return std::unexpected(files.error());
  ShadowRequest request;
  request.manifest = *manifest;
  request.files = std::move(*files);
  request.allowUnoptimized = options.allowUnoptimized;
  request.cancelled = options.cancelled;
  Result<ShadowTree> shadow = prepareShadow(request);
  if (!shadow)
    return std::unexpected(shadow.error());
  if (shadow->key != prepared.shadow.key)
    return changed("a test or benchmark program");
  prepared.judging.renewTimes(); // what was just built may have been linked again
  return {};
}

} // namespace agentic
