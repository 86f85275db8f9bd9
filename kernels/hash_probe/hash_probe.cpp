#include "hash_probe.h"

#include <agentic_kernel.h>
#include <bit>

namespace hashing {

AGENTIC_KERNEL
AGENTIC_IN(slotKeys, slots) AGENTIC_IN(slotPayloads, slots)
AGENTIC_IN(keys, count) AGENTIC_OUT(payloads, count)
AGENTIC_REQUIRES(slots >= 2 && slots <= 2147483648 && (slots & (slots - 1)) == 0)
void lookUp(const std::uint32_t *slotKeys, const std::uint32_t *slotPayloads, std::size_t slots,
            const std::uint32_t *keys, std::uint32_t *payloads, std::size_t count) {
  const int shift = 32 - std::countr_zero(slots);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = keys[i];
    std::size_t slot = (key * kMultiplier) >> shift;
    while (slotKeys[slot] != key && slotKeys[slot] != kEmpty)
      slot = (slot + 1) & (slots - 1);
    payloads[i] = slotKeys[slot] == kEmpty ? 0 : slotPayloads[slot];
  }
}

} // namespace hashing
