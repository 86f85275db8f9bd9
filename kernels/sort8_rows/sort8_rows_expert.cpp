// By hand: as many rows as a vector has lanes are transposed, so that vector c holds column c of all of them; a network
// of 19 minima and maxima sorts all rows at once.
#include "sort8_rows.h"
#include "sort8_rows_bench_case.h"

#if defined(__AVX512BW__) || defined(__AVX2__)

#include <algorithm>
#include <cstring>
#include <utility>

namespace {

#if defined(__AVX512BW__)
constexpr std::size_t kBytes = 64;
#else
constexpr std::size_t kBytes = 32;
#endif
typedef std::int32_t Vector __attribute__((vector_size(kBytes)));
constexpr std::size_t kLanes = kBytes / sizeof(std::int32_t); // so many rows fill eight vectors

/// Which elements of two vectors become element i: the even or odd ones within each 128 bits, and back; the even or odd
/// parts of 128 bits, and back.
struct From {
  static constexpr std::size_t evens(std::size_t i) { return i / 4 * 4 + i % 2 * 2 + i % 4 / 2 * kLanes; }
  static constexpr std::size_t odds(std::size_t i) { return evens(i) + 1; }
  static constexpr std::size_t mixLow(std::size_t i) { return i / 4 * 4 + i % 4 / 2 + i % 2 * kLanes; }
  static constexpr std::size_t mixHigh(std::size_t i) { return mixLow(i) + 2; }
  static constexpr std::size_t evenParts(std::size_t i) { return i * 2 / kLanes * kLanes + i / 4 * 8 % kLanes + i % 4; }
  static constexpr std::size_t oddParts(std::size_t i) { return evenParts(i) + 4; }
  static constexpr std::size_t mixLowParts(std::size_t i) { return i / 8 * 4 + i / 4 % 2 * kLanes + i % 4; }
  static constexpr std::size_t mixHighParts(std::size_t i) { return mixLowParts(i) + kLanes / 2; }
};

template <auto from> Vector pick(Vector a, Vector b) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, from(i)...);
  }(std::make_index_sequence<kLanes>());
}

/// What `first` and `second` pick takes the places of two vectors whose numbers differ in `bit`.
template <unsigned bit, auto first, auto second> void exchange(Vector *v) {
  const auto pair = [v](unsigned i) {
    Vector &a = v[i / bit * 2 * bit + i % bit], &b = v[i / bit * 2 * bit + i % bit + bit];
    const Vector oldA = a;
    a = pick<first>(oldA, b);
    b = pick<second>(oldA, b);
  };
  pair(0), pair(1), pair(2), pair(3);
}

/// The three bits of a vector's number and the three of a column change places, one after the other, and back.
void sortBatch(std::int32_t *rows) {
  Vector v[8];
  for (std::size_t i = 0; i < 8; ++i)
    std::memcpy(&v[i], rows + i * kLanes, kBytes);
  exchange<1, From::evens, From::odds>(v);
  exchange<2, From::evens, From::odds>(v);
  exchange<4, From::evenParts, From::oddParts>(v);
  const auto order = [&v](unsigned low, unsigned high) {
    const Vector a = v[low];
    v[low] = a < v[high] ? a : v[high];
    v[high] = a < v[high] ? v[high] : a;
  };
  order(0, 2), order(1, 3), order(4, 6), order(5, 7);
  order(0, 4), order(1, 5), order(2, 6), order(3, 7);
  order(0, 1), order(2, 3), order(4, 5), order(6, 7);
  order(2, 4), order(3, 5);
  order(1, 4), order(3, 6);
  order(1, 2), order(3, 4), order(5, 6);
  exchange<4, From::mixLowParts, From::mixHighParts>(v);
  exchange<2, From::mixLow, From::mixHigh>(v);
  exchange<1, From::mixLow, From::mixHigh>(v);
  for (std::size_t i = 0; i < 8; ++i)
    std::memcpy(rows + i * kLanes, &v[i], kBytes);
}

void sort8Rows(std::int32_t *values, std::size_t rows) {
  for (; rows >= kLanes; rows -= kLanes, values += kLanes * 8)
    sortBatch(values);
  if (rows == 0)
    return;
  std::int32_t rest[kLanes * 8] = {};
  std::copy_n(values, rows * 8, rest);
  sortBatch(rest);
  std::copy_n(rest, rows * 8, values);
}

void BM_Sort8Rows_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<Sort8RowsCase>(state);
  std::vector<std::int32_t> expected(run.unsorted);
  sorting::sort8Rows(expected.data(), run.rows);
  run.values = run.unsorted;
  sort8Rows(run.values.data(), run.rows);
  testing_support::timeExpert(state, "the expert", run.values == expected, [&] {
    std::copy(run.unsorted.begin(), run.unsorted.end(), run.values.begin());
    sort8Rows(run.values.data(), run.rows);
    benchmark::DoNotOptimize(run.values.data());
  });
  run.report(state);
}
BENCHMARK(BM_Sort8Rows_Expert_hand)->Apply(sort8RowsSizes);

} // namespace

#endif
