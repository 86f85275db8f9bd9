// Many small sorts, as builders of bounding volume hierarchies, rank filters and the last step of quicksort need them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sorting {

/// Sorts each of `rows` rows of 8 integers, one behind the other in `values`, in ascending order and in place. rows may
/// be 0. Exact.
/// This form is in: the last step of std::sort in libstdc++; FreeBSD's qsort.c for fewer than 7 elements.
void sort8Rows(std::int32_t *values, std::size_t rows);

} // namespace sorting
