#include "tool/build/sandbox.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/sandbox_bubblewrap.h"
#include "tool/build/sandbox_landlock.h"
#include "tool/build/sandbox_tasks.h"
#include "tool/build/sandbox_view.h"
#include "tool/build/sandbox_watch.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <unistd.h>

namespace agentic {
namespace {

constexpr int kSignalStatus = 128; ///< shells and bwrap report signal n as exit status 128 + n

void addMissingLimits(ProcessSpec &spec) {
  ProcessLimits &limits = spec.limits;
  const auto add = [](std::uint64_t &limit, std::uint64_t value) { limit = limit == 0 ? value : limit; };
  add(limits.addressSpaceBytes, kSandboxMemory);
  add(limits.fileSizeBytes, kSandboxFileBytes);
  add(limits.openFiles, kSandboxOpenFiles);
  add(limits.writtenBytes, kSandboxWrittenBytes);
  const double cpus = std::max(1u, std::thread::hardware_concurrency());
  add(limits.cpuSeconds, static_cast<std::uint64_t>(std::ceil(std::max(1.0, spec.timeoutSeconds * cpus))));
  if (const std::uint64_t running = runningTasks(); running > 0)
    add(limits.processes, running + kSandboxTasks);
}

/// Returns the program's environment: a fixed base, so that verdicts do not depend on the caller's shell and no secret
/// leaks.
std::vector<std::string> programEnvironment(const ProcessSpec &spec, bool hasTmp) {
  std::vector<std::string> out = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  if (hasTmp)
    out.emplace_back("HOME=/tmp");
  const auto set = [&](const std::string &entry) {
    const std::string key = entry.substr(0, entry.find('=') + 1);
    std::erase_if(out, [&](const std::string &old) { return old.starts_with(key); });
    out.push_back(entry);
  };
  for (const std::string &entry : spec.environment.value_or(std::vector<std::string>()))
    set(entry);
  for (const auto &[key, value] : spec.addedEnvironment)
    set(key + "=" + value);
  return out;
}

/// The program cannot fail, so that if it does, the sandbox has.
std::string failureToStart(const Sandbox &sandbox, ProcessSpec spec, const Sandbox::View &view) {
  spec.argv = {"/usr/bin/true"};
  const auto wrapped = sandbox.wrap(std::move(spec), view);
  if (!wrapped)
    return wrapped.error().message;
  const auto result = runProcess(*wrapped);
  if (!result)
    return result.error().message;
  if (result->ok())
    return {};
  const std::string reason(trim(wrapped->mergeOutput ? result->out : result->err));
  return reason.empty() ? "/usr/bin/true " + result->describe() : reason;
}

/// Returns an empty string if the sandbox works here, else the reason.
std::string probeFailure(const Sandbox &sandbox) {
  if (sandbox.strength() != Sandbox::Strength::OwnLauncher && !findProgram("bwrap"))
    return "bubblewrap (bwrap) is not installed";
  ProcessSpec spec;
  spec.timeoutSeconds = 10;
  return failureToStart(sandbox, std::move(spec), {.readOnly = {}, .writable = {}, .hidden = {}, .tasks = Tasks::None});
}

} // namespace

Sandbox::Sandbox(Strength strength, std::string reason) : strength_(strength), reason_(std::move(reason)) {
  if (confines() && ::geteuid() == 0)
    taskGroup_ = taskGroup(kSandboxTasks);
}

Sandbox Sandbox::probe() {
  std::string reasons;
  for (const Strength strength : {Strength::Bubblewrap, Strength::BubblewrapNoUserNamespace, Strength::OwnLauncher}) {
    Sandbox sandbox(strength, reasons);
    const std::string reason = probeFailure(sandbox);
    if (reason.empty())
      return sandbox;
    if (strength != Strength::BubblewrapNoUserNamespace) // it fails for the same reason as its neighbour
      reasons += (reasons.empty() ? "" : ", and ") + reason;
  }
  return Sandbox(Strength::RlimitsOnly, reasons);
}

std::optional<Sandbox> Sandbox::ofStrength(Strength strength) {
  Sandbox sandbox(strength, strength == Strength::RlimitsOnly ? "no sandbox was asked for" : "");
  if (sandbox.confines() && !probeFailure(sandbox).empty())
    return std::nullopt;
  return sandbox;
}

Sandbox Sandbox::watching() {
  Sandbox out = none();
  out.denied_ = std::make_shared<std::vector<std::string>>();
  return out;
}

Sandbox Sandbox::elsewhere(std::shared_ptr<ProgramsElsewhere> programs) {
  Sandbox out(Strength::Bubblewrap, ""); // hosts with a weaker one are refused
  out.elsewhere_ = std::move(programs);
  return out;
}

std::vector<std::string> Sandbox::wouldBeDenied() const {
  return denied_ ? *denied_ : std::vector<std::string>();
}

std::string Sandbox::name() const {
  switch (strength_) {
  case Strength::Bubblewrap:
    return "bubblewrap";
  case Strength::BubblewrapNoUserNamespace:
    return "bubblewrap without user namespace";
  case Strength::OwnLauncher:
    return "Landlock and seccomp";
  case Strength::RlimitsOnly:
    break;
  }
  return "resource limits alone";
}

std::string Sandbox::warning() const {
  if (confines())
    return {};
  return "candidates run WITHOUT A SANDBOX, limited only in time, memory and file size: they can read your files, use "
         "the network and change whatever you can change, because " +
         reason_ +
         "; install the package 'bubblewrap' and allow unprivileged user namespaces, or use a kernel with Landlock";
}

Result<ProcessSpec> Sandbox::wrap(ProcessSpec spec, const View &view) const {
  addMissingLimits(spec);
  const bool bubblewrap = strength_ == Strength::Bubblewrap || strength_ == Strength::BubblewrapNoUserNamespace;
  const std::vector<std::string> environment = programEnvironment(spec, strength_ != Strength::OwnLauncher);
  spec.addedEnvironment.clear();
  spec.writtenFolders = view.writable;
  for (const Placed &placed : view.writablePlaced)
    spec.writtenFolders.push_back(placed.file);
  if (taskGroup_ && view.tasks != Tasks::None) {
    spec.joinedGroup = taskGroup_->get();
    spec.keepAlive.push_back(taskGroup_);
  }
  if (!bubblewrap && (!view.placed.empty() || !view.folders.empty() || !view.writablePlaced.empty()))
    return bugError("files are placed in a sandbox that cannot place any: " + name());
  if (!confines()) {
    spec.environment = environment;
    return spec;
  }
  View complete = view;
  const std::vector<std::string> own = toolFolders(view.readOnly);
  complete.hidden.insert(complete.hidden.end(), own.begin(), own.end());
  if (bubblewrap)
    return inBubblewrap(std::move(spec), complete, strength_ == Strength::Bubblewrap, environment);
  return underLandlock(std::move(spec), complete, environment);
}

Result<ProcessResult> Sandbox::run(ProcessSpec spec, const View &view) const {
  if (elsewhere_)
    return elsewhere_->run(spec, view);
  const ProcessSpec probe = spec; // the same place, with a program that cannot fail
  const std::string program = spec.argv.empty() ? std::string() : spec.argv[0];
  auto wrapped = TRY(wrap(std::move(spec), view));
  if (denied_) {
    auto watched = TRY(runWatched(wrapped, view));
    for (std::string &what : watched.denied)
      if (std::find(denied_->begin(), denied_->end(), what) == denied_->end())
        denied_->push_back(std::move(what));
    return std::move(watched.process);
  }
  auto result = runProcess(wrapped);
  if (!result || result->end != ProcessResult::End::Exited || strength_ == Strength::RlimitsOnly ||
      strength_ == Strength::OwnLauncher)
    return result;
  const std::string &messages = wrapped.mergeOutput ? result->out : result->err;
  // A hostile program can print the same words; then the sandbox itself works and the words are the program's.
  if (result->code == 1 && messages.starts_with("bwrap: ") && !failureToStart(*this, probe, view).empty())
    return userError("the sandbox could not run '" + program + "': " + std::string(trim(messages)),
                     "check that the file exists and that its folder is readable");
  if (result->code > kSignalStatus && result->code <= kSignalStatus + 64) {
    result->end = ProcessResult::End::Signalled;
    result->code -= kSignalStatus;
  }
  return result;
}

Result<void> startInEmptyFolder(ProcessSpec &spec) {
  std::error_code error;
  auto made = TRY(ScratchDirectory::create(fs::temp_directory_path(error), "agentic-empty-"));
  const auto owner = std::make_shared<const ScratchDirectory>(std::move(made));
  spec.workingDirectory = owner->path().string();
  spec.keepAlive.push_back(owner);
  return {};
}

} // namespace agentic
