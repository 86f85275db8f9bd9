// Descriptors with an owner, and the reading end of a child's output. Used by process.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace agentic {

class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  bool isOpen() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
  static Pipe create() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }
};

/// One stream: what is past the cap is read, so that the child never blocks, and dropped.
class Stream {
public:
  Stream(Descriptor fd, std::size_t cap) : fd_(std::move(fd)), cap_(cap) {
    if (fd_.isOpen())
      ::fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }
  pollfd waiting() const { return {fd_.get(), POLLIN, 0}; } // poll ignores an fd of -1
  bool isOpen() const { return fd_.isOpen(); }
  void readAvailable() {
    std::array<char, 1 << 16> buffer;
    // Bounded, so that a child that writes without end cannot keep us from looking at the clock.
    for (int round = 0; round < 16 && isOpen(); ++round) {
      const ssize_t count = ::read(fd_.get(), buffer.data(), buffer.size());
      if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (count <= 0)
        return fd_.close();
      const std::size_t kept = std::min(static_cast<std::size_t>(count), cap_ - text.size());
      text.append(buffer.data(), kept);
      truncated = truncated || kept < static_cast<std::size_t>(count);
    }
  }
  std::string text;
  bool truncated = false;

private:
  Descriptor fd_;
  std::size_t cap_;
};

} // namespace agentic
