#include "tool/build/sandbox_watch.h"

#include "tool/base/files.h"
#include "tool/base/pipes.h"
#include "tool/build/sandbox_view.h"

#include <algorithm>
#include <atomic>
#include <linux/seccomp.h>
#include <poll.h>
#include <set>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>

namespace agentic {
namespace {

constexpr int kListenerDescriptor = 12;
constexpr std::size_t kMostNamed = 8, kLongestPath = 4096;
constexpr int kPollMilliseconds = 50;

/// One system call, and the meaning of its arguments.
struct Call {
  std::string path;
  bool writes = false;
};

std::string memoryText(pid_t pid, std::uint64_t address) {
  const Descriptor memory(::open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(kLongestPath, '\0');
  const ssize_t count = memory.isOpen() ? ::pread(memory.get(), text.data(), text.size(), off_t(address)) : -1;
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text.substr(0, text.find('\0'));
}

/// Absolute; links resolved as far as the path exists.
std::string absolutePath(pid_t pid, int folder, const std::string &path) {
  std::error_code error;
  fs::path out = path;
  if (!out.is_absolute())
    out = fs::read_symlink(
              "/proc/" + std::to_string(pid) + (folder == AT_FDCWD ? "/cwd" : "/fd/" + std::to_string(folder)), error) /
          out;
  return normalizedPath(fs::weakly_canonical(out, error).string());
}

std::optional<Call> callOf(const seccomp_notif &asked) {
  const auto &[nr, arch, pointer, arguments] = asked.data;
  const auto pid = static_cast<pid_t>(asked.pid);
  const auto call = [&](int folder, int path, bool writes) -> std::optional<Call> {
    const std::string text = memoryText(pid, arguments[path]);
    if (text.empty())
      return std::nullopt;
    return Call{absolutePath(pid, folder, text), writes};
  };
  const auto writing = [](std::uint64_t flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0; };
  const int folder = static_cast<int>(arguments[0]);
  switch (nr) {
  case SYS_openat:
    return call(folder, 1, writing(arguments[2]));
  case SYS_openat2:
    return call(folder, 1, false);
  case SYS_mkdirat:
  case SYS_unlinkat:
    return call(folder, 1, true);
  case SYS_execve:
    return call(AT_FDCWD, 0, false);
#ifdef SYS_open
  case SYS_open:
    return call(AT_FDCWD, 0, writing(arguments[1]));
  case SYS_creat:
  case SYS_mkdir:
  case SYS_unlink:
  case SYS_rmdir:
    return call(AT_FDCWD, 0, true);
#endif
  default:
    return std::nullopt;
  }
}

/// Collects, in order and without repetition, what `view` does not allow.
class Denials {
public:
  explicit Denials(const Sandbox::View &view) {
    for (const auto *list : {&view.readOnly, &view.writable})
      addAll(shown_, *list);
    addAll(shown_, systemPaths());
    addAll(shown_, {"/proc", "/dev"});
    addAll(writable_, view.writable);
    addAll(writable_, {"/proc", "/dev"});
    addAll(hidden_, view.hidden);
    addAll(hidden_, toolFolders(view.readOnly));
  }
  void look(const seccomp_notif &asked) {
    if (asked.data.nr == SYS_socket)
      return name("a network socket");
    const std::optional<Call> call = callOf(asked);
    std::error_code error;
    // A failing look at what is not there is no reason to fail.
    if (!call || !fs::exists(call->writes ? fs::path(call->path).parent_path() : fs::path(call->path), error))
      return;
    if (call->writes ? mayWrite(call->path) : isShown(call->path))
      return;
    name((call->writes ? "writing '" : "reading '") + call->path + "'");
  }
  std::vector<std::string> take() { return std::move(named_); }

private:
  static void addAll(std::vector<std::string> &out, const std::vector<std::string> &paths) {
    std::error_code error;
    for (const std::string &path : paths) {
      out.push_back(normalizedPath(path));
      out.push_back(normalizedPath(fs::weakly_canonical(path, error).string()));
    }
  }
  /// The length of the longest of `folders` that holds `path`; 0 = none.
  static std::size_t depth(const std::string &path, const std::vector<std::string> &folders) {
    std::size_t longest = 0;
    for (const std::string &folder : folders)
      if (liesIn(path, folder))
        longest = std::max(longest, folder.size());
    return longest;
  }
  /// Returns whether the sandbox allows the write; the program may write anything in the private /tmp.
  bool mayWrite(const std::string &path) {
    const bool inTmp = fs::path(path).parent_path() == "/tmp" || depth(path, made_) > 0;
    if (inTmp)
      made_.push_back(path);
    return inTmp || depth(path, writable_) > 0;
  }
  bool isShown(const std::string &path) const {
    const std::size_t shown = depth(path, shown_);
    return path == "/tmp" || depth(path, made_) > 0 || (shown > 0 && shown >= depth(path, hidden_));
  }
  void name(const std::string &what) {
    if (named_.size() < kMostNamed && std::find(named_.begin(), named_.end(), what) == named_.end())
      named_.push_back(what);
  }
  std::vector<std::string> shown_, writable_, hidden_, named_;
  std::vector<std::string> made_; ///< below /tmp, by the program itself
};

Descriptor receiveDescriptor(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) != 1)
    return Descriptor();
  const cmsghdr *header = CMSG_FIRSTHDR(&message);
  int fd = -1;
  if (header && header->cmsg_type == SCM_RIGHTS)
    __builtin_memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return Descriptor(fd);
}

/// Answers every question with "go on", until `done`.
void answer(int socket, Denials &denials, const std::atomic<bool> &done) {
  Descriptor listener;
  while (!done) {
    pollfd event{listener.isOpen() ? listener.get() : socket, POLLIN, 0};
    if (::poll(&event, 1, kPollMilliseconds) <= 0)
      continue;
    if (!listener.isOpen()) {
      listener = receiveDescriptor(socket);
      continue;
    }
    seccomp_notif asked{};
    if ((event.revents & POLLIN) == 0 || ::ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
      ::poll(nullptr, 0, 1); // nobody is left to ask: the end is near
      continue;
    }
    denials.look(asked);
    seccomp_notif_resp goOn{};
    goOn.id = asked.id;
    goOn.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ::ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_SEND, &goOn);
  }
}

} // namespace

Result<WatchedRun> runWatched(ProcessSpec spec, const Sandbox::View &view) {
  auto program = TRY(askingProgram());
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return userError("cannot make a pair of sockets", "raise the limit of open files (ulimit -n)");
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  spec.inheritedDescriptors.emplace_back(theirs.get(), kListenerDescriptor);
  ProcessConfinement asking;
  asking.listenerSocket = kListenerDescriptor;
  asking.seccompProgram = std::move(program);
  spec.confinement = std::make_shared<const ProcessConfinement>(std::move(asking));

  Denials denials(view);
  std::atomic<bool> done = false;
  std::thread answering([&] { answer(ours.get(), denials, done); });
  auto process = runProcess(spec);
  done = true;
  answering.join();
  if (!process)
    return std::unexpected(process.error());
  return WatchedRun{std::move(*process), denials.take()};
}

} // namespace agentic
