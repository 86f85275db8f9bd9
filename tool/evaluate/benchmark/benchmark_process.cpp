#include "tool/evaluate/benchmark/benchmark_process.h"

#include "tool/base/cpus.h"
#include "tool/evaluate/benchmark/metric.h"

#include <fmt/format.h>

#include <sys/stat.h>

namespace agentic {
namespace {

// A folder of its own, because in /tmp itself Linux forbids opening another user's file for writing
// (fs.protected_regular).
constexpr const char *kLockFolder = "/tmp/agentic-kernel-lock";
constexpr double kLockSeconds = 900;
constexpr double kLaunchSeconds = 0.03;

std::vector<std::string> arguments(const BenchmarkProcessRequest &request) {
  std::vector<std::string> arguments{
      "--benchmark_out_format=json", "--benchmark_color=false", "--benchmark_report_aggregates_only=false",
      fmt::format("--benchmark_repetitions={}", request.repetitions),
      fmt::format("--benchmark_min_time={}{}", request.minTime, request.minTimeSuffix ? "s" : "")};
  if (!request.filter.empty())
    arguments.push_back("--benchmark_filter=" + request.filter);
  return arguments;
}

/// Returns a regular expression that matches `name` literally.
std::string literally(const std::string &name) {
  std::string regex;
  for (char c : name) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
      regex += '\\';
    regex += c;
  }
  return regex;
}

/// Returns a regular expression that matches only `name`.
std::string exactly(const std::string &name) {
  return "^" + literally(name) + "$";
}

std::string lastLines(const std::string &output) {
  constexpr std::size_t kShown = 1000;
  return output.size() <= kShown ? output : "…" + output.substr(output.size() - kShown);
}

/// Reads what a program printed. Its CPU time has no part that it claims: a candidate may use no more than the
/// reference.
std::expected<BenchmarkSample, BenchmarkFailure> metricSample(const TestProgram &program,
                                                              const ProcessResult &process) {
  const auto value = readMetric(program.metric, process.out);
  if (!value)
    return std::unexpected(BenchmarkFailure{
        value.error().reason, value.error().details.empty() ? lastLines(process.out) : value.error().details, false});
  BenchmarkSample sample;
  sample.metric = *value;
  sample.report[program.target] = {.cpuNs = {value->ns}, .iterations = {1}};
  sample.account = {.total = process.cpuSeconds, .unclaimed = process.cpuSeconds, .calls = 1, .iterations = 1};
  return sample;
}

} // namespace

Result<std::expected<BenchmarkSample, BenchmarkFailure>> runBenchmark(const RunContext &context,
                                                                      const BenchmarkProcessRequest &request) {
  ProgramRequest run;
  run.program = request.program;
  run.sharedObject = request.sharedObject;
  const bool isMetric = !request.program->metric.pattern.empty();
  if (!isMetric) {
    run.arguments = arguments(request);
    run.reportOption = "--benchmark_out=";
  }
  run.timeoutSeconds = request.timeoutSeconds;
  if (!request.program->isApplication) // which has the CPUs that its users give it
    run.cpu = measuringCpu();
  RunContext direct = context;
  direct.runner.clear(); // times under an emulator or on another machine say nothing here
  ProgramRun done = TRY(runProgram(direct, run));

  const ProcessResult &process = done.process;
  using Outcome = std::expected<BenchmarkSample, BenchmarkFailure>;
  if (!process.ok())
    return Outcome(std::unexpected(
        BenchmarkFailure{process.describe(), lastLines(process.out), process.end == ProcessResult::End::TimedOut}));
  const auto timed = [&](BenchmarkSample sample) {
    sample.wallSeconds = process.wallSeconds;
    sample.ownSeconds = std::min(process.wallSeconds, process.cpuSeconds + kLaunchSeconds);
    sample.wallPerCpu = std::max(0.0, process.wallSeconds - kLaunchSeconds) / std::max(1e-6, process.cpuSeconds);
    return sample;
  };
  if (isMetric) {
    auto sample = metricSample(*request.program, process);
    return sample ? Outcome(timed(std::move(*sample))) : sample;
  }
  if (!done.report)
    return Outcome(std::unexpected(BenchmarkFailure{"wrote no benchmark report", lastLines(process.out), false}));
  if (done.report->empty())
    return Outcome(std::unexpected(BenchmarkFailure{"reported no benchmark", lastLines(process.out), false}));
  auto report = parseBenchmarkReport(*done.report);
  if (!report)
    return Outcome(std::unexpected(BenchmarkFailure{report.error().reason, report.error().details, false,
                                                    report.error().messages, report.error().others}));

  countWallTime(request.byWallTime, *report);
  BenchmarkSample sample;
  sample.account = cpuAccount(*report, process.cpuSeconds, request.minTime);
  sample.report = std::move(*report);
  return Outcome(timed(std::move(sample)));
}

std::optional<std::string> filterOf(const std::vector<std::string> &names) {
  constexpr std::size_t kLongest = 100000; // Linux has a limit of 128 KiB for one argument
  std::string alternatives;
  for (const std::string &name : names)
    alternatives += (alternatives.empty() ? "" : "|") + literally(name);
  return alternatives.size() <= kLongest ? std::optional("^(" + alternatives + ")$") : std::nullopt;
}

ProgramRequest shortRun(const TestProgram &program, const BenchmarkProgramFacts &facts, const std::string &benchmark,
                        double minTime) {
  constexpr double kLeastSeconds = 10, kSlowdown = 5;
  ProgramRequest run;
  run.program = &program;
  run.timeoutSeconds = std::max(kLeastSeconds, kSlowdown * facts.seconds);
  if (!program.metric.pattern.empty())
    return run;
  run.arguments = {"--benchmark_out_format=json", "--benchmark_filter=" + exactly(benchmark),
                   fmt::format("--benchmark_min_time={}{}", minTime, facts.minTimeSuffix ? "s" : "")};
  run.reportOption = "--benchmark_out=";
  return run;
}

Result<LockFile> lockMeasuring(const std::string &path, const std::atomic<bool> *cancelled) {
  if (!path.empty())
    return LockFile::acquire(path, kLockSeconds, cancelled);
  // The first process opens the folder to everybody; the others fail to do so, which does not matter.
  ::mkdir(kLockFolder, 0777);
  ::chmod(kLockFolder, 0777);
  std::string file = std::string(kLockFolder) + "/measuring";
  Result<LockFile> lock = LockFile::acquire(file, kLockSeconds, cancelled);
  ::chmod(file.c_str(), 0666);
  return lock;
}

} // namespace agentic
