// AGENTIC_KERNEL marks the function that add_agentic_kernel() names; the other macros are its contract. They stand
// before or behind AGENTIC_KERNEL, in front of the function's definition:
//
//   #include <agentic_kernel.h>
//
//   AGENTIC_KERNEL
//   AGENTIC_IN(a, n * n) AGENTIC_IN(b, n * n) AGENTIC_OUT(c, n * n)
//   AGENTIC_REQUIRES(n % 8 == 0)
//   AGENTIC_TOLERANCE(relative 1e-5)
//   void matmul(const float *a, const float *b, float *c, std::size_t n) { ... }
//
// To a compiler all of them are nothing; the agentic-kernel tool reads them, and refuses what contradicts itself or the
// parameters. Targets named in add_agentic_kernel() find this header. Without a contract: pointer arguments are
// disjoint, and floating point gives the same bits (but for a * b + c with one rounding) unless the project's own flags
// permit otherwise.
//
// This header is a convenience: lines such as the three that follow do as well in your own source, for each macro you
// use.
#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

// AGENTIC_IN(p, extent): `extent` elements behind pointer p are read (bytes, if it points to void); OUT: written, and
// their old values do not count; INOUT: both. An extent is made of integer literals, integer parameters, + - * / % and
// parentheses; a std::vector or std::span parameter v carries its own, v.size().
#ifndef AGENTIC_IN
#define AGENTIC_IN(...)
#endif
#ifndef AGENTIC_OUT
#define AGENTIC_OUT(...)
#endif
#ifndef AGENTIC_INOUT
#define AGENTIC_INOUT(...)
#endif

// AGENTIC_REQUIRES(condition): every call fulfils this condition over the parameters, as in n % 8 == 0 && eps > 0.
#ifndef AGENTIC_REQUIRES
#define AGENTIC_REQUIRES(...)
#endif

// AGENTIC_MAY_ALIAS(p, q): what p and q refer to may overlap. All other arguments are disjoint.
#ifndef AGENTIC_MAY_ALIAS
#define AGENTIC_MAY_ALIAS(...)
#endif

// AGENTIC_TOLERANCE(absolute 0.01), (relative 1e-5) or (ulp 4): how far a result may be from the original's. It also
// permits sums and products to be computed in another order, unless AGENTIC_FP says otherwise.
#ifndef AGENTIC_TOLERANCE
#define AGENTIC_TOLERANCE(...)
#endif

// AGENTIC_FP(strict): every floating-point operation as written; (contract): a * b + c may be fused; (reassociate):
// sums and products in any order. AGENTIC_FP(finite), beside one of them or alone: no argument ever holds a NaN, an
// infinity, a denormal or a -0. Without it, and without flags such as -ffast-math, all of these must behave as in the
// original.
#ifndef AGENTIC_FP
#define AGENTIC_FP(...)
#endif

// AGENTIC_SPECIAL_VALUES: the built-in search keeps to what NaN, infinities and -0 do in the original, also where
// AGENTIC_TOLERANCE permits another order of operations.
#ifndef AGENTIC_SPECIAL_VALUES
#define AGENTIC_SPECIAL_VALUES
#endif
