// Parting integers at a pivot, as quicksort, selection and the growing of decision trees do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace selection {

/// Copies the values below `pivot`, in their order, to less[0], less[1], …, and all others, in theirs, to others[0],
/// others[1], …; returns how many are below. Each output has room for `size` elements; those behind what is copied to
/// it keep their values. All arrays are disjoint; size may be 0. Exact.
/// This form is in: std::partition_copy of libstdc++ and libc++; LightGBM's DenseBin::Split (with row numbers).
std::size_t partitionLess(const std::int32_t *values, std::size_t size, std::int32_t pivot, std::int32_t *less,
                          std::int32_t *others);

} // namespace selection
