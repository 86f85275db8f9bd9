// What the kernel and the expert compare in the benchmark: the same texts.
#pragma once

#include "bench_case.h"

#include <cctype>
#include <random>
#include <string>

struct EqualIgnoringCaseCase {
  /// Words, numbers and signs; b is a with other letters large, and differs in its last byte.
  explicit EqualIgnoringCaseCase(std::size_t size) : a(size, ' ') {
    std::mt19937 engine(7);
    for (char &c : a)
      c = engine() % 8 == 0 ? "  -:;,/0123456789"[engine() % 17] : static_cast<char>('a' + engine() % 26);
    b = a;
    for (std::string *text : {&a, &b})
      for (char &c : *text)
        if (engine() % 8 == 0)
          c = static_cast<char>(std::toupper(c));
    a.back() = 'x';
    b.back() = 'y';
  }

  std::string a, b;
};

/// Two versions of a file's text, both in the second-level cache.
inline void equalIgnoringCaseSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(60'000)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
