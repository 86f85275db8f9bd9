// Part of the programs that pattern_sketches_test generates: it calls `before` and `after` of a sketch on the same
// random arrays and compares. Arrays have exactly the length that is asked for, so that AddressSanitizer sees an access
// beside them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace sketches {

using Count = std::size_t (*)(std::size_t n);

struct Settings {
  double tolerance = 0;     ///< 0: the same bits, where any NaN equals any other
  double low = 0, high = 0; ///< of the inputs, where isRanged
  bool isRanged = false;    ///< otherwise any value of the type, NaN and infinities included
  bool isAscending = false; ///< inputs are sorted
  std::vector<std::size_t> sizes;
  std::vector<Count> elements; ///< of each array, as functions of n; one for all if there is one alone
};

inline std::uint64_t next() {
  static std::uint64_t state = 1;
  std::uint64_t bits = (state += 0x9e3779b97f4a7c15u);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

inline double unit() {
  return static_cast<double>(next() >> 11) / 9007199254740992.0;
}

constexpr int kRounds = 5;

/// Returns a value for a round: any, small, extreme, like the one before it if there is one, or a mixture.
template <class A> A value(const Settings &settings, int round, const A *last) {
  if (round == kRounds - 1)
    round = static_cast<int>(next() % (kRounds - 1));
  if (round == 3 && last && next() % 8 != 0)
    return *last;
  if (settings.isRanged) {
    const double at = round == 2 ? static_cast<double>(next() % 2) : unit();
    const double real = settings.low + at * (settings.high - settings.low);
    if constexpr (std::is_integral_v<A>)
      return static_cast<A>(std::llround(real));
    else
      return static_cast<A>(real);
  }
  if (round == 1)
    return static_cast<A>(next() % 5);
  using Limits = std::numeric_limits<A>;
  if constexpr (std::is_integral_v<A>) {
    const A extremes[] = {Limits::min(), Limits::max(), 0, 1, static_cast<A>(-1), static_cast<A>(Limits::max() / 2)};
    return round == 2 ? extremes[next() % 6] : static_cast<A>(next());
  } else {
    const A extremes[] = {-Limits::infinity(),  Limits::max(),    0, static_cast<A>(-0.0), Limits::quiet_NaN(),
                          Limits::denorm_min(), Limits::lowest(), 1, Limits::infinity()};
    return round == 2 ? extremes[next() % 9] : static_cast<A>((unit() - 0.5) * std::exp2(double(next() % 40) - 20));
  }
}

template <class A> struct Array {
  std::size_t size;
  std::unique_ptr<A[]> data;

  Array(const Settings &settings, int round, std::size_t count, bool isInput = true) : size(count), data(new A[count]) {
    for (std::size_t i = 0; i < count; ++i)
      data[i] = value<A>(settings, round, i > 0 ? &data[i - 1] : nullptr);
    if (isInput && settings.isAscending) // NaN behind all others
      std::sort(data.get(), data.get() + count, [](A x, A y) { return x < y || (x == x && y != y); });
  }
  Array(const Array &other) : size(other.size), data(new A[other.size]) {
    std::copy_n(other.data.get(), size, data.get());
  }
};

template <class T> bool same(const Settings &settings, T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x) || std::isnan(y))
      return std::isnan(x) && std::isnan(y);
    if (settings.tolerance > 0 && std::isfinite(x) && std::isfinite(y)) // of 1 for small values: sums cancel
      return std::fabs(x - y) <= settings.tolerance * std::max({T(1), std::fabs(x), std::fabs(y)});
    return std::memcmp(&x, &y, sizeof x) == 0;
  } else {
    return x == y;
  }
}

inline int failures = 0;

template <class T>
void expect(const Settings &settings, const char *name, std::size_t n, int round, std::size_t at, T x, T y) {
  if (!same(settings, x, y) && failures++ < 20)
    std::printf("%s: n %zu, round %d, element %zu: before %.17g, after %.17g\n", name, n, round, at,
                static_cast<double>(x), static_cast<double>(y));
}

template <class T>
void expect(const Settings &settings, const char *name, std::size_t n, int round, const Array<T> &x,
            const Array<T> &y) {
  for (std::size_t i = 0; i < x.size; ++i)
    if (!same(settings, x.data[i], y.data[i]))
      return expect(settings, name, n, round, i, x.data[i], y.data[i]);
}

/// Calls `run(n, round)` for each size and round.
template <class Run> void each(const Settings &settings, const char *name, Run run) {
  std::fprintf(stderr, "%s\n", name); // the last line on stderr names the sketch that a sanitizer ended
  for (const std::size_t n : settings.sizes)
    for (int round = 0; round < kRounds; ++round)
      run(n, round);
}

inline std::size_t count(const Settings &settings, std::size_t array, std::size_t n) {
  return settings.elements[std::min(array, settings.elements.size() - 1)](n);
}

template <class T, class A>
void compare(const char *name, const Settings &settings, T (*before)(const A *, std::size_t),
             T (*after)(const A *, std::size_t)) {
  each(settings, name, [&](std::size_t n, int round) {
    const Array<A> a(settings, round, count(settings, 0, n));
    expect(settings, name, n, round, 0, before(a.data.get(), n), after(a.data.get(), n));
  });
}

template <class T, class A, class B>
void compare(const char *name, const Settings &settings, T (*before)(const A *, const B *, std::size_t),
             T (*after)(const A *, const B *, std::size_t)) {
  each(settings, name, [&](std::size_t n, int round) {
    const Array<A> a(settings, round, count(settings, 0, n));
    const Array<B> b(settings, round, count(settings, 1, n));
    expect(settings, name, n, round, 0, before(a.data.get(), b.data.get(), n), after(a.data.get(), b.data.get(), n));
  });
}

template <class A, class B>
void compare(const char *name, const Settings &settings, void (*before)(const A *, B *, std::size_t),
             void (*after)(const A *, B *, std::size_t)) {
  each(settings, name, [&](std::size_t n, int round) {
    const Array<A> a(settings, round, count(settings, 0, n));
    Array<B> x(settings, round, count(settings, 1, n), false), y = x;
    before(a.data.get(), x.data.get(), n);
    after(a.data.get(), y.data.get(), n);
    expect(settings, name, n, round, x, y);
  });
}

template <class A, class B, class C>
void compare(const char *name, const Settings &settings, void (*before)(const A *, const B *, C *, std::size_t),
             void (*after)(const A *, const B *, C *, std::size_t)) {
  each(settings, name, [&](std::size_t n, int round) {
    const Array<A> a(settings, round, count(settings, 0, n));
    const Array<B> b(settings, round, count(settings, 1, n));
    Array<C> x(settings, round, count(settings, 2, n), false), y = x;
    before(a.data.get(), b.data.get(), x.data.get(), n);
    after(a.data.get(), b.data.get(), y.data.get(), n);
    expect(settings, name, n, round, x, y);
  });
}

template <class A>
void compare(const char *name, const Settings &settings, void (*before)(A *, std::size_t),
             void (*after)(A *, std::size_t)) {
  each(settings, name, [&](std::size_t n, int round) {
    Array<A> x(settings, round, count(settings, 0, n)), y = x;
    before(x.data.get(), n);
    after(y.data.get(), n);
    expect(settings, name, n, round, x, y);
  });
}

} // namespace sketches
