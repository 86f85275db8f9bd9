#include "tool/mcp/server.h"

#include "tool/mcp/connection.h"
#include "tool/mcp/output.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <span>
#include <unistd.h>

namespace agentic::mcp {
namespace {

constexpr int kPollMilliseconds = 50; ///< within which a signal and a closed `out` are noticed

/// Returns the number of bytes that were read; 0: nothing yet; -1: the end.
ssize_t readSome(int in, std::span<char> buffer) {
  pollfd ready{in, POLLIN, 0};
  const int polled = ::poll(&ready, 1, kPollMilliseconds);
  if (polled <= 0)
    return polled == 0 || errno == EINTR ? 0 : -1;
  const ssize_t count = ::read(in, buffer.data(), buffer.size());
  if (count > 0)
    return count;
  return count < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

} // namespace

void serve(int in, int out, Host &host, const std::atomic<bool> &cancelled, const std::function<void()> &ends) {
  Output output(out);
  Connection connection(host, [&output](std::string line) { output.add(line); });
  LineReader lines;
  std::array<char, 1 << 16> buffer;
  while (!cancelled && !output.isBroken()) {
    const ssize_t count = readSome(in, buffer);
    if (count < 0)
      break;
    for (const LineReader::Line &line : lines.take({buffer.data(), static_cast<std::size_t>(count)}))
      connection.receive(line);
  }
  ends();
}

} // namespace agentic::mcp
