#include "tool/source/moves/byte_lanes.h"

#include <algorithm>
#include <limits>

namespace agentic::moves {
namespace {

/// Operations of a comparison, a mask and a sum, and of a change between bytes and numbers.
constexpr int kStep = 3, kSwitch = 2;
constexpr int kMostOperations = 48, kMostSingles = 6;

struct Entry {
  int byte = 0; ///< signed
  int value = 0;
};

/// Neighbouring entries that are the byte + added, or `added` alone, but for single ones.
struct Piece {
  std::size_t begin = 0;
  bool countsByte = false;
  int added = 0;
};

int addedTo(const Entry &entry, bool countsByte) {
  return (entry.value - (countsByte ? entry.byte : 0)) & 255;
}

/// The cheapest pieces from each entry to the last one.
struct Best {
  int operations = std::numeric_limits<int>::max();
  std::size_t end = 0;
  bool countsByte = false;
};

std::vector<Piece> piecesOf(const std::vector<Entry> &entries, bool mayCount, bool mayBeConstant) {
  std::vector<Best> best(entries.size() + 1);
  best.back().operations = 0;
  for (std::size_t begin = entries.size(); begin-- > 0;)
    for (const bool countsByte : {true, false}) {
      if (countsByte ? !mayCount : !mayBeConstant)
        continue;
      const int added = addedTo(entries[begin], countsByte);
      int singles = 0;
      for (std::size_t end = begin + 1; end <= entries.size() && singles <= kMostSingles; ++end) {
        const int operations = kStep * (1 + singles) + best[end].operations;
        if (operations < best[begin].operations)
          best[begin] = {operations, end, countsByte};
        if (end < entries.size())
          singles += addedTo(entries[end], countsByte) != added;
      }
    }
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < entries.size(); at = best[at].end) {
    const bool isAlone = best[at].end == at + 1 && mayCount && mayBeConstant;
    const bool countsByte = isAlone && !pieces.empty() ? pieces.back().countsByte : best[at].countsByte;
    pieces.push_back({at, countsByte, addedTo(entries[at], countsByte)});
  }
  return pieces;
}

ByteSteps written(const std::vector<Entry> &entries, const std::vector<Piece> &pieces) {
  ByteSteps steps{.beginsWithByte = pieces[0].countsByte, .first = pieces[0].added, .steps = {}, .singles = {}};
  steps.operations = steps.first != 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece &piece = pieces[i];
    if (i > 0) {
      const bool switches = piece.countsByte != pieces[i - 1].countsByte;
      const int add = (piece.added - pieces[i - 1].added) & 255;
      // Of the places between two entries, one that testOf is likely to have, too.
      const int last = entries[piece.begin - 1].byte;
      const bool isAlone = piece.begin < 2 || entries[piece.begin - 2].byte != last - 1;
      steps.steps.push_back({isAlone ? entries[piece.begin].byte - 1 : last, add, switches});
      steps.operations += kStep * (add != 0) + kSwitch * switches;
      steps.isMixed |= switches;
    }
    const std::size_t end = i + 1 < pieces.size() ? pieces[i + 1].begin : entries.size();
    for (std::size_t at = piece.begin; at < end; ++at)
      if (const int add = (addedTo(entries[at], piece.countsByte) - piece.added) & 255; add != 0) {
        steps.singles.push_back({entries[at].byte, add, false});
        steps.operations += kStep;
      }
  }
  return steps;
}

} // namespace

std::optional<ByteSteps> stepsOf(const ByteTable &table) {
  std::vector<Entry> entries;
  for (int byte = -128; byte < 128; ++byte)
    if (const int value = table[static_cast<std::size_t>(byte & 255)]; value != kNever)
      entries.push_back({byte, value});
  if (entries.empty())
    return std::nullopt;
  std::optional<ByteSteps> best;
  for (const auto &[mayCount, mayBeConstant] :
       {std::pair{true, false}, std::pair{false, true}, std::pair{true, true}}) {
    ByteSteps steps = written(entries, piecesOf(entries, mayCount, mayBeConstant));
    if (steps.operations <= (best ? best->operations - 1 : kMostOperations))
      best = std::move(steps);
  }
  return best;
}

ByteTest testOf(const std::vector<bool> &isIn) {
  const auto has = [&](int byte) { return isIn[static_cast<std::size_t>(byte & 255)]; };
  ByteTest test{.begins = has(-128), .places = {}};
  for (int byte = -127; byte < 128; ++byte) {
    if (has(byte) == has(byte - 1))
      continue;
    const bool isAlone = byte == 127 || has(byte + 1) != has(byte);
    test.places.push_back({isAlone ? byte : byte - 1, isAlone});
    byte += isAlone; // the next change is the way back
  }
  return test;
}

namespace {

/// Entries for the upper halves: what most bytes of each need, and the others as single ones.
std::optional<ByteShuffle> byUpperHalf(const ByteTable &table, bool countsByte) {
  ByteShuffle shuffle{.countsByte = countsByte, .byUpperHalf = true, .entries = {}, .singles = {}};
  shuffle.operations = 2 + 1 + countsByte;
  for (int half = 0; half < 16; ++half) {
    std::vector<Entry> entries;
    for (int byte = 16 * half; byte < 16 * half + 16; ++byte)
      if (const int value = table[static_cast<std::size_t>(byte)]; value != kNever)
        entries.push_back({byte, value});
    int most = 0;
    shuffle.entries.push_back(0);
    for (const Entry &one : entries) {
      const int added = addedTo(one, countsByte);
      const auto count = static_cast<int>(
          std::ranges::count_if(entries, [&](const Entry &other) { return addedTo(other, countsByte) == added; }));
      if (count > most) {
        most = count;
        shuffle.entries.back() = added;
      }
    }
    for (const Entry &one : entries)
      if (const int add = (addedTo(one, countsByte) - shuffle.entries.back()) & 255; add != 0) {
        shuffle.singles.push_back({one.byte < 128 ? one.byte : one.byte - 256, add, false});
        shuffle.operations += kStep;
      }
  }
  return shuffle.operations <= kMostOperations / 2 ? std::optional(shuffle) : std::nullopt;
}

} // namespace

std::optional<ByteShuffle> shuffleOf(const ByteTable &table) {
  if (std::ranges::all_of(table.begin() + 16, table.end(), [](int value) { return value == kNever; })) {
    ByteShuffle shuffle{.entries = {table.begin(), table.begin() + 16}, .singles = {}, .operations = 1};
    for (int &value : shuffle.entries)
      value = value == kNever ? 0 : value;
    return shuffle;
  }
  std::optional<ByteShuffle> best;
  for (const bool countsByte : {true, false}) {
    auto shuffle = byUpperHalf(table, countsByte);
    if (shuffle && (!best || shuffle->operations < best->operations))
      best = std::move(shuffle);
  }
  return best;
}

std::optional<ByteFunction> byteFunctionOf(const ByteTable &table) {
  ByteFunction function{.steps = stepsOf(table), .shuffle = shuffleOf(table)};
  if (function.steps && function.shuffle && function.steps->operations <= function.shuffle->operations)
    function.shuffle.reset();
  return function.steps || function.shuffle ? std::optional(std::move(function)) : std::nullopt;
}

std::optional<HalvesTest> halvesOf(const std::vector<bool> &isIn) {
  HalvesTest test{.lower = std::vector<int>(16), .upper = std::vector<int>(16)};
  std::vector<unsigned> rows; // the different sets of lower halves
  for (std::size_t upper = 0; upper < 16; ++upper) {
    unsigned row = 0;
    for (std::size_t lower = 0; lower < 16; ++lower)
      row |= static_cast<unsigned>(isIn[16 * upper + lower]) << lower;
    if (row == 0)
      continue;
    const auto found = std::ranges::find(rows, row);
    const auto bit = found - rows.begin();
    if (found == rows.end())
      rows.push_back(row);
    if (rows.size() > 8)
      return std::nullopt;
    test.upper[upper] = 1 << bit;
    test.hasHighBit |= upper >= 8;
    for (std::size_t lower = 0; lower < 16; ++lower)
      test.lower[lower] |= static_cast<int>(row >> lower & 1) << bit;
  }
  return test;
}

} // namespace agentic::moves
