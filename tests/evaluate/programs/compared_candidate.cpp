// Replacements for the kernel of compared_program.cpp, chosen by a macro.
#include "compared_kernel.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

namespace {

int sumOf(const Node *list) {
  int sum = 0;
  for (; list; list = list->next)
    sum += list->value;
  return sum;
}

/// Works in another order and with other allocations than the baseline.
double replacement(const Image &in, Image &out, Rows &rows, const Node *list, int factor) {
  const int sum = sumOf(list), size = in.width * in.height;
  Rows made;
  made.reserve(static_cast<std::size_t>(in.height) + 7);
  std::vector<double> scratch(static_cast<std::size_t>(size));
  for (int y = 0; y < in.height; ++y) {
    std::vector<int> row;
    for (int x = 0; x < in.width; ++x)
      row.push_back(static_cast<int>(in.data[y * in.width + x]) * sum);
    made.push_back(std::move(row));
  }
  double total = 0;
  for (int i = size; i-- > 0;) {
    out.data[i] = static_cast<float>(scratch[static_cast<std::size_t>(i)] = in.data[i] * static_cast<double>(factor));
    total += out.data[i];
  }
#if defined(SKIPS_LAST)
  out.data[size - 1] = 0;
#elif defined(ROUNDS)
  for (int i = 0; i < size; ++i)
    out.data[i] *= 1 + 1e-6f;
#elif defined(WRONG_ROW)
  made.back().back() += 1;
#elif defined(SHORT_ROW)
  made.back().pop_back();
  made.back().shrink_to_fit();
#elif defined(WRONG_RESULT)
  total += 0.5;
#elif defined(CHANGES_INPUT)
  in.data[1] += 1;
#elif defined(CHANGES_SHAPE)
  out.width += 1;
#elif defined(DIES)
  ::raise(SIGSEGV);
#elif defined(THROWS)
  throw std::runtime_error("no");
#elif defined(ENDS)
  ::_exit(0);
#elif defined(TALKS)
  std::puts("[  PASSED  ]");
  std::fflush(stdout);
  if (::write(4, "x", 1) == 1 || ::write(5, "x", 1) == 1 || ::write(6, "x", 1) == 1)
    total += 1;
#elif defined(COUNTS)
  static volatile int calls = 0;
  calls = calls + 1;
#elif defined(HANGS)
  for (volatile int i = 1; i;) {
  }
#endif
  rows = std::move(made);
  return total;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void *agentic_kernel_entry_compared(void *) {
  return reinterpret_cast<void *>(&replacement);
}
