#include "tool/evaluate/benchmark/roofline_loops.h"

// The memory is read through vectors of integers and floats alike.
#define ROOFLINE_NO_SANITIZE __attribute__((no_sanitize("address"), no_sanitize("undefined"), noinline))

namespace agentic {
namespace {

namespace plain {
constexpr std::size_t kBytes = 16;
#define ROOFLINE_TARGET ROOFLINE_NO_SANITIZE
#include "tool/evaluate/benchmark/roofline_loops.inc"
#undef ROOFLINE_TARGET
} // namespace plain

#if defined(__x86_64__)
namespace avx2 {
constexpr std::size_t kBytes = 32;
#define ROOFLINE_TARGET ROOFLINE_NO_SANITIZE __attribute__((target("avx2,fma")))
#include "tool/evaluate/benchmark/roofline_loops.inc"
#undef ROOFLINE_TARGET
} // namespace avx2

namespace avx512 {
constexpr std::size_t kBytes = 64;
#define ROOFLINE_TARGET ROOFLINE_NO_SANITIZE __attribute__((target("avx512f,avx2,fma")))
#include "tool/evaluate/benchmark/roofline_loops.inc"
#undef ROOFLINE_TARGET
} // namespace avx512
#endif

} // namespace

RooflineLoops rooflineLoops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return avx512::kLoops;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return avx2::kLoops;
#endif
  return plain::kLoops;
}

} // namespace agentic
