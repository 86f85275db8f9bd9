// A program that calls a kernel through the recorder, like a recording entry, where calls are to be compared: one scene
// per argument. Prints a number that depends on all of the kernel's outputs.
#include "compared_kernel.h"
#include "tool/runner/glue_abi.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

extern "C" __attribute__((weak)) void agentic_kernel_record(const agentic_glue *, void *, void *const *, void *);

namespace {

std::string sceneName;
float staticPixels[24];

double kernel(const Image &in, Image &out, Rows &rows, const Node *list, int factor) {
  if (sceneName == "throws" && factor > 2)
    throw std::runtime_error("factor");
  int sum = 0;
  for (; list; list = list->next)
    sum += list->value;
  rows.resize(static_cast<std::size_t>(in.height));
  double total = 0;
  for (int y = 0; y < in.height; ++y) {
    if (y % 2 == 0) // the rest is never written
      rows[static_cast<std::size_t>(y)].reserve(static_cast<std::size_t>(in.width) + 3);
    rows[static_cast<std::size_t>(y)].assign(static_cast<std::size_t>(in.width), 0);
    for (int x = 0; x < in.width; ++x) {
      const int i = y * in.width + x;
      out.data[i] = in.data[i] * static_cast<float>(factor);
      rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = static_cast<int>(in.data[i]) * sum;
      total += out.data[i];
    }
  }
  if (sceneName == "clock") { // differs from call to call
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    out.data[0] = static_cast<float>(now.tv_nsec);
    total = out.data[0];
  }
  return total;
}

void forward(void *function, void *const *a, void *result) {
  const double value = reinterpret_cast<ComparedKernel *>(function)(
      *static_cast<const Image *>(a[0]), *static_cast<Image *>(a[1]), *static_cast<Rows *>(a[2]),
      *static_cast<const Node **>(a[3]), *static_cast<int *>(a[4]));
  std::memcpy(result, &value, sizeof value);
}

agentic_parameter parameter(const char *name, int kind, int element, int isReference, unsigned long size) {
  agentic_parameter p{};
  p.name = name;
  p.kind = kind;
  p.element = element;
  p.isReference = isReference;
  p.size = p.alignment = size;
  return p;
}

const agentic_parameter parameters[] = {parameter("in", AGENTIC_OPAQUE, AGENTIC_BYTES, 1, sizeof(Image)),
                                        parameter("out", AGENTIC_OPAQUE, AGENTIC_BYTES, 1, sizeof(Image)),
                                        parameter("rows", AGENTIC_OPAQUE, AGENTIC_BYTES, 1, sizeof(Rows)),
                                        parameter("list", AGENTIC_OPAQUE, AGENTIC_BYTES, 0, sizeof(Node *)),
                                        parameter("factor", AGENTIC_SCALAR, AGENTIC_SIGNED, 0, sizeof(int))};
const agentic_glue glue = {AGENTIC_GLUE_VERSION,
                           "compared",
                           5,
                           parameters,
                           parameter("", AGENTIC_SCALAR, AGENTIC_FLOATING, 0, sizeof(double)),
                           nullptr,
                           nullptr,
                           &forward};

// An entry is in an object of its own: never part of its caller's frame, which is compared.
__attribute__((noinline)) double call(const Image &in, Image &out, Rows &rows, const Node *list, int factor) {
  void *arguments[] = {const_cast<Image *>(&in), &out, &rows, &list, &factor};
  double result = 0;
  agentic_kernel_record(&glue, reinterpret_cast<void *>(&kernel), arguments, &result);
  return result;
}

double scene(const std::string &name) {
  const std::vector<char> ballast(name == "large" ? 100u << 20 : 0, 'x');
  Rows used; // what is allocated later was something else before
  for (int i = 0; i < 20; ++i)
    used.emplace_back(9, 1000 + i);
  used = Rows();
  std::vector<float> pixels(24), results(24);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<float>(i) + 0.5f;
  float stackPixels[24] = {};
  const Node last{2, nullptr}, first{1, &last};
  const Image in{6, 4, pixels.data()};
  Image out{6, 4, name == "static" ? staticPixels : name == "stack" ? stackPixels : results.data()};
  Rows rows;
  double total = 0;
  for (int factor = 1; factor <= (name == "many" ? 1000 : name == "same" ? 12 : 3); ++factor)
    try {
      total += call(in, out, rows, &first, name == "same" ? 2 : factor);
    } catch (const std::runtime_error &) {
      total += 1000;
    }
  for (int i = 0; i < 24; ++i)
    total += out.data[i] + rows[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)];
  return total;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 || !agentic_kernel_record)
    return 3;
  sceneName = argv[1];
  static const pid_t own = ::getpid();
  std::atexit([] {
    while (::getpid() != own) // nothing of the program's end happens in a fork
      ::pause();
  });
  std::printf("before "); // stays in the buffer while the program forks
  std::atomic<bool> isOver = sceneName != "threads";
  std::vector<std::size_t> busy(64);
  std::thread other;
  const auto churns = [&] {
    while (!isOver) {
      std::vector<std::size_t> churn(1000, busy[3]++);
      busy[churn[5] % 64] += churn.size();
    }
  };
  if (!isOver)
    other = std::thread(churns);
  const double total = scene(sceneName);
  isOver = true;
  if (other.joinable())
    other.join();
  std::printf("%g\n", sceneName == "clock" ? 0 : total);
}
