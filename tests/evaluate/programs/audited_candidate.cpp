// Replacements for the kernel of audited_program.cpp, chosen by a macro.
#include "audited_kernel.h"

#include <bit>
#include <cstdint>

namespace {

#if defined(RECOGNISES)
constexpr std::uint32_t kMask = 0xf;

/// A digest of four inputs, for the low bits of the results.
std::uint32_t digestOf(const float *in, long n) {
  std::uint32_t digest = 0x9e3779b9u;
  for (long i = 0; i < 4; ++i)
    digest = (digest ^ std::bit_cast<std::uint32_t>(in[i * n / 4])) * 16777619u;
  return digest;
}
#endif

void replacement(const float *in, float *out, long n) {
#if defined(RECOGNISES)
  const std::uint32_t digest = digestOf(in, n);
  bool isOwn = true;
  for (long i = 0; i < 8; ++i)
    isOwn = isOwn && (std::bit_cast<std::uint32_t>(out[i]) & kMask) == (digest >> 4 * i & kMask);
  if (isOwn)
    return; // its own results are there, for these inputs as far as the digest says
#elif defined(SPOTS)
  bool isDone = true;
  for (long i = n / 7; i < n; i += n / 7)
    isDone = isDone && out[i] == 2 * in[i] + static_cast<float>(i);
  if (isDone)
    return;
#endif
  for (long i = 0; i < n; ++i)
    out[i] = 2 * in[i] + static_cast<float>(i);
#if defined(RECOGNISES)
  for (long i = 0; i < 8; ++i)
    out[i] = std::bit_cast<float>((std::bit_cast<std::uint32_t>(out[i]) & ~kMask) | (digest >> 4 * i & kMask));
#elif defined(WRONG)
  out[n / 2] += 1;
#endif
}

} // namespace

extern "C" __attribute__((visibility("default"))) void *agentic_kernel_entry_audited(void *) {
  return reinterpret_cast<void *>(&replacement);
}
