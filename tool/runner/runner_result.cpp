#include "tool/runner/runner_result.h"

#include "tool/runner/runner_fail.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/uio.h>

namespace agentic::runner {
namespace {

int moveHigh(int descriptor) {
  rlimit limit;
  std::uint32_t random = 0;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || ::getrandom(&random, sizeof random, 0) != sizeof random)
    return descriptor;
  constexpr rlim_t kLowest = 16, kHighest = 1024;
  const rlim_t highest = std::min(limit.rlim_cur, kHighest);
  if (highest <= kLowest)
    return descriptor;
  const int wanted = static_cast<int>(kLowest + random % (highest - kLowest));
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, wanted);
  if (moved < 0)
    return descriptor;
  ::close(descriptor);
  return moved;
}

/// Writes everything, in one call unless the system takes less.
void writeAll(int descriptor, std::vector<iovec> pieces) {
  for (std::size_t first = 0; first < pieces.size();) {
    const int count = static_cast<int>(std::min<std::size_t>(pieces.size() - first, IOV_MAX));
    ssize_t written = ::writev(descriptor, pieces.data() + first, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      fail(kNoResources, "the result cannot be written: %s", std::strerror(errno));
    for (; first < pieces.size() && static_cast<std::size_t>(written) >= pieces[first].iov_len; ++first)
      written -= static_cast<ssize_t>(pieces[first].iov_len);
    if (first < pieces.size()) {
      pieces[first].iov_base = static_cast<char *>(pieces[first].iov_base) + written;
      pieces[first].iov_len -= static_cast<std::size_t>(written);
    }
  }
}

iovec piece(const void *data, std::size_t bytes) {
  return {const_cast<void *>(data), bytes};
}

} // namespace

int openResult(const char *path) {
  const int descriptor = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0)
    fail(kNoResources, "%s cannot be written: %s", path, std::strerror(errno));
  const int moved = moveHigh(descriptor);
  wire::FileHeader header = {};
  std::memcpy(header.magic, wire::kResultMagic, sizeof header.magic);
  writeAll(moved, {piece(&header, sizeof header)});
  return moved;
}

void writeResult(int descriptor, StepOutcome &outcome) {
  static constexpr char kZeros[8] = {};
  std::vector<iovec> pieces{piece(&outcome.result, sizeof outcome.result)};
  for (const Span &output : outcome.outputs) {
    const std::size_t padding = (8 - output.bytes % 8) % 8;
    pieces.push_back(piece(output.data, output.bytes));
    pieces.push_back(piece(kZeros, padding));
    outcome.result.bytes += output.bytes + padding;
  }
  writeAll(descriptor, std::move(pieces));
}

} // namespace agentic::runner
