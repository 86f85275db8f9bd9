#include "tool/base/piped_process.h"

#include "tool/base/clock.h"
#include "tool/base/user_command.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace agentic {
namespace {

constexpr int kPollMilliseconds = 50;
constexpr double kLifetimeSeconds = 30 * 24 * 3600.0;
/// Where the shell below finds the ends: runProcess() gives the child another input and output.
constexpr int kInputThere = 3, kOutputThere = 4;

struct Ends {
  Descriptor input, output;
};

} // namespace

Result<std::unique_ptr<PipedProcess>> PipedProcess::start(std::vector<std::string> argv,
                                                          std::vector<std::string> environment) {
  std::array<int, 2> pair{-1, -1};
  Pipe output = Pipe::create();
  // A socket, because a write to it can be told not to raise SIGPIPE.
  if (!output.read.isOpen() || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return userError("cannot start '" + argv.front() + "': no pipes: " + std::strerror(errno),
                     "raise the limit of open files (ulimit -n)");
  std::unique_ptr<PipedProcess> peer(new PipedProcess());
  peer->input_ = Descriptor(pair[0]);
  peer->output_ = std::move(output.read);
  auto ends = std::make_shared<Ends>(Descriptor(pair[1]), std::move(output.write));
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", "exec \"$@\" <&3 >&4 3<&- 4>&-", "sh"};
  spec.argv.insert(spec.argv.end(), std::make_move_iterator(argv.begin()), std::make_move_iterator(argv.end()));
  spec.environment = std::move(environment);
  spec.timeoutSeconds = kLifetimeSeconds;
  spec.ownSession = true; // no terminal on which it could ask for a password
  spec.cancelled = &peer->cancelled_;
  spec.inheritedDescriptors = {{ends->input.get(), kInputThere}, {ends->output.get(), kOutputThere}};
  peer->thread_ = std::jthread([raw = peer.get(), spec = std::move(spec), ends]() mutable {
    raw->result_ = runProcess(spec);
    ends->input.close(); // before isOver_: who waits for the end of the output must see it
    ends->output.close();
    raw->isOver_ = true;
  });
  return peer;
}

PipedProcess::~PipedProcess() {
  cancelled_ = true;
}

bool PipedProcess::send(std::string_view bytes, double seconds, const std::atomic<bool> *cancelled) {
  const double until = steadySeconds() + seconds;
  while (!bytes.empty()) {
    if (isOver_ || !input_.isOpen() || (cancelled && *cancelled) || steadySeconds() >= until)
      return false;
    pollfd ready{.fd = input_.get(), .events = POLLOUT, .revents = 0};
    if (::poll(&ready, 1, kPollMilliseconds) <= 0)
      continue;
    const ssize_t sent = ::send(input_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent > 0 ? sent : 0));
  }
  return true;
}

PipedProcess::Received PipedProcess::receive(std::string &into, double seconds) {
  const double until = steadySeconds() + seconds;
  std::array<char, 65536> buffer;
  for (;;) {
    pollfd ready{.fd = output_.get(), .events = POLLIN, .revents = 0};
    const bool wasOver = isOver_;
    if (::poll(&ready, 1, wasOver ? 0 : kPollMilliseconds) > 0) {
      const ssize_t count = ::read(output_.get(), buffer.data(), buffer.size());
      if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
        return Received::End;
      if (count > 0) {
        into.append(buffer.data(), static_cast<std::size_t>(count));
        return Received::Bytes;
      }
    } else if (wasOver) {
      return Received::End;
    }
    if (steadySeconds() >= until)
      return Received::Nothing;
  }
}

std::string PipedProcess::ending(double seconds) {
  input_.close();
  for (const double until = steadySeconds() + seconds; !isOver_ && steadySeconds() < until;)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  cancelled_ = true;
  if (thread_.joinable())
    thread_.join();
  return result_ ? result_->describe() + saidAtTheEnd(*result_) : result_.error().message;
}

} // namespace agentic
