// A program that calls a kernel through the recorder, as a recording entry does: one scene per argument.
#include "tool/runner/glue_abi.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" __attribute__((weak)) void agentic_kernel_record(const agentic_glue *, void *, void *const *, void *);

namespace {

/// int kernel(const int *in, int *out, long n, std::vector<int> &range): out[i] = 2 * in[i] if out is not null.
int kernel(const int *in, int *out, long n, std::vector<int> &range) {
  if (n < 0)
    throw std::runtime_error("negative");
  for (long i = 0; i < n && out; ++i)
    out[i] = 2 * in[i];
  for (int &value : range)
    ++value;
  if (n == 99)
    range.push_back(1);
  return static_cast<int>(n);
}

void invoke(void *function, void *const *a, void *result) {
  const int value = reinterpret_cast<int (*)(const int *, int *, long, std::vector<int> &)>(function)(
      *static_cast<const int **>(a[0]), *static_cast<int **>(a[1]), *static_cast<long *>(a[2]),
      *static_cast<std::vector<int> *>(a[3]));
  std::memcpy(result, &value, sizeof value);
}

long long extent(void *const *a) {
  return *static_cast<long *>(a[2]);
}

void view(const void *object, const void **elements, unsigned long *count) {
  *elements = static_cast<const std::vector<int> *>(object)->data();
  *count = static_cast<const std::vector<int> *>(object)->size();
}

agentic_parameter parameter(const char *name, int kind, int direction, unsigned long size, unsigned long elementSize) {
  agentic_parameter p{};
  p.name = name;
  p.kind = kind;
  p.element = AGENTIC_SIGNED;
  p.direction = direction;
  p.size = p.alignment = size;
  p.elementSize = p.elementAlignment = elementSize;
  return p;
}

struct Glue {
  agentic_parameter parameters[4] = {
      parameter("in", AGENTIC_POINTER, AGENTIC_DIRECTION_IN, 8, 4),
      parameter("out", AGENTIC_POINTER, AGENTIC_DIRECTION_INOUT, 8, 4),
      parameter("n", AGENTIC_SCALAR, AGENTIC_DIRECTION_IN, 8, 0),
      parameter("range", AGENTIC_RANGE, AGENTIC_DIRECTION_INOUT, sizeof(std::vector<int>), 4)};
  agentic_glue glue{};
  explicit Glue(bool isDeclared) {
    parameters[0].extent = isDeclared ? &extent : nullptr;
    parameters[3].view = &view;
    parameters[3].isReference = 1;
    glue = {AGENTIC_GLUE_VERSION,
            "kernel",
            4,
            parameters,
            parameter("", AGENTIC_SCALAR, AGENTIC_DIRECTION_OUT, 4, 0),
            nullptr,
            &invoke};
  }
};

std::vector<int> range(3, 7);

int call(const Glue &glue, const int *in, int *out, long n, std::vector<int> &own = range) {
  void *arguments[] = {&in, &out, &n, &own};
  int result = 0;
  if (agentic_kernel_record)
    agentic_kernel_record(&glue.glue, reinterpret_cast<void *>(&kernel), arguments, &result);
  else
    std::_Exit(3);
  return result;
}

int scene(const std::string &name) {
  const Glue declared(true), plain(false);
  std::vector<int> in(1000, 5), out(1000, 1);
  int onStack[8] = {};
  if (name == "inside") // the rest of the block, from an element in its middle
    call(plain, in.data() + 900, out.data() + 950, 10);
  if (name == "stack")
    call(plain, onStack, out.data(), 4);
  if (name == "null")
    call(declared, in.data(), nullptr, 4);
  if (name == "freed") {
    int *block = static_cast<int *>(std::malloc(100 * sizeof(int)));
    block = static_cast<int *>(std::realloc(block, 10 * sizeof(int)));
    std::memset(block, 0, 10 * sizeof(int));
    call(plain, block, out.data(), 4);
    int *volatile dangling = block;
    std::free(block);
    call(plain, dangling, nullptr, 4);
  }
  if (name == "shapes")
    for (int i = 0; i < 3000; ++i)
      call(declared, in.data(), out.data(), i % 300);
  if (name == "same")
    for (int i = 0; i < 100000; ++i)
      call(declared, in.data(), out.data(), 3);
  if (name == "negative" || name == "throws")
    for (long n : {name == "negative" ? 5L : -1L, 6L})
      try {
        call(name == "negative" ? declared : plain, in.data(), out.data(), n);
      } catch (const std::runtime_error &) {
      }
  if (name == "lies") { // an extent that reaches far beyond all memory of the stack
    call(declared, onStack, nullptr, 1L << 36);
    call(declared, in.data(), out.data(), 5);
  }
  if (name == "large") {
    std::vector<int> huge(20u << 20, 1);
    call(declared, huge.data(), nullptr, 20 << 20);
    call(declared, in.data(), out.data(), 5);
  }
  if (name == "resized")
    call(declared, in.data(), out.data(), 99);
  if (name == "forks") {
    call(declared, in.data(), out.data(), 1);
    const pid_t child = ::fork();
    if (child == 0) {
      call(declared, in.data(), out.data(), 2);
      std::_Exit(0);
    }
    ::waitpid(child, nullptr, 0);
    call(declared, in.data(), out.data(), 3);
  }
  if (name == "threads") {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::vector<int> mine(64, t), result(64);
        for (int i = 0; i < 2000; ++i) {
          std::vector<int> churn(static_cast<std::size_t>(i % 50 + 1), i);
          std::vector<int> own(2, 1);
          call(declared, mine.data(), result.data(), 1 + i % 7, own);
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  if (name == "slices") { // one array for all threads, as a parallel loop has it
    constexpr long kEach = 1 << 15;
    std::vector<int> shared(4 * kEach);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::vector<int> mine(kEach);
        for (int i = 1; i <= 200; ++i) {
          std::fill(mine.begin(), mine.end(), i);
          std::vector<int> own(2, 1);
          call(plain, mine.data(), shared.data() + t * kEach, kEach - i % 7, own);
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  return argc == 2 ? scene(argv[1]) : 2;
}
