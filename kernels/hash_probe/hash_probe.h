// Looking up many keys in a hash table, as the probe side of a hash join does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hashing {

constexpr std::uint32_t kEmpty = 0;               ///< in slotKeys: the slot holds nothing
constexpr std::uint32_t kMultiplier = 2654435769; ///< 2^32 divided by the golden ratio

/// payloads[i] = slotPayloads[s] for the slot s that holds keys[i], or 0 if none does, for i < count.
///
/// The table has `slots` slots, a power of two from 2 to 2^31, with open addressing and linear probing: a key stands in
/// the first slot that was free at or behind slot (key * kMultiplier mod 2^32) / (2^32 / slots), behind the last slot
/// comes slot 0. At least one slot is empty; what slotPayloads holds there does not count. No key occurs twice in the
/// table. The key kEmpty is never found. Only payloads is written; it is disjoint from the rest. count may be 0. Exact.
/// This form is in: hash joins with linear probing, such as ClickHouse's HashTable::findCell.
void lookUp(const std::uint32_t *slotKeys, const std::uint32_t *slotPayloads, std::size_t slots,
            const std::uint32_t *keys, std::uint32_t *payloads, std::size_t count);

} // namespace hashing
