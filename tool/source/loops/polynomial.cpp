#include "tool/source/loops/polynomial.h"

#include <algorithm>
#include <iterator>

namespace agentic::moves {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;
constexpr std::size_t kMostTerms = 64; // products of sums grow without bound; real subscripts have a handful

/// Returns false when the sum leaves the range.
bool accumulate(std::int64_t &target, std::int64_t value) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(target, value, &sum) || sum > kLargest || sum < -kLargest)
    return false;
  target = sum;
  return true;
}

} // namespace

Polynomial Polynomial::constant(std::int64_t value) {
  Polynomial result;
  if (value != 0)
    result.terms_[{}] = value;
  return result;
}

Polynomial Polynomial::symbol(Symbol symbol) {
  Polynomial result;
  result.terms_[{symbol}] = 1;
  return result;
}

std::optional<Polynomial> Polynomial::combine(const Polynomial &left, const Polynomial &right, std::int64_t sign) {
  Polynomial result = left;
  for (const auto &[monomial, coefficient] : right.terms_) {
    std::int64_t &target = result.terms_[monomial];
    if (!accumulate(target, sign * coefficient))
      return std::nullopt;
    if (target == 0)
      result.terms_.erase(monomial);
  }
  return result.terms_.size() > kMostTerms ? std::nullopt : std::optional(result);
}

std::optional<Polynomial> Polynomial::add(const Polynomial &left, const Polynomial &right) {
  return combine(left, right, 1);
}

std::optional<Polynomial> Polynomial::subtract(const Polynomial &left, const Polynomial &right) {
  return combine(left, right, -1);
}

std::optional<Polynomial> Polynomial::multiply(const Polynomial &left, const Polynomial &right) {
  Polynomial result;
  for (const auto &[leftMonomial, leftCoefficient] : left.terms_)
    for (const auto &[rightMonomial, rightCoefficient] : right.terms_) {
      std::int64_t product = 0;
      if (__builtin_mul_overflow(leftCoefficient, rightCoefficient, &product))
        return std::nullopt;
      Monomial monomial = leftMonomial;
      monomial.insert(monomial.end(), rightMonomial.begin(), rightMonomial.end());
      std::ranges::sort(monomial);
      std::int64_t &target = result.terms_[monomial];
      if (!accumulate(target, product))
        return std::nullopt;
      if (target == 0)
        result.terms_.erase(monomial);
    }
  return result.terms_.size() > kMostTerms ? std::nullopt : std::optional(result);
}

std::optional<std::int64_t> Polynomial::asConstant() const {
  if (terms_.empty())
    return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty())
    return terms_.begin()->second;
  return std::nullopt;
}

std::int64_t Polynomial::constantTerm() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? 0 : found->second;
}

bool Polynomial::mentions(Symbol symbol) const {
  return std::ranges::any_of(
      terms_, [&](const auto &term) { return std::ranges::find(term.first, symbol) != term.first.end(); });
}

std::vector<Symbol> Polynomial::symbols() const {
  std::vector<Symbol> result;
  for (const auto &[monomial, coefficient] : terms_)
    result.insert(result.end(), monomial.begin(), monomial.end());
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

double Polynomial::evaluate(const std::function<double(Symbol)> &valueOf) const {
  double sum = 0;
  for (const auto &[monomial, coefficient] : terms_) {
    double product = static_cast<double>(coefficient);
    for (const Symbol symbol : monomial)
      product *= valueOf(symbol);
    sum += product;
  }
  return sum;
}

std::optional<Polynomial::Linear> Polynomial::linearIn(Symbol symbol) const {
  Linear result;
  for (const auto &[monomial, coefficient] : terms_) {
    const auto occurrences = std::ranges::count(monomial, symbol);
    if (occurrences > 1)
      return std::nullopt;
    if (occurrences == 0) {
      result.rest.terms_[monomial] = coefficient;
      continue;
    }
    Monomial others = monomial;
    others.erase(std::ranges::find(others, symbol));
    result.coefficient.terms_[others] = coefficient;
  }
  return result;
}

Polynomial::Division Polynomial::dividedBy(const Polynomial &divisor) const {
  const auto isLarger = [](const Monomial &left, const Monomial &right) {
    return left.size() != right.size() ? left.size() > right.size() : left < right;
  };
  auto leading = divisor.terms_.begin();
  for (auto term = divisor.terms_.begin(); term != divisor.terms_.end(); ++term)
    if (isLarger(term->first, leading->first))
      leading = term;
  Division result{{}, *this};
  for (std::size_t round = 0; round < kMostTerms; ++round) {
    const auto divisible = std::ranges::find_if(result.rest.terms_, [&](const auto &term) {
      return term.second % leading->second == 0 && std::ranges::includes(term.first, leading->first);
    });
    if (divisible == result.rest.terms_.end())
      break;
    Monomial others;
    std::ranges::set_difference(divisible->first, leading->first, std::back_inserter(others));
    Polynomial factor;
    factor.terms_[others] = divisible->second / leading->second;
    const auto product = multiply(factor, divisor);
    const auto quotient = add(result.quotient, factor);
    const auto rest = product ? subtract(result.rest, *product) : std::nullopt;
    if (!quotient || !rest)
      break;
    result = {*quotient, *rest};
  }
  return result;
}

} // namespace agentic::moves
