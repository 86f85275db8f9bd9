// Reads a plan in the program under MemorySanitizer (memory_driver.cpp), and ends that program on errors. Part of its
// text: uses no C++ library.
#pragma once

#include "tool/runner/wire.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr size_t kPage = 4096;

[[noreturn]] void end(const char *what) {
  fputs(what, stdout);
  fputc('\n', stdout);
  fflush(stdout);
  _exit(0);
}

[[noreturn]] void problem(const char *text) {
  fputs("problem ", stdout);
  end(text);
}

template <class T> T *allocate(size_t count, size_t alignment = 16) {
  void *memory = nullptr;
  const size_t bytes = count * sizeof(T);
  if (posix_memalign(&memory, alignment < 16 ? 16 : alignment, bytes ? bytes : 1) != 0)
    problem("no memory");
  return static_cast<T *>(memory);
}

// The plan: the tool wrote it completely.

struct Reader {
  const char *at, *end;

  template <class T> T take() {
    T value;
    memcpy(&value, bytes(sizeof value), sizeof value);
    return value;
  }
  const char *bytes(size_t count) {
    if (size_t(end - at) < count)
      problem("the plan is damaged");
    const char *begin = at;
    at += count;
    return begin;
  }
  const char *padded(size_t count) {
    if (count > SIZE_MAX - 8)
      problem("the plan is damaged");
    return bytes(wire::padded(count));
  }
};

Reader open(const char *path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0)
    problem("the plan cannot be read");
  void *memory = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  if (memory == MAP_FAILED)
    problem("the plan cannot be mapped");
  ::close(file);
  return {static_cast<const char *>(memory), static_cast<const char *>(memory) + status.st_size};
}

struct PlannedArgument {
  wire::Argument header;
  const char *payload;
};
struct PlannedCall {
  PlannedArgument *arguments;
  size_t count;
};
struct PlannedPatch {
  wire::Patch header;
  const char *bytes;
};

PlannedCall readCall(Reader &reader) {
  const wire::Call header = reader.take<wire::Call>();
  PlannedCall call{allocate<PlannedArgument>(header.argumentCount), header.argumentCount};
  for (size_t i = 0; i < call.count; ++i) {
    call.arguments[i].header = reader.take<wire::Argument>();
    call.arguments[i].payload = reader.padded(call.arguments[i].header.bytes);
  }
  reader.padded(header.resultBytes);
  return call;
}

} // namespace
} // namespace agentic
