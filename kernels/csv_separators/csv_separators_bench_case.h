// What the kernel and the expert read in the benchmark: the same orders.
#pragma once

#include "bench_case.h"

#include <random>
#include <string>
#include <vector>

struct CsvSeparatorsCase {
  /// Numbers, words, a quoted name in each row, and in every third one a remark with commas and quotes.
  explicit CsvSeparatorsCase(std::size_t size) : positions(size) {
    std::mt19937 engine(7);
    const auto number = [&](unsigned limit) { return std::to_string(engine() % limit); };
    const auto word = [&] {
      std::string letters(2 + engine() % 9, ' ');
      for (char &letter : letters)
        letter = static_cast<char>('a' + engine() % 26);
      return letters;
    };
    while (text.size() < size) {
      text += number(10'000'000) + ",2024-0" + number(10) + "-1" + number(10) + ",\"" + word() + ", " + word() + "\",";
      text += word() + "," + number(1000) + "." + number(100) + "," + number(50) + ",,";
      if (engine() % 3 == 0)
        text.append("\"").append(word() + " " + word() + ", \"\"" + word() + "\"\", " + word() + "\"");
      text.append(",").append(word() + "\n");
    }
    text.resize(size);
  }

  std::string text;
  std::vector<std::uint32_t> positions;
};

/// A part of a file: with the positions that are found it fits into the second-level cache.
inline void csvSeparatorsSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(250'000)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
