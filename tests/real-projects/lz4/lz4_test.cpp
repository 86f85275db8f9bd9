#include "lz4hc.h"
#include "xxhash.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

// The compressed size shows how far the patterns were followed.
TEST(Lz4Hc, RepeatedPatternsAreFound) {
  int total = 0;
  for (unsigned round = 1; round <= 8; ++round) {
    std::string text, packed(30000, 0), unpacked(30000, 0);
    for (unsigned seed = round; text.size() < 20000; seed = seed * 1103515245u + 12345u) {
      const std::string pattern = std::array{"a", "ab", "abcd", "b"}[(seed >> 28) % 4];
      for (std::size_t end = text.size() + 200 + (seed >> 16) % 300; text.size() < end;)
        text += pattern;
      text += static_cast<char>(seed >> 20);
    }
    const int size = LZ4_compress_HC(text.data(), packed.data(), static_cast<int>(text.size()), 30000, 10);
    unpacked.resize(static_cast<std::size_t>(LZ4_decompress_safe(packed.data(), unpacked.data(), size, 30000)));
    ASSERT_EQ(unpacked, text);
    total += size;
  }
  EXPECT_EQ(total, 3509);
}

TEST(Xxh32, KnownHashes) {
  EXPECT_EQ(XXH32("", 0, 0), 0x02cc5d05u);
  EXPECT_EQ(XXH32("a", 1, 0), 0x550d7456u);
  EXPECT_EQ(XXH32("abc", 3, 0), 0x32d153ffu);
  EXPECT_EQ(XXH32("Nobody inspects the spammish repetition", 39, 0), 0xe2293b2fu);
  XXH32_state_t *state = XXH32_createState(); // byte by byte: other code
  std::string text;
  for (int n = 0; n < 200; ++n) {
    XXH32_reset(state, 77);
    for (char c : text)
      XXH32_update(state, &c, 1);
    ASSERT_EQ(XXH32(text.data(), text.size(), 77), XXH32_digest(state)) << n;
    text += static_cast<char>(n * 37);
  }
  XXH32_freeState(state);
}
