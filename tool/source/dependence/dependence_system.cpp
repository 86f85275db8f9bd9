#include "tool/source/dependence/dependence_system.h"

#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <memory>

namespace agentic::moves {
namespace {

constexpr unsigned long kMostOperations = 100'000; // about 10 ms; real subscripts need some hundreds

template <auto Free> struct Releaser {
  template <class T> void operator()(T *object) const { Free(object); }
};
using Context = std::unique_ptr<isl_ctx, Releaser<isl_ctx_free>>;
using LocalSpace = std::unique_ptr<isl_local_space, Releaser<isl_local_space_free>>;
using BasicSet = std::unique_ptr<isl_basic_set, Releaser<isl_basic_set_free>>;
using LinearConstraint = std::unique_ptr<isl_constraint, Releaser<isl_constraint_free>>;

LinearConstraint makeConstraint(isl_ctx *context, const isl_local_space *space, const IntegerSystem::Form &form,
                                bool isEquality) {
  isl_local_space *copy = isl_local_space_copy(const_cast<isl_local_space *>(space));
  LinearConstraint result(isEquality ? isl_constraint_alloc_equality(copy) : isl_constraint_alloc_inequality(copy));
  for (const auto &[unknown, coefficient] : form.coefficients)
    result.reset(isl_constraint_set_coefficient_val(result.release(), isl_dim_set, unknown,
                                                    isl_val_int_from_si(context, coefficient)));
  result.reset(isl_constraint_set_constant_val(result.release(), isl_val_int_from_si(context, form.constant)));
  return result;
}

bool addProduct(std::int64_t &target, std::int64_t value, std::int64_t factor) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(value, factor, &product) && !__builtin_add_overflow(target, product, &target);
}

} // namespace

void IntegerSystem::Form::add(const Form &other, std::int64_t factor) {
  isExact &= other.isExact && addProduct(constant, other.constant, factor);
  for (const auto &[unknown, coefficient] : other.coefficients)
    isExact &= addProduct(coefficients[unknown], coefficient, factor);
}

void IntegerSystem::Form::addUnknown(Unknown unknown, std::int64_t coefficient) {
  isExact &= addProduct(coefficients[unknown], coefficient, 1);
}

void IntegerSystem::Form::addConstant(std::int64_t value) {
  isExact &= addProduct(constant, value, 1);
}

bool IntegerSystem::mayHaveSolution() const {
  const Context context(isl_ctx_alloc());
  if (!context)
    return true;
  isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context.get(), kMostOperations);
  isl_space *space = isl_space_set_alloc(context.get(), 0, static_cast<unsigned>(unknowns_));
  const LocalSpace local(isl_local_space_from_space(isl_space_copy(space)));
  BasicSet set(isl_basic_set_universe(space));
  for (const Constraint &constraint : constraints_) {
    if (!constraint.form.isExact)
      continue; // without this constraint there are only more solutions
    LinearConstraint next = makeConstraint(context.get(), local.get(), constraint.form, constraint.isEquality);
    set.reset(isl_basic_set_add_constraint(set.release(), next.release()));
  }
  return isl_basic_set_is_empty(set.get()) != isl_bool_true; // an error is no proof
}

} // namespace agentic::moves
