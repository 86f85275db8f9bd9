#include "hash_probe.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>
#include <unordered_map>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Words = std::vector<std::uint32_t>;

/// Where the search for a key begins, by a product of 64 bits.
std::size_t homeOf(std::uint32_t key, std::size_t slots) {
  const std::uint64_t hash = std::uint64_t{key} * 0x9e3779b9u % 0x100000000u;
  return static_cast<std::size_t>(hash * slots / 0x100000000u);
}

/// The `number`th key that begins at this slot: the product, divided by the odd multiplier modulo 2^32.
std::uint32_t keyAt(std::size_t slot, std::size_t slots, std::uint32_t number) {
  std::uint32_t inverse = 0x9e3779b9u;
  for (int i = 0; i < 5; ++i)
    inverse *= 2 - 0x9e3779b9u * inverse;
  return static_cast<std::uint32_t>(slot * (0x100000000u / slots) + number) * inverse;
}

/// A table, and what it holds; payloads of empty slots must not show.
struct Table {
  explicit Table(std::size_t slots) : keys(slots, 0), payloads(slots, 0xdeadbeef) {}

  void insert(std::uint32_t key, std::uint32_t payload) {
    if (key == 0 || held.size() + 1 == keys.size() || !held.emplace(key, payload).second)
      return;
    std::size_t slot = homeOf(key, keys.size());
    while (keys[slot] != 0)
      slot = (slot + 1) % keys.size();
    keys[slot] = key;
    payloads[slot] = payload;
  }

  Words keys, payloads;
  std::unordered_map<std::uint32_t, std::uint32_t> held;
};

Words reference(const Table &table, const Words &sought) {
  Words found;
  for (const std::uint32_t key : sought) {
    const auto entry = table.held.find(key);
    found.push_back(entry == table.held.end() ? 0 : entry->second);
  }
  return found;
}

void expectFound(const Table &table, const Words &sought) {
  const EdgeBuffer<std::uint32_t> slotKeys(table.keys), slotPayloads(table.payloads), keys(sought);
  EdgeBuffer<std::uint32_t> payloads(sought.size());
  hashing::lookUp(slotKeys.data(), slotPayloads.data(), slotKeys.size(), keys.data(), payloads.data(), keys.size());
  expectSame(payloads.data(), reference(table, sought));
  payloads.expectNothingWrittenBefore();
}

/// All that the table holds, as many keys that it does not hold, and those at the ends, in a random order.
Words keysFor(const Table &table) {
  std::mt19937 engine(1);
  Words keys{0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const auto &[key, payload] : table.held) {
    keys.push_back(key);
    keys.push_back(static_cast<std::uint32_t>(engine()));
  }
  std::shuffle(keys.begin(), keys.end(), engine);
  return keys;
}

// From empty tables to those with a single empty slot, where a search walks through everything and around the end.
TEST(HashProbe, EverySizeAndLoad) {
  for (std::size_t slots = 2; slots <= 512; slots *= 2) {
    for (std::size_t eighths = 0; eighths <= 8; ++eighths) {
      SCOPED_TRACE(testing::Message() << slots << " slots, eighths in use: " << eighths);
      std::mt19937 engine(static_cast<unsigned>(slots + eighths));
      Table table(slots);
      while (table.held.size() < std::min(slots - 1, slots * eighths / 8))
        table.insert(static_cast<std::uint32_t>(engine()),
                     static_cast<std::uint32_t>(engine() % 4 - 2)); // 0 and all bits, too
      expectFound(table, keysFor(table));
    }
  }
}

// Keys with one and the same hash, one behind the other from every slot on: also across the end of the table.
TEST(HashProbe, RunsFromEachSlot) {
  constexpr std::size_t kSlots = 64;
  for (std::size_t home = 0; home < kSlots; ++home) {
    for (std::uint32_t length : {1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 33u, 63u}) {
      Table table(kSlots);
      Words sought;
      for (std::uint32_t number = 1; number <= length + 2; ++number) {
        sought.push_back(keyAt(home, kSlots, number)); // the last two are not in the table
        ASSERT_EQ(homeOf(sought.back(), kSlots), home);
        if (number <= length)
          table.insert(sought.back(), 1000 + number);
      }
      sought.push_back(0);
      sought.push_back(keyAt((home + length / 2) % kSlots, kSlots, 5));
      expectFound(table, sought);
    }
  }
}

TEST(HashProbe, EveryCountAtAnyAlignment) {
  Table table(256);
  std::mt19937 engine(3);
  while (table.held.size() < 128)
    table.insert(static_cast<std::uint32_t>(engine() % 500), static_cast<std::uint32_t>(engine()));
  Words sought(100);
  for (std::uint32_t &key : sought)
    key = static_cast<std::uint32_t>(engine() % 500);
  for (std::size_t count = 0; count <= sought.size(); ++count) {
    expectFound(table, Words(sought.end() - static_cast<std::ptrdiff_t>(count), sought.end()));
    Words payloads(sought.size() + 1, 77);
    hashing::lookUp(table.keys.data(), table.payloads.data(), 256, sought.data() + count, payloads.data() + count,
                    sought.size() - count);
    expectSame(payloads.data() + count,
               reference(table, {sought.begin() + static_cast<std::ptrdiff_t>(count), sought.end()}));
    ASSERT_TRUE(payloads.back() == 77 && (count == 0 || payloads[count - 1] == 77)) << "written beside the output";
  }
}

TEST(HashProbe, SecondCallSeesNewContents) {
  Table table(32);
  Words sought{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, payloads(10);
  for (std::uint32_t key : {3u, 9u, 100u}) {
    table.insert(key, key * 7);
    std::swap(sought[0], sought[key % 10]);
    hashing::lookUp(table.keys.data(), table.payloads.data(), 32, sought.data(), payloads.data(), 10);
    expectSame(payloads.data(), reference(table, sought));
  }
}

} // namespace
