// AGENTIC_KERNEL marks the function that add_agentic_kernel() names:
//
//   AGENTIC_KERNEL void matmul(const float *a, const float *b, float *c, std::size_t n) { ... }
//
// To a compiler it is nothing; the agentic-kernel tool finds the function by it. This header is a convenience: the three
// lines below in your own source do as well.
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif
