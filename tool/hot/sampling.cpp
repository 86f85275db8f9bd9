#include "tool/hot/sampling.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/runner/sample_file.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kNoLimitSeconds = 10 * 365 * 86400.0;

HotProgram programOf(const std::string &file, const std::string &filter, const std::vector<std::string> &arguments) {
  HotProgram program{.argv = {file}, .workingDirectory = fs::path(file).parent_path().string()};
  if (!filter.empty())
    program.argv.push_back("--benchmark_filter=" + filter);
  program.argv.insert(program.argv.end(), arguments.begin(), arguments.end());
  return program;
}

std::string whatToWrite(const HotProject &project) {
  return "name the program that spends the time: agentic-kernel hot -B " + shellQuoted(project.buildDir) +
         " -- PROGRAM ARGUMENT…";
}

} // namespace

Result<std::vector<HotProgram>> benchmarkPrograms(const HotProject &project, const std::string &kernel) {
  std::vector<HotProgram> all;
  std::vector<std::string> targets;
  for (const Manifest &manifest : project.manifests)
    if (kernel.empty() || manifest.kernel == kernel)
      for (const ProgramTarget &benchmark : manifest.benchmarks) {
        if (benchmark.file.empty()) // a test of add_test(): only ctest knows its command
          continue;
        all.push_back(programOf(benchmark.file, manifest.benchmarkFilter, manifest.benchmarkArgs));
        targets.push_back(benchmark.target);
      }
  if (!kernel.empty() && all.empty())
    TRY(loadManifest(project.buildDir, kernel, project.config)); // says which kernels there are
  if (all.empty() && kernel.empty())
    for (const LinkedTarget &target : project.linked)
      if (target.kind == LinkedTarget::Kind::Program && target.usesLibrary("benchmark")) {
        all.push_back(programOf(target.file, "", {}));
        targets.push_back(target.name);
      }
  if (all.empty())
    return userError("'" + project.buildDir +
                         "' has no benchmark program that is known: no kernel names one, and none is "
                         "linked with Google Benchmark",
                     whatToWrite(project));
  std::vector<HotProgram> built;
  std::ranges::copy_if(all, std::back_inserter(built), [&](const HotProgram &program) {
    const bool isNew = std::ranges::none_of(built, [&](const HotProgram &other) { return other.argv == program.argv; });
    std::error_code ignored;
    return isNew && fs::exists(program.argv.front(), ignored);
  });
  if (built.empty())
    return userError("no benchmark program of '" + project.buildDir + "' is built: " + join(targets, ", "),
                     "cmake --build " + shellQuoted(project.buildDir) + " --target " + targets.front());
  return built;
}

Result<SampledRun> sampleProgram(const SamplingRequest &request) {
  const ScratchDirectory folder = TRY(ScratchDirectory::create(request.folder, "hot-"));
  ProcessSpec spec;
  spec.argv = request.program.argv;
  spec.workingDirectory = request.program.workingDirectory;
  spec.addedEnvironment = {{"LD_PRELOAD", request.sampler + (request.preload.empty() ? "" : ":" + request.preload)},
                           {sampler::kFolderVariable, folder.path().string()}};
  spec.timeoutSeconds = kNoLimitSeconds;
  spec.cancelled = request.cancelled;
  SampledRun run;
  run.process = TRY(runProcess(spec));
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder.path(), error)) {
    if (entry.path().extension() != sampler::kFileEnding || !entry.is_regular_file(error))
      continue;
    const std::string bytes = TRY(readFile(entry.path()));
    ProcessSamples samples = TRY(parseSamples(bytes));
    if (samples.taken > 0)
      run.samples.push_back(std::move(samples));
  }
  return run;
}

} // namespace agentic
