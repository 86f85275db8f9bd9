// The file of recorded calls: records are appended with plain write(), from the program's own memory without a copy.
// Any failure ends the recording, never the program. Not for several threads at once.
#pragma once

#include "tool/runner/wire.h"

#include <cstddef>
#include <cstdint>

namespace agentic::recorder {

class RecordFile {
public:
  enum class Outcome { Written, Unreadable, Failed };

  /// Creates a new file; an existing one belongs to another process.
  bool open(const char *path);
  bool isOpen() const { return descriptor_ >= 0; }
  void close();

  std::uint64_t position() const { return position_; }
  /// Returns the bytes that still fit.
  std::uint64_t room() const { return limit_ > position_ ? limit_ - position_ : 0; }

  /// Returns Unreadable if not all of `data` is memory; the written part of it does not count.
  Outcome append(const void *data, std::size_t size);
  /// Appends with zeros to a multiple of 8 bytes.
  Outcome appendPadded(const void *data, std::size_t size);
  bool rewrite(std::uint64_t at, const void *data, std::size_t size);
  /// Takes back everything from `position` on.
  void rewind(std::uint64_t position);
  /// Goes on behind what a fork appended meanwhile. Returns whether that could be done.
  bool catchUp();

private:
  int descriptor_ = -1;
  std::uint64_t position_ = 0, limit_ = 0;
};

inline constexpr std::uint64_t kMostBytes = 96u << 20, kMostCallBytes = 64u << 20;

using wire::padded;

} // namespace agentic::recorder
