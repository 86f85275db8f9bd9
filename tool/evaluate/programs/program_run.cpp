#include "tool/evaluate/programs/program_run.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr std::size_t kReportCap = 16u << 20, kRecordingCap = 128u << 20, kTraceCap = 1u << 20;

std::string randomName() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

std::vector<std::string> environmentOf(const RunContext &context, const ProgramRequest &request,
                                       const std::string &privateDirectory, const std::string &exitFile) {
  std::vector<std::string> environment{"HOME=" + privateDirectory, "TMPDIR=" + privateDirectory};
  if (!request.program->command.empty()) // a script starts others
    environment.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
  const std::vector<std::string> &own = request.program->environment;
  environment.insert(environment.end(), own.begin(), own.end());
  environment.push_back("TEST_PREMATURE_EXIT_FILE=" + exitFile);
  environment.push_back("AGENTIC_KERNEL_" + context.kernel + "=" +
                        (request.sharedObject.empty() ? "baseline" : request.sharedObject));
  return environment;
}

/// A script that ctest starts runs the program itself: RUNNER is not for the script.
std::vector<std::string> commandOf(const RunContext &context, const ProgramRequest &request,
                                   const std::string &report) {
  const TestProgram &program = *request.program;
  std::vector<std::string> argv = program.command;
  if (argv.empty()) {
    argv = context.runner;
    argv.push_back(program.file);
  }
  for (const auto *words : {&program.arguments, &request.arguments})
    argv.insert(argv.end(), words->begin(), words->end());
  if (!request.reportOption.empty())
    argv.push_back(request.reportOption + report);
  return argv;
}

bool exists(const std::string &path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0;
}

} // namespace

void RunAdditions::addTo(ProcessSpec &spec, Sandbox::View &view) const {
  if (!spec.environment)
    spec.environment.emplace();
  spec.environment->insert(spec.environment->end(), environment.begin(), environment.end());
  constexpr std::string_view kPreload = "LD_PRELOAD=";
  std::string libraries = join(preload, ":");
  for (const std::string &entry : *spec.environment)
    if (entry.starts_with(kPreload))
      libraries += (libraries.empty() ? "" : ":") + entry.substr(kPreload.size());
  std::erase_if(*spec.environment, [&](const std::string &entry) { return entry.starts_with(kPreload); });
  if (!libraries.empty())
    spec.environment->push_back(std::string(kPreload) + libraries);
  view.readOnly.insert(view.readOnly.end(), preload.begin(), preload.end());
  view.readOnly.insert(view.readOnly.end(), readOnly.begin(), readOnly.end());
  view.writable.insert(view.writable.end(), writable.begin(), writable.end());
  if (hasShadowMemory)
    spec.limits.addressSpaceBytes = kNoLimit;
}

std::optional<std::string> readUntrusted(const std::string &path, std::size_t cap) {
  // Follows no links and does not wait for the writer of a FIFO.
  int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return std::nullopt;
  std::optional<std::string> text;
  struct stat status{};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && std::size_t(status.st_size) <= cap) {
    text.emplace(std::size_t(status.st_size), '\0');
    std::size_t done = 0;
    for (ssize_t count; done < text->size(); done += std::size_t(count))
      if ((count = ::read(fd, text->data() + done, text->size() - done)) <= 0)
        break;
    text->resize(done);
  }
  ::close(fd);
  return text;
}

Result<ProgramRun> runProgram(const RunContext &context, const ProgramRequest &request) {
  ScratchDirectory directory = TRY(ScratchDirectory::create(context.scratchDirectory, "run-"));
  std::string privateDirectory = directory.path().string();
  std::string report = privateDirectory + "/" + randomName(), exitFile = privateDirectory + "/" + randomName();
  const std::string recording = privateDirectory + "/" + randomName(), trace = privateDirectory + "/" + randomName();

  ProcessSpec spec;
  spec.argv = commandOf(context, request, report);
  spec.workingDirectory = request.program->workingDirectory;
  spec.environment = environmentOf(context, request, privateDirectory, exitFile);
  spec.timeoutSeconds = request.timeoutSeconds;
  spec.mergeOutput = true;
  spec.cpu = request.cpu;
  spec.cancelled = context.cancelled;

  if (request.isTraced)
    spec.environment->push_back("AGENTIC_KERNEL_TRACE=" + trace);

  Sandbox::View view = context.view;
  view.writable.push_back(privateDirectory);
  RunAdditions added = request.added;
  if (!request.recorder.empty()) {
    added.preload.insert(added.preload.begin(), request.recorder);
    added.environment.push_back("AGENTIC_KERNEL_RECORD=" + recording);
    spec.limits.fileSizeBytes = kRecordingCap;
  }
  added.addTo(spec, view);
  if (request.sharedObject.find('/') != std::string::npos)
    view.readOnly.push_back(request.sharedObject);
  ProcessResult process = TRY(context.sandbox->run(std::move(spec), view));
  if (process.end == ProcessResult::End::Cancelled)
    return interruptedError();

  ProgramRun run;
  run.process = std::move(process);
  run.report = readUntrusted(report, kReportCap);
  run.endedEarly = exists(exitFile);
  if (!request.recorder.empty())
    run.recording = readUntrusted(recording, kRecordingCap);
  if (request.isTraced)
    run.trace = readUntrusted(trace, kTraceCap).value_or(std::string());
  return run;
}

} // namespace agentic
