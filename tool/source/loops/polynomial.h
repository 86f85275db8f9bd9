// Integer polynomials over loop variables and invariants, for subscripts and loop bounds, e.g. i*K + j.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace agentic::moves {

/// A variable of the nest, or an opaque invariant such as `K / 32` (see Nest::opaque).
using Symbol = int;

class Polynomial {
public:
  Polynomial() = default;
  static Polynomial constant(std::int64_t value);
  static Polynomial symbol(Symbol symbol);

  /// Returns nullopt when a coefficient would leave 62 bits or there are too many terms: such a subscript is unknown.
  static std::optional<Polynomial> add(const Polynomial &left, const Polynomial &right);
  static std::optional<Polynomial> subtract(const Polynomial &left, const Polynomial &right);
  static std::optional<Polynomial> multiply(const Polynomial &left, const Polynomial &right);

  bool isZero() const { return terms_.empty(); }
  std::optional<std::int64_t> asConstant() const;
  std::int64_t constantTerm() const;
  bool mentions(Symbol symbol) const;
  std::vector<Symbol> symbols() const;

  /// Splits this = coefficient * symbol + rest with neither mentioning `symbol`; nullopt if it is not linear in it.
  struct Linear;
  std::optional<Linear> linearIn(Symbol symbol) const;

  /// Returns its value when symbols have the values that `valueOf` returns.
  double evaluate(const std::function<double(Symbol)> &valueOf) const;

  /// Splits this = quotient * divisor + rest; terms that cannot be divided stay in the rest. `divisor` is not zero.
  struct Division;
  Division dividedBy(const Polynomial &divisor) const;

  using Monomial = std::vector<Symbol>; ///< sorted, with repetitions
  const std::map<Monomial, std::int64_t> &terms() const { return terms_; }

  bool operator==(const Polynomial &) const = default;

private:
  static std::optional<Polynomial> combine(const Polynomial &left, const Polynomial &right, std::int64_t sign);
  std::map<Monomial, std::int64_t> terms_; // no zero coefficients
};

struct Polynomial::Linear {
  Polynomial coefficient, rest;
};

struct Polynomial::Division {
  Polynomial quotient, rest;
};

} // namespace agentic::moves
