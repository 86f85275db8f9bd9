extern "C" {
#include "c/enc/utf8_util.h"
}

#include <gtest/gtest.h>

#include <string>

static bool mostly(const std::string &text, double share, std::size_t at = 0) {
  std::string ring(4096, '\xff');
  for (std::size_t i = 0; i < text.size(); ++i)
    ring[(at + i) & 4095] = text[i];
  return BrotliIsMostlyUTF8(reinterpret_cast<const uint8_t *>(ring.data()), at, 4095, text.size(), share);
}

TEST(Utf8, CountsTheBytesOfCharacters) {
  for (const std::string character : {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(mostly(character, 0.99)) << character;
  for (const std::string other :
       {std::string(1, '\0'), std::string("\x80"), std::string("\xc3"), std::string("\xc0\x80"),
        std::string("\xe0\x80\x80"), std::string("\xf4\x90\x80\x80"), std::string("\xe2\x82")})
    EXPECT_FALSE(mostly(other, 0)) << other;
  for (std::size_t good = 0; good <= 300; ++good) {
    const std::string text = std::string(good, 'x') + std::string(300 - good, '\xff');
    EXPECT_EQ(mostly(text, 0.75, 4000), good > 225) << good;
  }
}
