// Poses one question about two accesses of an array as constraints over integers.
#pragma once

#include "tool/source/dependence/dependence.h"
#include "tool/source/dependence/dependence_system.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace agentic::moves {

class DependenceQuery {
public:
  DependenceQuery(const Nest &nest, const Instance &first, const Instance &second,
                  const std::vector<Relation> &relations);
  bool mayTouchSame();

private:
  using Form = IntegerSystem::Form;
  enum Side { First, Second, Common };

  const Instance &instance(Side side) const { return side == First ? first_ : second_; }
  bool isVarying(Symbol symbol, Side side) const;
  IntegerSystem::Unknown unknownOf(const Polynomial::Monomial &monomial, Side side);
  /// Returns nullopt for a product of a loop's variable with anything else.
  std::optional<Form> formOf(const Polynomial &polynomial, Side side);
  std::optional<Form> difference(const Polynomial &first, const Polynomial &second);
  void addLoop(const Loop &loop, Side side);
  void addOuterLoops();
  void addRelation(const Relation &relation);

  /// Returns the coefficients of the loops' variables that are not numbers, largest first; nullopt if they form no
  /// chain of multiples. `arePlainProducts`: K + 1 counts as K.
  std::optional<std::vector<Polynomial>> strides(bool arePlainProducts) const;
  bool collectStrides(Side side, bool arePlainProducts, std::vector<Polynomial> &strides) const;
  using Coordinates = std::vector<Polynomial>;
  /// Returns the subscript as a sum of coordinate * stride; `dividesRest`: splits invariant parts over the dimensions,
  /// too.
  std::optional<Coordinates> coordinates(Side side, const std::vector<Polynomial> &strides, bool dividesRest) const;
  /// Returns false if they cannot be equal; true if that is possible or not known.
  bool mayBeEqual(const Coordinates &first, const Coordinates &second, const std::vector<Polynomial> &strides);
  bool staysBelow(const Form &difference, const Polynomial &ratio) const;

  const Nest &nest_;
  const Instance &first_, &second_;
  IntegerSystem system_;
  std::map<std::pair<Side, Polynomial::Monomial>, IntegerSystem::Unknown> unknowns_;
};

} // namespace agentic::moves
