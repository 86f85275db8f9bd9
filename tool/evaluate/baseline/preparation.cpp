#include "tool/evaluate/baseline/preparation.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
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
  return std::unexpected(Error{ErrorKind::Rejected, message,
                               "write what each line says at its place, or leave the kernel as it is: builds use it "
                               "as it is written"});
}

class Preparation {
public:
  explicit Preparation(const EvaluatorOptions &options) : options_(options) {}

  Result<Prepared> run() {
    for (auto step :
         {&Preparation::readProject, &Preparation::chooseLevel, &Preparation::extract, &Preparation::buildShadow,
          &Preparation::learn, &Preparation::expect, &Preparation::rememberJudges})
      TRY((this->*step)());
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
    Manifest manifest = TRY(loadManifest(options_.buildDir, options_.kernel, options_.config));
    prepared_.manifest = std::move(manifest);
    const std::string state = prepared_.manifest.buildDir + "/_agentic";
    prepared_.cacheDirectory = state + "/cache/" + prepared_.manifest.kernel;
    prepared_.workRoot = state + "/work";
    TRY(createDirectories(prepared_.cacheDirectory));
    prepared_.compiler = TRY(identifyCompiler(prepared_.manifest.compiler, state + "/cache"));
    prepared_.command = TRY(sourceCommand(prepared_.manifest, prepared_.manifest.buildDir));
    timed("manifest", start);
    return {};
  }

  Result<void> chooseLevel() {
    const auto isHere = [&]() -> Result<bool> {
      const Level *one = TRY(chosenLevel(prepared_.manifest, options_.level, options_.cpu));
      return TRY(levelHere(*one, prepared_.manifest, options_.cpu)) == LevelHere::Native;
    };
    const Result<bool> here = isHere();
    if (!options_.farm.hosts.empty() && (options_.runsOnHosts || !here || !*here))
      TRY(openProgramHosts(here ? std::string() : here.error().message));
    const Level *level = TRY(chosenLevel(prepared_.manifest, options_.level, prepared_.cpu(options_)));
    prepared_.level = level;
    const bool isNamed = !options_.level.empty() || !prepared_.manifest.architectures.empty();
    if (isNamed && !options_.levelIsRecorded)
      TRY(refuseLowLevel(*level, prepared_.command, prepared_.compiler));
    prepared_.isTimed = TRY(levelHere(*level, prepared_.manifest, prepared_.cpu(options_))) == LevelHere::Native;
    if (prepared_.programHosts)
      progress(fmt::format("running the programs on {} ({}){}", prepared_.programHosts->names(),
                           prepared_.programHosts->group(),
                           options_.runsOnHosts ? "" : ": this machine lacks level " + std::string(level->name)));
    return {};
  }

  /// `why`: this machine cannot do it.
  Result<void> openProgramHosts(const std::string &why) {
    progress("connecting to the hosts of the farm, which run the programs");
    ProgramHostsRequest request{
        .options = &options_.farm,
        .refusal = [this](const Cpu &cpu) -> std::string {
          const Result<const Level *> level = chosenLevel(prepared_.manifest, options_.level, cpu);
          if (!level)
            return level.error().message;
          const Result<LevelHere> there = levelHere(**level, prepared_.manifest, cpu);
          if (!there || *there != LevelHere::Native)
            return "it lacks level " + std::string((*level)->name);
          std::vector<std::string> lacked = programFeatures(**level, prepared_.command);
          std::erase_if(lacked, [&](const std::string &feature) { return hasFeatures(cpu, feature); });
          return lacked.empty() ? "" : "its CPU lacks " + join(lacked, ", ") + ", which the programs are compiled for";
        },
        .data = {},
        .cancelled = options_.cancelled};
    for (const std::string &data : prepared_.manifest.testData)
      request.data.push_back(absoluteIn(prepared_.manifest.sourceDir, data));
    Result<std::shared_ptr<ProgramHosts>> hosts = ProgramHosts::open(request);
    if (!hosts && hosts.error().kind == ErrorKind::User && !why.empty())
      return userError(why + ", and no host of --farm can stand in: " + hosts.error().message, hosts.error().next);
    prepared_.programHosts = TRY(std::move(hosts));
    return {};
  }

  Result<void> extract() {
    double start = steadySeconds();
    prepared_.sourceHash = textHash(prepared_.manifest.source);
    prepared_.specKey = specKeyOf(prepared_.manifest, prepared_.command, prepared_.compiler);
    progress("extracting kernel '" + prepared_.manifest.kernel + "'");
    BaselineCheck check = TRY(checkBaselineOnce(prepared_.manifest, prepared_.command, prepared_.compiler));
    if (!check.findings.empty())
      return baselineRejected(prepared_.manifest, check.findings);
    prepared_.spec = std::move(check.spec);
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
    prepared_.programs = prepared_.programHosts ? Sandbox::elsewhere(prepared_.programHosts) : prepared_.sandbox;
    std::vector<GeneratedFile> files = TRY(emitFiles(prepared_.spec, {}, kVersion));
    progress("building the shadow tree");
    ShadowRequest request;
    request.manifest = prepared_.manifest;
    request.files = std::move(files);
    request.allowUnoptimized = options_.allowUnoptimized;
    request.cancelled = options_.cancelled;
    prepared_.shadow = TRY(prepareShadow(request));
    timed("shadow", start);
    learnTreeSeconds(steadySeconds() - start);
    return {};
  }

  /// A tree's build time is known only after a full build: kept for runs that find most of it up to date.
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
                       "name in add_agentic_kernel() what judges: test programs, or tests that add_test() registered, "
                       "as TESTS, and Google Benchmark programs, or others with BENCHMARK_METRIC, as BENCHMARKS");
    TRY(learnBaseline(prepared_, options_));
    showPrinted("benchmark program", prepared_.facts.benchmarks);
    showPrinted("application", prepared_.facts.applications);
    prepared_.facts.calibration.treeSeconds = treeSeconds_;
    if (const std::string grant = describeGrant(prepared_.facts.tasks); !grant.empty() && prepared_.isTimed)
      progress(grant);
    return {};
  }

  /// The number of the unchanged kernel comes first: a parser that reads another one makes a whole run worthless.
  void showPrinted(const char *what, const BenchmarkFacts &programs) const {
    for (const BenchmarkProgramFacts &program : programs)
      if (!program.printed.empty())
        progress(fmt::format("{} '{}' printed {}; the kernel makes {} of it", what, program.target, program.printed,
                             program.kernelShare < 0 ? "an unknown share"
                                                     : fmt::format("{:.0f} %", 100 * program.kernelShare)));
  }

  /// Learns what the baseline does in recorded and generated calls.
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
    ScratchDirectory scratch = TRY(ScratchDirectory::create(prepared_.workRoot, "expect-"));
    progress("learning what the unchanged kernel does in recorded and generated calls");
    prepared_.expectation = TRY(quickExpectation(prepared_, options_, directory, scratch.path().string()));
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
    for (const auto *programs : {&prepared_.shadow.tests, &prepared_.shadow.benchmarks, &prepared_.shadow.applications})
      for (const TestProgram &program : *programs) {
        judging.add("a test or benchmark program", program.file);
        for (const std::string &script : program.scripts())
          judging.addContent("a script of the tests", script, {});
      }
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
  context.sandbox = &programs;
  context.view.readOnly = shadow.visible;
  context.view.tasks = facts.tasks;
  context.scratchDirectory = scratch;
  if (!programHosts) // which need no emulator
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
  Manifest manifest = TRY(loadManifest(options.buildDir, options.kernel, options.config));
  if (const std::vector<std::string> judges = prepared.judging.changed(); !judges.empty())
    return changed(join(judges, ", "));
  if (textHash(manifest.source) != prepared.sourceHash)
    return changed("SOURCE of kernel '" + prepared.manifest.kernel + "'");
  Compiler compiler = TRY(compilerOf(manifest));
  CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
  if (specKeyOf(manifest, command, compiler) != prepared.specKey)
    return changed("the source, the flags, the compiler or this tool");
  if (!loadSpec(specFileOf(prepared.manifest), prepared.specKey))
    return changed("a header that the kernel uses");
  std::vector<GeneratedFile> files = TRY(emitFiles(prepared.spec, {}, kVersion));
  ShadowRequest request;
  request.manifest = manifest;
  request.files = std::move(files);
  request.allowUnoptimized = options.allowUnoptimized;
  request.cancelled = options.cancelled;
  ShadowTree shadow = TRY(prepareShadow(request));
  if (shadow.key != prepared.shadow.key) {
    const std::vector<std::string> programs =
        prepared.judging.changed(JudgingFiles::Times::Ignored); // now they are built
    return changed(programs.empty() ? "a test or benchmark program" : join(programs, ", "));
  }
  prepared.judging.renewTimes(); // the build may have linked some of them again
  return {};
}

} // namespace agentic
