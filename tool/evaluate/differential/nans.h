// The NaNs that are tried. All are quiet: compilers take no care of signalling ones, so that honest code may differ in
// them (a call of fmin() gives a NaN where the inlined one gives the other operand).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace agentic {

template <class T> struct Nans {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr Bits kUsual = std::bit_cast<Bits>(std::numeric_limits<T>::quiet_NaN());

  static constexpr T usual() { return std::bit_cast<T>(kUsual); }
  static constexpr T lowest() { return std::bit_cast<T>(static_cast<Bits>(kUsual | 1)); }
  /// Rounding its bits up makes them overflow, into the sign.
  static constexpr T largest() { return std::bit_cast<T>(static_cast<Bits>(~Bits(0) >> 1)); }
  static constexpr T negative() { return std::bit_cast<T>(static_cast<Bits>(~Bits(0))); }

  static T any(std::mt19937_64 &random) {
    const std::array all = {usual(), lowest(), largest(), negative()};
    return all[random() % all.size()];
  }
};

} // namespace agentic
