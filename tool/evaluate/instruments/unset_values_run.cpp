#include "tool/evaluate/instruments/unset_values_run.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/instruments/sanitize_reports.h"
#include "tool/source/emit/emit_glue.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace agentic {
namespace {

constexpr double kDriverSeconds = 60;
constexpr std::size_t kMessageCap = 2048;

std::string folderOf(const std::string &file) {
  return fs::path(file).parent_path().string();
}

/// Returns the project's own compiler if that is a clang, else one that is installed.
Result<std::optional<Compiler>> findClang(const BuildContext &build) {
  if (build.compiler->family == Family::Clang && build.spec->language == Language::Cxx)
    return *build.compiler;
  // The driver program needs the C++ library: for C's "clang-19" that is "clang++-19".
  std::vector<std::string> names;
  if (build.compiler->family == Family::Clang) {
    const fs::path own = build.compiler->path;
    std::string name = own.filename();
    if (name.starts_with("clang") && !name.contains("++"))
      name.insert(std::string("clang").size(), "++");
    if (name.contains("++"))
      names.push_back(own.parent_path() / name);
  }
  for (const char *name : {"clang++-19", "clang++-20", "clang++-18", "clang++-17", "clang++-16", "clang++"})
    names.emplace_back(name);
  for (const std::string &name : names)
    if (findProgram(name)) {
      Compiler clang = TRY(identifyCompiler(name, build.cacheDirectory));
      return clang;
    }
  return std::optional<Compiler>();
}

/// Returns the driver from the cache if the same was compiled before. "" and `problem`: it does not compile.
Result<std::string> buildDriver(const BuildContext &build, const Compiler &clang, std::string &problem) {
  const std::string text = emitMemoryDriver();
  const std::vector<std::string> target = targetOptions(build.command);
  const std::string key =
      HashBuilder().add(text).add(clang.path).add(clang.version).add(join(target, " ")).hex().substr(0, 16);
  const std::string file = build.cacheDirectory + "/memory-driver-" + key;
  std::error_code error;
  if (fs::exists(file, error))
    return file;
  ScratchDirectory scratch = TRY(ScratchDirectory::create(build.cacheDirectory, "memory-driver-"));
  const std::string source = scratch.path() / "driver.cpp", made = scratch.path() / "driver";
  TRY(writeFileAtomic(source, text));
  ProcessSpec spec;
  spec.argv = {clang.path, "-std=c++17", "-O1", "-w", "-fsanitize=memory", "-o", made, source, "-ldl"};
  spec.argv.insert(spec.argv.begin() + 1, target.begin(), target.end());
  spec.timeoutSeconds = kDriverSeconds;
  spec.mergeOutput = true;
  spec.cancelled = build.cancelled;
  ProcessResult compiled = TRY(runProcess(spec));
  if (compiled.end == ProcessResult::End::Cancelled)
    return interruptedError();
  if (!compiled.ok()) {
    problem =
        fmt::format("{} makes no program with -fsanitize=memory; install libclang-rt-{}-dev", clang.path, clang.major);
    return std::string();
  }
  fs::rename(made, file, error); // atomic: a concurrent process makes the same file
  if (error)
    return userError("cannot write '" + file + "': " + error.message(), "check the free space and permissions there");
  return file;
}

template <class T> bool readNumber(std::string_view &text, T &value) {
  text = trim(text);
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc())
    return false;
  text = text.substr(std::size_t(end.ptr - text.data()));
  return true;
}

/// Reads what the driver printed; hostile input.
void readMessage(std::string_view text, MemoryRun &run) {
  constexpr std::string_view kDone = "done ", kUnset = "unset ", kProblem = "problem ";
  text = trim(text);
  if (text.starts_with(kDone)) {
    text = text.substr(kDone.size());
    run.isDone = readNumber(text, run.steps) && readNumber(text, run.unsetInBaseline);
  } else if (text.starts_with(kUnset)) {
    text = text.substr(kUnset.size());
    int argument = 0;
    if (readNumber(text, argument))
      run.unset = argument;
  } else if (text.starts_with(kProblem)) {
    run.end = firstLine(std::string(text.substr(kProblem.size())));
  }
}

} // namespace

BuildContext MemoryTools::context(const BuildContext &build) const {
  BuildContext own = build;
  own.compiler = &compiler;
  own.command = command;
  own.prefix = nullptr;
  return own;
}

std::vector<std::string> unsetValueFlags() {
  // Options and warnings that only g++ knows must not stop the compile.
  return {"-fsanitize=memory",
          "-fno-sanitize-recover=all",
          "-fno-omit-frame-pointer",
          "-gdwarf-4",
          "-g1",
          "-w",
          "-Wno-ignored-optimization-argument",
          "-Wno-unknown-warning-option",
          "-mllvm",
          "-msan-dump-strict-instructions"};
}

bool hasStrictIntrinsics(const InstrumentedBuild &build) {
  // Each instruction has a line of its own.
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"x86", "aarch64", "riscv"}, [&](std::string_view target) {
        return build.diagnostics.find("ZZZ call llvm." + std::string(target) + ".") != std::string::npos;
      });
}

Result<MemoryTools> buildMemoryTools(const InstrumentedContext &context) {
  const BuildContext &build = *context.build;
  MemoryTools tools;
  std::optional<Compiler> clang = TRY(findClang(build));
  if (!clang) {
    tools.problem = "clang++ is not installed";
    return tools;
  }
  tools.compiler = std::move(*clang);
  tools.command = build.command;
  if (!tools.command.arguments.empty())
    tools.command.arguments.front() = tools.compiler.path;
  tools.driver = TRY(buildDriver(build, tools.compiler, tools.problem));
  if (!tools.problem.empty())
    return tools;
  BuiltGlue glue = TRY(buildKernelGlue(tools.context(build), unsetValueFlags()));
  tools.glue = std::move(glue.library);
  if (tools.glue.empty())
    tools.problem = tools.compiler.path + " does not compile the kernel's types: " + glue.problem;
  return tools;
}

Result<MemoryRun> runMemory(const InstrumentedContext &context, const MemoryTools &tools,
                            const MemoryRunRequest &request) {
  ReportFolder reports = TRY(ReportFolder::create(context.directory));
  ProcessSpec spec;
  spec.argv = {tools.driver,
               tools.glue,
               request.baseline.empty() ? "-" : request.baseline,
               request.kernel,
               context.replay.kernel,
               context.expectation->planFile,
               fmt::format("{}", request.seconds),
               fmt::format("{}", request.steps)};
  if (request.outputsAreSet)
    spec.argv.emplace_back("set");
  spec.environment = std::vector<std::string>();
  spec.timeoutSeconds = request.timeoutSeconds;
  spec.outputCapBytes = kMessageCap;
  spec.fixedAddresses = true; // else the runtime would start itself again where its shadow has no room
  spec.cancelled = context.replay.cancelled;
  Sandbox::View view = context.replay.view;
  for (const std::string &file : {tools.driver, tools.glue, request.baseline, request.kernel})
    if (!file.empty())
      view.readOnly.push_back(folderOf(file));
  view.readOnly.push_back(context.expectation->planFile);
  view.tasks = Tasks::None;
  reports.additions({}).addTo(spec, view);
  ProcessResult process = TRY(context.replay.sandbox->run(std::move(spec), view));
  if (process.end == ProcessResult::End::Cancelled)
    return interruptedError();
  MemoryRun run;
  run.seconds = process.wallSeconds;
  run.end = process.describe();
  run.report = reports.report(kInstrumentedObject);
  if (process.ok())
    readMessage(process.out, run);
  return run;
}

} // namespace agentic
