#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

std::string tableOf(std::uint32_t polynomial, bool isLinear = true) {
  std::string text;
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value >> 1 ^ ((value & 1) != 0 ? polynomial : 0);
    text += std::to_string(isLinear || i != 77 ? value : value + 2) + "u, ";
  }
  return text;
}

KernelSpec specOf(const std::string &body) {
  return kernelSpec(
      "unsigned f(const unsigned char *p, const signed char *q, const int *w, size_t n, unsigned crc) {\n" + body +
          "\nreturn crc;\n}",
      {"static const unsigned kCrc[256] = {" + tableOf(0xedb88320) + "};\nstatic const unsigned kOdd[256] = {" +
       tableOf(0xedb88320, false) + "};\nextern const unsigned kUnseen[256];\nextern unsigned shared;"});
}
std::string verdictOn(const std::string &statement) {
  return refusalOf(specOf("for (size_t i = 0; i < n; ++i) {\n" + statement + "\n}"), "slice-table", "i");
}

TEST(SliceTable, Text) {
  EXPECT_EQ(transformedBy(specOf("for (size_t i = 0; i < n; ++i)\n  crc = kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 8);"),
                          "slice-table(i, bytes=4)"),
            R"(// Moves: slice-table(i, bytes=4).
// What the bytes of 'i' make of 'crc' is linear in all their bits: the effects
// of several bytes are looked up independently of each other, and joined by
// exclusive or.
unsigned f(const unsigned char *p, const signed char *q, const int *w, size_t n,
           unsigned crc) {
  {
    constexpr size_t kBytesI = 4; // bytes that are folded in at once
    const size_t iEnd = n - n % kBytesI;
    // [k][x]: what byte x makes of a state of 0, k bytes later.
    static constexpr auto kSlices = [] {
      constexpr unsigned kOfBit[8] = {
          1996959894u, 3993919788u, 124634137u, 249268274u, 498536548u,
          997073096u,  1994146192u, 3988292384u}; // what one bit makes of it
      struct {
        unsigned int of[4][256] = {};
      } slices;
      for (int x = 0; x < 256; ++x)
        for (int bit = 0; bit < 8; ++bit)
          if (x >> bit & 1)
            slices.of[0][x] ^= kOfBit[bit];
      for (int k = 1; k < 4; ++k)
        for (int x = 0; x < 256; ++x)
          slices.of[k][x] = slices.of[k - 1][x] >> 8 ^
                            slices.of[0][slices.of[k - 1][x] & 255];
      return slices;
    }();
    for (size_t i0 = 0; i0 < iEnd; i0 += kBytesI) {
      const unsigned ahead = crc ^ (static_cast<unsigned>(p[i0]) |
                                    static_cast<unsigned>(p[i0 + 1]) << 8 |
                                    static_cast<unsigned>(p[i0 + 2]) << 16 |
                                    static_cast<unsigned>(p[i0 + 3]) << 24);
      crc = kSlices.of[3][ahead & 255] ^ kSlices.of[2][ahead >> 8 & 255] ^
            kSlices.of[1][ahead >> 16 & 255] ^ kSlices.of[0][ahead >> 24 & 255];
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      crc = kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  }
  return crc;
}
)");
}

TEST(SliceTable, Forms) {
  for (const std::string form :
       {"crc = (crc >> 8) ^ kCrc[static_cast<unsigned char>(crc) ^ p[i]];",
        "const unsigned char at = crc ^ q[i];\ncrc >>= 8;\ncrc ^= kCrc[at];",
        "crc ^= p[i];\nfor (int k = 0; k < 8; ++k)\n  crc = (crc >> 1) ^ (-(crc & 1) & 0xedb88320u);",
        "crc ^= p[i];\nfor (int k = 0; k < 8; ++k)\n  crc = crc & 1 ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;",
        "crc ^= static_cast<unsigned>(p[i]) << 24;\nfor (int k = 0; k < 8; ++k)\n  if ((crc & 0x80000000u) != 0)\n    "
        "crc = "
        "crc << 1 ^ 0x04c11db7u;\n  else\n    crc <<= 1;"})
    EXPECT_EQ(verdictOn(form), "offered") << form;
}

TEST(SliceTable, Refusals) {
  EXPECT_THAT(verdictOn("crc = kOdd[(crc ^ p[i]) & 0xff] ^ (crc >> 8);"), HasSubstr("is not linear in the bits of"));
  EXPECT_THAT(verdictOn("crc = kUnseen[(crc ^ p[i]) & 0xff] ^ (crc >> 8);"), HasSubstr("is not linear in the bits of"));
  EXPECT_THAT(verdictOn("crc = kCrc[(crc + p[i]) & 0xff] ^ (crc >> 8);"), HasSubstr("is not linear in the bits of"));
  EXPECT_THAT(verdictOn("crc = kCrc[(crc ^ p[i]) & 0xff] + (crc >> 8);\ncrc ^= 1;"),
              HasSubstr("is not linear in the bits of"));
  EXPECT_EQ(verdictOn("crc = kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 7);"), "a step does not move 'crc' by one byte");
  EXPECT_EQ(verdictOn("crc = kCrc[(crc ^ p[i] ^ crc >> 24) & 0xff] ^ (crc >> 8);"),
            "a step does not move 'crc' by one byte");
  EXPECT_EQ(verdictOn("crc = ~(kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 8));"), "a byte of 0 changes a 'crc' of 0");
  EXPECT_THAT(verdictOn("crc = kCrc[(crc ^ p[i] ^ p[i + 1]) & 0xff] ^ (crc >> 8);"), HasSubstr("is not linear"));
  EXPECT_THAT(verdictOn("crc = kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 8);\nif (crc == 0)\n  break;"), HasSubstr("break"));
  EXPECT_EQ(verdictOn("crc = i & 1 ? crc ^ p[i] : crc;"), "not mentioned");
  EXPECT_EQ(verdictOn("crc ^= w[i];"), "not mentioned");
  EXPECT_EQ(verdictOn("shared = kCrc[(shared ^ p[i]) & 0xff] ^ (shared >> 8);"),
            "'shared' may be changed or read elsewhere while the loop runs");
}

} // namespace
} // namespace agentic
