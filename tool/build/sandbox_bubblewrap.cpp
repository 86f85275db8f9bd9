#include "tool/build/sandbox_bubblewrap.h"

#include "tool/build/sandbox_view.h"

#include <algorithm>
#include <filesystem>

namespace agentic {
namespace {

namespace fs = std::filesystem;

constexpr int kSeccompDescriptor = 9;
constexpr std::uint64_t kHiddenBytes = 1u << 20; ///< size of the empty folder that replaces a hidden one

// No --new-session: the first process inside must stay in the group that is killed at the end, from its first moment.
// The spec has a session of its own already.
std::vector<std::string> namespaceOptions(bool userNamespace) {
  std::vector<std::string> out = {"bwrap", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"};
  if (userNamespace)
    out.push_back("--unshare-all");
  else
    out.insert(out.end(), {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"});
  return out;
}

void mountTmpfs(std::vector<std::string> &argv, std::uint64_t bytes, const std::string &path) {
  argv.insert(argv.end(), {"--size", std::to_string(bytes), "--tmpfs", path});
}

void mountSystem(std::vector<std::string> &argv) {
  std::error_code error;
  for (const std::string &path : systemPaths())
    argv.insert(argv.end(), {"--ro-bind-try", path, path});
  for (const std::string &link : systemLinks())
    argv.insert(argv.end(), {"--symlink", fs::read_symlink(link, error).string(), link});
  argv.insert(argv.end(), {"--proc", "/proc", "--dev", "/dev"});
  mountTmpfs(argv, kSandboxTmpBytes, "/dev/shm");
  mountTmpfs(argv, kSandboxTmpBytes, "/tmp");
}

/// Parents before children, whatever their kind: a later mount hides what an earlier one put there.
void mountView(std::vector<std::string> &argv, const Sandbox::View &view) {
  enum Kind { Hidden, ReadOnly, Writable };
  std::vector<std::pair<std::string, Kind>> mounts;
  std::error_code error;
  for (const std::string &path : view.hidden)
    if (fs::is_directory(path, error))
      mounts.emplace_back(normalizedPath(path), Hidden);
  for (const std::string &path : view.readOnly)
    mounts.emplace_back(normalizedPath(path), ReadOnly);
  for (const std::string &path : view.writable)
    mounts.emplace_back(normalizedPath(path), Writable);
  std::sort(mounts.begin(), mounts.end());
  for (const auto &[path, kind] : mounts)
    if (path.empty() || path == "/")
      continue;
    else if (kind == Hidden)
      mountTmpfs(argv, kHiddenBytes, path);
    else
      argv.insert(argv.end(), {kind == Writable ? "--bind" : "--ro-bind-try", path, path});
  for (const std::string &folder : view.folders)
    argv.insert(argv.end(), {"--dir", folder});
  for (const Sandbox::Placed &placed : view.placed)
    argv.insert(argv.end(), {"--ro-bind", placed.file, placed.place});
  for (const Sandbox::Placed &placed : view.writablePlaced)
    argv.insert(argv.end(), {"--bind", placed.file, placed.place});
  // The rest are memory, without a limit, and /proc/self/mem.
  for (const auto &[path, kind] : mounts)
    if (kind == Hidden)
      argv.insert(argv.end(), {"--remount-ro", path});
  argv.insert(argv.end(), {"--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"});
}

} // namespace

Result<ProcessSpec> inBubblewrap(ProcessSpec spec, const Sandbox::View &view, bool userNamespace,
                                 const std::vector<std::string> &environment) {
  const auto program = TRY(seccompProgram(view.tasks, true));
  auto filter = TRY(anonymousFile(program));
  std::vector<std::string> argv = namespaceOptions(userNamespace);
  mountSystem(argv);
  mountView(argv, view);
  argv.push_back("--clearenv");
  for (const std::string &entry : environment) {
    const std::size_t equals = entry.find('=');
    argv.insert(argv.end(), {"--setenv", entry.substr(0, equals), entry.substr(equals + 1)});
  }
  argv.insert(argv.end(), {"--chdir", spec.workingDirectory.empty() ? "/tmp" : spec.workingDirectory, "--seccomp",
                           std::to_string(kSeccompDescriptor), "--"});
  // bwrap waits for its child only when that is process 1, and the child's CPU time is ours only then. But process 1 is
  // immune to signals without a handler (abort() ends in SIGSEGV there), so where processes are allowed a shell takes
  // that place.
  if (view.tasks == Tasks::Processes)
    argv.insert(argv.end(), {"/bin/sh", "-c", "\"$@\"; exit $?", "sh"});
  argv.insert(argv.end(), spec.argv.begin(), spec.argv.end());
  spec.argv = std::move(argv);
  spec.environment = std::vector<std::string>(); // bwrap's own environment: LD_PRELOAD and the like are for the program
  spec.workingDirectory = "/";
  spec.ownSession = true;
  spec.inheritedDescriptors.emplace_back(filter->get(), kSeccompDescriptor);
  spec.keepAlive.push_back(filter);
  return spec;
}

} // namespace agentic
