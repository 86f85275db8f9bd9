#include "tool/build/sandbox.h"

#include "tool/base/text.h"
#include "tool/build/seccomp_filter.h"

#include <algorithm>
#include <filesystem>

namespace agentic {
namespace {

namespace fs = std::filesystem;

constexpr int kSeccompDescriptor = 9;
constexpr int kSignalStatus = 128; ///< shells and bwrap report signal n as exit status 128 + n

constexpr ProcessLimits kDefaultLimits{.addressSpaceBytes = std::uint64_t{4} << 30,
                                       .cpuSeconds = 0,
                                       .fileSizeBytes = std::uint64_t{64} << 20,
                                       .openFiles = 256};

void addMissingLimits(ProcessLimits &limits) {
  if (limits.addressSpaceBytes == 0)
    limits.addressSpaceBytes = kDefaultLimits.addressSpaceBytes;
  if (limits.fileSizeBytes == 0)
    limits.fileSizeBytes = kDefaultLimits.fileSizeBytes;
  if (limits.openFiles == 0)
    limits.openFiles = kDefaultLimits.openFiles;
}

/// What the program sees: a fixed base, so that verdicts do not depend on the caller's shell and no secret leaks.
std::vector<std::string> programEnvironment(const ProcessSpec &spec) {
  std::vector<std::string> out = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8"};
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

/// The system's own folders. On merged-/usr systems /bin and /lib are links into /usr.
void mountSystem(std::vector<std::string> &argv) {
  std::error_code error;
  for (const char *folder : {"/usr", "/opt", "/nix/store"})
    if (fs::is_directory(folder, error))
      argv.insert(argv.end(), {"--ro-bind", folder, folder});
  for (const char *folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    if (fs::is_symlink(folder, error))
      argv.insert(argv.end(), {"--symlink", fs::read_symlink(folder, error).string(), folder});
    else if (fs::is_directory(folder, error))
      argv.insert(argv.end(), {"--ro-bind", folder, folder});
  }
  for (const char *file : {"/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/sys/devices/system/cpu"})
    argv.insert(argv.end(), {"--ro-bind-try", file, file});
  argv.insert(argv.end(), {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"});
}

/// Parents before children, whatever their kind: a later mount hides what an earlier one put there.
void mountView(std::vector<std::string> &argv, const Sandbox::View &view) {
  std::vector<std::pair<std::string, bool>> mounts; // path, writable
  for (const std::string &path : view.readOnly)
    mounts.emplace_back(fs::path(path).lexically_normal().string(), false);
  for (const std::string &path : view.writable)
    mounts.emplace_back(fs::path(path).lexically_normal().string(), true);
  std::sort(mounts.begin(), mounts.end());
  for (const auto &[path, writable] : mounts)
    if (!path.empty() && path != "/")
      argv.insert(argv.end(), {writable ? "--bind" : "--ro-bind-try", path, path});
}

std::vector<std::string> namespaceOptions(Sandbox::Strength strength) {
  std::vector<std::string> out = {"bwrap", "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL"};
  if (strength == Sandbox::Strength::Bubblewrap)
    out.push_back("--unshare-all");
  else
    out.insert(out.end(), {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"});
  return out;
}

/// Empty if a program runs with these namespaces and the system call filter, else the reason.
std::string probeFailure(Sandbox::Strength strength) {
  auto filter = makeSeccompFilter(false);
  if (!filter)
    return filter.error().message;
  ProcessSpec spec;
  spec.argv = namespaceOptions(strength);
  mountSystem(spec.argv);
  spec.argv.insert(spec.argv.end(), {"--seccomp", std::to_string(kSeccompDescriptor), "--", "/usr/bin/true"});
  spec.inheritedDescriptors = {{(*filter)->get(), kSeccompDescriptor}};
  spec.timeoutSeconds = 10;
  const auto result = runProcess(spec);
  if (!result)
    return result.error().message;
  if (result->ok())
    return {};
  const std::string reason(trim(result->err));
  return reason.empty() ? "bwrap " + result->describe() : reason;
}

bool startsInside(const Sandbox &sandbox, ProcessSpec probe, const Sandbox::View &view) {
  const auto wrapped = sandbox.wrap(std::move(probe), view);
  if (!wrapped)
    return false;
  const auto result = runProcess(*wrapped);
  return result && result->ok();
}

} // namespace

Sandbox Sandbox::probe() {
  if (!findProgram("bwrap"))
    return Sandbox(Strength::RlimitsOnly, "bubblewrap (bwrap) is not installed");
  const std::string reason = probeFailure(Strength::Bubblewrap);
  if (reason.empty())
    return Sandbox(Strength::Bubblewrap, {});
  if (probeFailure(Strength::BubblewrapNoUserNamespace).empty())
    return Sandbox(Strength::BubblewrapNoUserNamespace, reason);
  return Sandbox(Strength::RlimitsOnly, reason);
}

std::string Sandbox::warning() const {
  if (strength_ != Strength::RlimitsOnly)
    return {}; // without a user namespace everything else is as strong: only root gets there
  return "candidates run without a sandbox, limited only in time, memory and file size, because " + reason_ +
         "; install the package 'bubblewrap' and allow unprivileged user namespaces";
}

Result<ProcessSpec> Sandbox::wrap(ProcessSpec spec, const View &view) const {
  addMissingLimits(spec.limits);
  const std::vector<std::string> environment = programEnvironment(spec);
  spec.addedEnvironment.clear();
  if (strength_ == Strength::RlimitsOnly) {
    spec.environment = environment;
    return spec;
  }
  auto filter = makeSeccompFilter(view.allowThreads);
  if (!filter)
    return std::unexpected(filter.error());
  std::vector<std::string> argv = namespaceOptions(strength_);
  mountSystem(argv);
  mountView(argv, view);
  argv.insert(argv.end(), {"--clearenv"});
  for (const std::string &entry : environment) {
    const std::size_t equals = entry.find('=');
    argv.insert(argv.end(), {"--setenv", entry.substr(0, equals), entry.substr(equals + 1)});
  }
  argv.insert(argv.end(), {"--chdir", spec.workingDirectory.empty() ? "/tmp" : spec.workingDirectory, "--seccomp",
                           std::to_string(kSeccompDescriptor), "--"});
  // bwrap waits for its child only when that is process 1, and the child's CPU time is ours only then. But process 1 is
  // immune to signals without a handler, so where processes are allowed a shell takes that place.
  if (view.allowThreads)
    argv.insert(argv.end(), {"/bin/sh", "-c", "\"$@\"; exit $?", "sh"});
  argv.insert(argv.end(), spec.argv.begin(), spec.argv.end());
  spec.argv = std::move(argv);
  spec.environment = std::vector<std::string>(); // of bwrap itself: LD_PRELOAD and the like are for the program
  spec.workingDirectory = "/";
  spec.inheritedDescriptors.emplace_back((*filter)->get(), kSeccompDescriptor);
  spec.keepAlive.push_back(*filter);
  return spec;
}

Result<ProcessResult> Sandbox::run(ProcessSpec spec, const View &view) const {
  ProcessSpec probe = spec; // the same place, with a program that cannot fail
  probe.argv = {"/usr/bin/true"};
  const std::string program = spec.argv.empty() ? std::string() : spec.argv[0];
  auto wrapped = wrap(std::move(spec), view);
  if (!wrapped)
    return std::unexpected(wrapped.error());
  auto result = runProcess(*wrapped);
  if (!result || strength_ == Strength::RlimitsOnly || result->end != ProcessResult::End::Exited)
    return result;
  const std::string &messages = wrapped->mergeOutput ? result->out : result->err;
  // A hostile program can print the same words; then the sandbox itself works and the words are the program's.
  if (result->code == 1 && messages.starts_with("bwrap: ") && !startsInside(*this, std::move(probe), view))
    return userError("the sandbox could not run '" + program + "': " + std::string(trim(messages)),
                     "check that the file exists and that its folder is readable");
  if (result->code > kSignalStatus && result->code <= kSignalStatus + 64) {
    result->end = ProcessResult::End::Signalled;
    result->code -= kSignalStatus;
  }
  return result;
}

} // namespace agentic
