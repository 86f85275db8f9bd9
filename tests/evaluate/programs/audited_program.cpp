// A program that calls a kernel again and again on the same arrays, as a benchmark does. Its arguments: how often, and
// where the inputs are. Prints which calls were its own: with the candidate, or with the baseline.
#include "audited_kernel.h"
#include "tool/runner/glue_abi.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

extern "C" __attribute__((weak)) void agentic_kernel_record(const agentic_glue *, void *, void *const *, void *);

namespace {

constexpr long kCount = 20000; // so many that a digest of a few elements misses the few that an audit changes

void *freshMemory(std::size_t bytes) {
  void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    std::abort();
  return memory;
}

long *const baselineCalls = static_cast<long *>(freshMemory(sizeof(long))); // static data would be compared

void kernel(const float *in, float *out, long n) {
  ++*baselineCalls;
  for (long i = 0; i < n; ++i)
    out[i] = 2 * in[i] + static_cast<float>(i);
}

void invoke(void *function, void *const *a, void *) {
  reinterpret_cast<AuditedKernel *>(function)(*static_cast<const float **>(a[0]), *static_cast<float **>(a[1]),
                                              *static_cast<long *>(a[2]));
}

long long extent(void *const *a) {
  return *static_cast<long *>(a[2]);
}

agentic_parameter array(const char *name, int direction) {
  agentic_parameter p{};
  p.name = name;
  p.kind = AGENTIC_POINTER;
  p.element = AGENTIC_FLOATING;
  p.direction = direction;
  p.isDeclared = 1;
  p.size = p.alignment = 8;
  p.elementSize = p.elementAlignment = 4;
  p.extent = &extent;
  return p;
}

agentic_parameter count() {
  agentic_parameter p{};
  p.name = "n";
  p.kind = AGENTIC_SCALAR;
  p.element = AGENTIC_SIGNED;
  p.size = p.alignment = 8;
  return p;
}

const agentic_parameter parameters[] = {array("in", AGENTIC_DIRECTION_IN), array("out", AGENTIC_DIRECTION_INOUT),
                                        count()};
const agentic_glue glue = {AGENTIC_GLUE_VERSION, "audited", 3, parameters, {}, nullptr, &invoke, nullptr};

// An entry is in an object of its own: never part of its caller's frame, which is compared.
__attribute__((noinline)) void call(const float *in, float *out, long n) {
  void *arguments[] = {&in, &out, &n};
  agentic_kernel_record(&glue, reinterpret_cast<void *>(&kernel), arguments, nullptr);
}

void callOften(const float *in, long calls) {
  std::vector<float> out(kCount);
  for (long i = 0; i < calls; ++i)
    call(in, out.data(), kCount);
}

/// Inputs that nobody may write.
const float *constant(const std::vector<float> &values) {
  const std::size_t bytes = values.size() * sizeof(float);
  void *memory = freshMemory(bytes);
  __builtin_memcpy(memory, values.data(), bytes);
  ::mprotect(memory, bytes, PROT_READ);
  return static_cast<const float *>(memory);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3 || !agentic_kernel_record)
    return 3;
  const long calls = std::atol(argv[1]);
  const std::string scene = argv[2];
  std::vector<float> in(kCount);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i % 97) / 8;
  const std::vector<float> before = in;
  if (scene == "threads") {
    std::thread other([&] { callOften(in.data(), calls); });
    callOften(in.data(), calls);
    other.join();
  } else {
    callOften(scene == "constant" ? constant(in) : in.data(), calls);
  }
  std::printf("%s, inputs %s\n", *baselineCalls == 0 ? "candidate" : "baseline", in == before ? "kept" : "changed");
}
