extern "C" {
#include "c/enc/utf8_util.h"
}

#include <benchmark/benchmark.h>

#include <string>

static void utf8(benchmark::State &state) {
  std::string text;
  while (text.size() < 65536)
    text += "Sch\xc3\xb6ne Gr\xc3\xbc\xc3\x9f"
            "e, and a line of plain text that is longer. ";
  text.resize(65536);
  for (auto _ : state)
    benchmark::DoNotOptimize(BrotliIsMostlyUTF8(reinterpret_cast<const uint8_t *>(text.data()), 0, 65535, 65536, 0.75));
}
BENCHMARK(utf8);
