#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#define restrict __restrict
#endif
/* sums[c] = sum of column c of a row-major matrix. */
void column_sums(const float *restrict matrix, float *restrict sums, size_t rows, size_t columns);
#ifdef __cplusplus
}
#endif
