#include "tool/build/sandbox_tasks.h"

#include "tool/base/files.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr std::string_view kPrefix = "agentic-kernel-";

/// Returns the folder in which groups can be made: version 1's own hierarchy, or version 2's root if it hands the
/// controller down.
std::string hierarchy() {
  std::error_code error;
  if (fs::is_directory("/sys/fs/cgroup/pids", error))
    return "/sys/fs/cgroup/pids";
  for (const std::string root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
    if (const auto handedDown = readFile(root + "/cgroup.subtree_control");
        handedDown && handedDown->find("pids") != std::string::npos)
      return root;
  return {};
}

/// Removes the groups of processes that are gone; a group that is not empty stays.
void removeOld(const std::string &root) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(root, error); !error && entry != fs::end(entry); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix))
      continue;
    const auto owner = static_cast<pid_t>(std::strtol(name.c_str() + kPrefix.size(), nullptr, 10));
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH)
      ::rmdir(entry->path().c_str());
  }
}

struct Group {
  std::string folder;
  OwnedDescriptor members;
  Group(std::string path, int fd) : folder(std::move(path)), members(fd) {}
  Group(const Group &) = delete;
  Group &operator=(const Group &) = delete;
  ~Group() { ::rmdir(folder.c_str()); }
};

bool writeInto(const std::string &file, const std::string &text) {
  const OwnedDescriptor fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd.get() >= 0 && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

} // namespace

std::shared_ptr<const OwnedDescriptor> taskGroup(std::uint64_t tasks) {
  const std::string root = hierarchy();
  if (root.empty())
    return nullptr;
  removeOld(root);
  std::string folder = root + "/" + std::string(kPrefix) + std::to_string(::getpid()) + "-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr)
    return nullptr;
  const int fd = ::open((folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  const auto group = std::make_shared<Group>(folder, fd);
  if (fd < 0 || !writeInto(folder + "/pids.max", std::to_string(tasks)))
    return nullptr;
  return {group, &group->members};
}

std::uint64_t runningTasks() {
  const auto load = readFile("/proc/loadavg"); // "0.1 0.2 0.3 running/all last"
  const std::size_t slash = load ? load->find('/') : std::string::npos;
  return slash == std::string::npos ? 0 : std::strtoull(load->c_str() + slash + 1, nullptr, 10);
}

} // namespace agentic
