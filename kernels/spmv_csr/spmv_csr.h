// Product of a sparse matrix with a vector.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sparse {

/// y[r] = sum over k in rowBegin[r] … rowBegin[r + 1] - 1 of values[k] · x[columns[k]], for `rows` rows: a matrix in
/// compressed sparse row form. rowBegin has rows + 1 elements, does not descend, and need not start at 0; within a row
/// columns come in any order and may repeat; a row without elements gives 0. x has more elements than the largest
/// column that occurs; those that no column names are not used. All arrays are disjoint. For values and x within [-1,
/// 1] and rows of up to 1000 elements each result is within 0.001 of the exact one.
void spmvCsr(const float *values, const std::uint32_t *columns, const std::uint32_t *rowBegin, const float *x, float *y,
             std::size_t rows);

} // namespace sparse
