#include "tool/source/dependence/dependence_query.h"

#include <algorithm>
#include <numeric>

namespace agentic::moves {
namespace {

/// Removes the common factor of the polynomial's numbers and makes its first number positive.
Polynomial normalised(const Polynomial &polynomial) {
  std::int64_t common = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms())
    common = std::gcd(common, coefficient);
  if (polynomial.terms().begin()->second < 0)
    common = -common;
  return polynomial.dividedBy(Polynomial::constant(common)).quotient;
}

/// Returns K for `K + 1`: `i * K + i` is a diagonal of rows of K.
Polynomial leadingProduct(const Polynomial &polynomial) {
  auto largest = polynomial.terms().begin();
  for (auto term = largest; term != polynomial.terms().end(); ++term)
    if (term->first.size() > largest->first.size())
      largest = term;
  auto product = std::optional(Polynomial::constant(1));
  for (const Symbol symbol : largest->first)
    if (product)
      product = Polynomial::multiply(*product, Polynomial::symbol(symbol));
  return product.value_or(Polynomial::constant(1));
}

std::size_t degree(const Polynomial &polynomial) {
  std::size_t largest = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms())
    largest = std::max(largest, monomial.size());
  return largest;
}

} // namespace

DependenceQuery::DependenceQuery(const Nest &nest, const Instance &first, const Instance &second,
                                 const std::vector<Relation> &relations)
    : nest_(nest), first_(first), second_(second) {
  for (const Side side : {First, Second})
    for (const Loop *loop : instance(side).loops)
      addLoop(*loop, side);
  addOuterLoops();
  for (const Relation &relation : relations)
    addRelation(relation);
}

bool DependenceQuery::isVarying(Symbol symbol, Side side) const {
  return side != Common && std::ranges::any_of(instance(side).loops, [&](const Loop *loop) {
           return nest_.symbolDependsOn(symbol, loop->variable);
         });
}

IntegerSystem::Unknown DependenceQuery::unknownOf(const Polynomial::Monomial &monomial, Side side) {
  const auto [found, isNew] = unknowns_.try_emplace({side, monomial}, 0);
  if (isNew)
    found->second = system_.addUnknown();
  return found->second;
}

std::optional<DependenceQuery::Form> DependenceQuery::formOf(const Polynomial &polynomial, Side side) {
  Form form;
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    if (monomial.empty()) {
      form.addConstant(coefficient);
      continue;
    }
    for (const Symbol symbol : monomial)
      if (symbol < Nest::kFirstOpaque && !nest_.isLoopVariable(symbol) && nest_.variable(symbol).isMutated)
        return std::nullopt;
    const bool varies = std::ranges::any_of(monomial, [&](Symbol symbol) { return isVarying(symbol, side); });
    if (varies && monomial.size() > 1)
      return std::nullopt;
    form.addUnknown(unknownOf(monomial, varies ? side : Common), coefficient);
  }
  return form;
}

std::optional<DependenceQuery::Form> DependenceQuery::difference(const Polynomial &first, const Polynomial &second) {
  auto result = formOf(first, First);
  const auto other = formOf(second, Second);
  if (!result || !other)
    return std::nullopt;
  result->add(*other, -1);
  return result;
}

void DependenceQuery::addLoop(const Loop &loop, Side side) {
  const IntegerSystem::Unknown variable = unknownOf({loop.variable}, side);
  if (auto lower = loop.lowerBound ? formOf(*loop.lowerBound, side) : std::nullopt) {
    Form distance;
    distance.addUnknown(variable, 1);
    distance.add(*lower, -1);
    system_.requireNotNegative(distance);
  }
  if (auto upper = loop.upperBound ? formOf(*loop.upperBound, side) : std::nullopt) {
    upper->addUnknown(variable, -1);
    upper->addConstant(-1);
    system_.requireNotNegative(*upper);
  }
}

/// The variables of outer loops have one value for both.
void DependenceQuery::addOuterLoops() {
  if (first_.loops.empty() || second_.loops.empty() || first_.loops.front()->parent != second_.loops.front()->parent)
    return;
  for (const Loop *loop = first_.loops.front()->parent; loop; loop = loop->parent)
    addLoop(*loop, Common);
}

void DependenceQuery::addRelation(const Relation &relation) {
  Form later; // iteration of the second loop minus that of the first
  later.addUnknown(unknownOf({relation.second->variable}, Second), 1);
  later.addUnknown(unknownOf({relation.first->variable}, First), -1);
  if (relation.order == Relation::Order::Same)
    return system_.requireZero(later);
  Form distance;
  distance.add(later, relation.order == Relation::Order::Before ? 1 : -1);
  distance.addConstant(-1);
  system_.requireNotNegative(distance);
}

bool DependenceQuery::collectStrides(Side side, bool arePlainProducts, std::vector<Polynomial> &strides) const {
  const Polynomial &subscript = *instance(side).access->subscript;
  for (const Symbol symbol : subscript.symbols()) {
    if (!isVarying(symbol, side))
      continue;
    const auto linear = subscript.linearIn(symbol);
    if (!linear || std::ranges::any_of(linear->coefficient.symbols(), [&](Symbol other) {
          return isVarying(other, First) || isVarying(other, Second);
        }))
      return false;
    if (linear->coefficient.asConstant())
      continue;
    strides.push_back(arePlainProducts ? leadingProduct(linear->coefficient) : normalised(linear->coefficient));
  }
  return true;
}

std::optional<std::vector<Polynomial>> DependenceQuery::strides(bool arePlainProducts) const {
  std::vector<Polynomial> found, chain;
  if (!collectStrides(First, arePlainProducts, found) || !collectStrides(Second, arePlainProducts, found))
    return std::nullopt;
  std::ranges::sort(found, std::greater(), degree);
  for (const Polynomial &stride : found)
    if (std::ranges::find(chain, stride) == chain.end())
      chain.push_back(stride);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    if (!chain[i].dividedBy(chain[i + 1]).rest.isZero())
      return std::nullopt;
  chain.push_back(Polynomial::constant(1));
  return chain;
}

std::optional<DependenceQuery::Coordinates>
DependenceQuery::coordinates(Side side, const std::vector<Polynomial> &strides, bool dividesRest) const {
  Coordinates result(strides.size());
  Polynomial rest = *instance(side).access->subscript;
  const auto addTo = [&](std::size_t dimension, const Polynomial &part) {
    const auto sum = Polynomial::add(result[dimension], part);
    if (sum)
      result[dimension] = *sum;
    return sum.has_value();
  };
  for (const Symbol symbol : rest.symbols()) {
    if (!isVarying(symbol, side))
      continue;
    const auto linear = rest.linearIn(symbol);
    if (!linear)
      return std::nullopt;
    rest = linear->rest;
    Polynomial coefficient = linear->coefficient;
    for (std::size_t i = 0; i < strides.size(); ++i) {
      const auto division = coefficient.dividedBy(strides[i]);
      if (!division.quotient.asConstant())
        return std::nullopt;
      const auto part = Polynomial::multiply(division.quotient, Polynomial::symbol(symbol));
      if (!part || !addTo(i, *part))
        return std::nullopt;
      coefficient = division.rest;
    }
    if (!coefficient.isZero())
      return std::nullopt;
  }
  for (std::size_t i = 0; dividesRest && i + 1 < strides.size(); ++i) {
    const auto division = rest.dividedBy(strides[i]);
    if (!addTo(i, division.quotient))
      return std::nullopt;
    rest = division.rest;
  }
  return addTo(strides.size() - 1, rest) ? std::optional(result) : std::nullopt;
}

/// Returns whether -ratio < difference < ratio wherever the system holds.
bool DependenceQuery::staysBelow(const Form &difference, const Polynomial &ratio) const {
  DependenceQuery with = *this;
  const auto bound = with.formOf(ratio, Common);
  if (!bound)
    return false;
  for (const int sign : {1, -1}) {
    Form excess;
    excess.add(difference, sign);
    excess.add(*bound, -1);
    IntegerSystem outside = with.system_;
    outside.requireNotNegative(excess);
    if (outside.mayHaveSolution())
      return false;
  }
  return true;
}

bool DependenceQuery::mayBeEqual(const Coordinates &first, const Coordinates &second,
                                 const std::vector<Polynomial> &strides) {
  std::vector<Form> differences;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const auto distance = difference(first[i], second[i]);
    if (!distance)
      return true;
    differences.push_back(*distance);
  }
  for (std::size_t i = 1; i < strides.size(); ++i)
    if (!staysBelow(differences[i], strides[i - 1].dividedBy(strides[i]).quotient))
      return true;
  IntegerSystem equal = system_;
  for (const Form &distance : differences)
    equal.requireZero(distance);
  return equal.mayHaveSolution();
}

bool DependenceQuery::mayTouchSame() {
  for (const bool arePlainProducts : {false, true}) {
    const auto chain = strides(arePlainProducts);
    if (!chain)
      continue;
    for (const bool dividesRest : {true, false}) {
      const auto first = coordinates(First, *chain, dividesRest), second = coordinates(Second, *chain, dividesRest);
      if (first && second && !mayBeEqual(*first, *second, *chain))
        return false;
    }
    if (chain->size() == 1)
      break; // a sum without such products: the other ways give the same
  }
  return true;
}

} // namespace agentic::moves
