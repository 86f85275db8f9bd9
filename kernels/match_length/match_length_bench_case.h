// What the kernel and the expert compare in the benchmark: the same text and the same pairs.
#pragma once

#include "bench_case.h"

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

/// A text of words, some much more frequent than others, and for each fourth place the last one before it that begins
/// with the same four bytes, as a compressor's hash table gives it.
struct MatchLengthCase {
  static constexpr std::size_t kLimit = 258; // deflate's

  explicit MatchLengthCase(std::size_t size) {
    std::mt19937 engine(7);
    std::vector<std::string> words(1000);
    for (std::string &word : words) {
      word.resize(2 + engine() % 9);
      for (char &letter : word)
        letter = static_cast<char>('a' + engine() % 26);
      word += ' ';
    }
    while (text.size() < size) {
      const std::string &word = words[engine() % 1000 * (engine() % 1000) / 1000];
      text.insert(text.end(), word.begin(), word.end());
    }
    text.resize(size);

    std::map<std::uint32_t, std::uint32_t> last;
    for (std::uint32_t position = 0; position + 4 <= size; ++position) {
      std::uint32_t start;
      std::memcpy(&start, text.data() + position, sizeof start);
      if (const auto found = last.find(start); found != last.end() && position % 4 == 0) {
        candidates.push_back(found->second);
        positions.push_back(position);
      }
      last[start] = position;
    }
    lengths.resize(positions.size());
  }

  void report(benchmark::State &state) const {
    testing_support::report(state, lengths.size(), lengths.size() * 3 * sizeof(lengths[0]));
  }

  std::vector<std::uint8_t> text;
  std::vector<std::uint32_t> candidates, positions, lengths;
};

/// In the second-level cache with its pairs, and more than a branch predictor learns by heart from call to call, which
/// it does with a quarter of it.
constexpr std::int64_t kMatchLengthSize = 1 << 18;
