#include "tool/base/keeper.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace agentic {
namespace {

struct Message {
  pid_t leader;
  bool watched;
};

void send(int socket, Message message) {
  if (socket < 0)
    return;
  while (::send(socket, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

/// Closes all other descriptors: held here, pipes of other children and the user's terminal would stay open.
void closeAllBut(int socket) {
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2})
    ::dup2(null, fd);
  ::dup2(socket, 3);
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, 4u, ~0u, 0) == 0)
    return;
#endif
  const long end = ::sysconf(_SC_OPEN_MAX);
  for (int fd = 4; fd < end; ++fd)
    ::close(fd);
}

} // namespace

void runKeeper(int socket) {
  ::setsid(); // not a target of Ctrl-C
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2})
    ::signal(number, SIG_IGN);
  ::prctl(PR_SET_NAME, "agentic-keeper");
  [[maybe_unused]] const int root = ::chdir("/"); // keeps no folder in use
  closeAllBut(socket);
  std::array<pid_t, 4096> groups{};
  Message message{};
  for (ssize_t count = 0; (count = ::read(3, &message, sizeof message)) != 0;) {
    if (count != sizeof message)
      continue;
    for (pid_t &slot : groups)
      if (slot == (message.watched ? 0 : message.leader)) {
        slot = message.watched ? message.leader : 0;
        break;
      }
  }
  for (const pid_t leader : groups)
    if (leader > 0) {
      ::kill(-leader, SIGKILL);
      ::kill(leader, SIGKILL);
    }
}

void watchGroup(int socket, pid_t leader) {
  send(socket, {leader, true});
}

void releaseGroup(int socket, pid_t leader) {
  send(socket, {leader, false});
}

} // namespace agentic
