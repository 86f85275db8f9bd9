#include "tool/hot/hot.h"

#include "tool/base/text.h"
#include "tool/build/build_flags.h"
#include "tool/build/glue.h"
#include "tool/hot/paste_lines.h"
#include "tool/hot/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

constexpr std::size_t kMostFunctions = 12;
constexpr double kLeastShare = 0.01;
constexpr std::size_t kLastWords = 300;

std::string quoted(const std::vector<std::string> &argv) {
  std::vector<std::string> words;
  for (const std::string &word : argv)
    words.push_back(shellQuoted(word));
  return join(words, " ");
}

HotRun summaryOf(const HotProgram &program, const SampledRun &run) {
  HotRun summary{.argv = program.argv,
                 .end = run.process.describe(),
                 .isOk = run.process.ok(),
                 .status = run.process.code + (run.process.end == ProcessResult::End::Signalled ? 128 : 0),
                 .samples = 0,
                 .cpuSeconds = run.process.cpuSeconds,
                 .lastWords = {}};
  for (const ProcessSamples &samples : run.samples)
    summary.samples += double(samples.taken);
  if (!summary.isOk) {
    const std::string_view words = trim(run.process.err);
    const std::string_view line = words.substr(words.rfind('\n') + 1);
    summary.lastWords = line.substr(0, kLastWords);
  }
  return summary;
}

std::unexpected<Error> nothingSampled(const std::vector<HotRun> &runs) {
  const HotRun &run = runs.front();
  const std::string what = fmt::format("nothing was sampled of '{}', which {} after {:.2f} s of CPU time",
                                       quoted(run.argv), run.end, run.cpuSeconds);
  if (!run.isOk)
    return userError(what + (run.lastWords.empty() ? "" : ": " + run.lastWords),
                     "mend that first: name the program after '--' in the folder that it is to run in; sample a build "
                     "without a sanitizer that refuses LD_PRELOAD");
  return userError(what, "let it work for a second or more. A program that is linked statically or has another user's "
                         "rights cannot be sampled");
}

/// What is to be known of the runs.
void noteRuns(const std::vector<HotRun> &runs, const std::vector<ProcessSamples> &processes,
              std::vector<std::string> &notes) {
  for (const HotRun &run : runs)
    if (!run.isOk)
      notes.push_back("'" + quoted(run.argv) + "' " + run.end + "; what it did until then counts" +
                      (run.lastWords.empty() ? "" : ": " + run.lastWords));
  std::set<std::string> early, lacking;
  for (const ProcessSamples &process : processes) {
    if (process.endedEarly)
      early.insert(process.program);
    if (process.lacksTimers)
      lacking.insert(process.program);
  }
  for (const std::string &program : early)
    notes.push_back("'" + program +
                    "' handles the sampler's signal (SIGRTMAX-4) itself: samples end where it begins to");
  for (const std::string &program : lacking)
    notes.push_back("the system refused a thread of '" + program +
                    "' its timer: what that thread did is missing (ulimit -i)");
}

void noteSamples(double samples, std::vector<std::string> &notes) {
  if (samples < kEnoughSamples)
    notes.push_back(
        fmt::format("{:.0f} samples are too few to rely on: let the program work longer, for at least {:.0f}", samples,
                    kEnoughSamples));
}

/// What is to be known of the build.
void noteBuild(const HotProject &project, const std::vector<HotEntry> &entries, std::vector<std::string> &notes) {
  for (const HotEntry &entry : entries) {
    const auto command = std::ranges::find_if(
        project.commands, [&](const CompileCommand &command) { return command.file == entry.judgement.file; });
    if (command == project.commands.end())
      continue;
    if (const std::string reason = unsuitableFlags(*command, project.buildType); !reason.empty())
      notes.push_back("'" + entry.function.name + "' is " + reason +
                      ": what is hot there says little of your program as it ships; sample a build with "
                      "-DCMAKE_BUILD_TYPE=Release");
    break;
  }
  const bool lacksDebugInformation = std::ranges::any_of(entries, [&](const HotEntry &entry) {
    return entry.function.line == 0 && project.isProjectModule(entry.function.module);
  });
  if (lacksDebugInformation)
    notes.emplace_back("there is code without debug information: functions that the compiler inlined there count for "
                       "those that hold them. Configure with -DCMAKE_CXX_FLAGS=-g (C: -DCMAKE_C_FLAGS=-g) and build: "
                       "the code stays the same");
}

} // namespace

Result<HotResult> findHot(const HotRequest &request) {
  const HotProject project = TRY(readHotProject(request.buildDir, request.config));
  const std::string sampler = TRY(helperFile(kSamplerLibrary));
  std::vector<HotProgram> programs = {{.argv = request.program, .workingDirectory = {}}};
  if (request.program.empty())
    programs = TRY(benchmarkPrograms(project, request.kernel));

  HotResult result;
  std::vector<ProcessSamples> processes;
  for (const HotProgram &program : programs) {
    request.progress("sampling '" + quoted(program.argv) + "'; Ctrl-C ends it, and what was sampled until then counts");
    SampledRun run = TRY(sampleProgram({.program = program,
                                        .sampler = sampler,
                                        .preload = request.preload,
                                        .folder = project.buildDir + "/_agentic/hot",
                                        .cancelled = request.cancelled}));
    result.runs.push_back(summaryOf(program, run));
    std::ranges::move(run.samples, std::back_inserter(processes));
    if (request.cancelled && *request.cancelled)
      break;
  }
  Symbolizer symbolizer;
  const Profile profile = profileOf(
      processes, [&](const std::string &file, std::uint64_t offset) { return symbolizer.framesAt(file, offset); },
      [&](const std::string &file) { return project.isProjectFile(file); });
  if (profile.samples == 0)
    return request.cancelled && *request.cancelled ? interruptedError() : nothingSampled(result.runs);
  result.samples = profile.samples;

  Judge judge(project);
  for (const HotFunction &function : profile.functions) {
    if (result.functions.size() == kMostFunctions || function.share < kLeastShare)
      break;
    request.progress("looking at '" + function.name + "'");
    result.functions.push_back({function, judge.judge(function)});
  }
  std::vector<PasteLines *> pasted;
  for (HotEntry &entry : result.functions)
    if (!entry.judgement.paste.cmakeLines.empty())
      pasted.push_back(&entry.judgement.paste);
  nameFunctions(pasted);
  noteSamples(result.samples, result.notes);
  noteRuns(result.runs, processes, result.notes);
  noteBuild(project, result.functions, result.notes);
  return result;
}

} // namespace agentic
