#include "tool/base/hash.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(Hash, MatchesTheStandardsVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, BytesAfterANulCount) {
  EXPECT_NE(sha256(std::string("a\0b", 3)), sha256(std::string("a\0c", 3)));
}

TEST(Hash, BuilderKeepsPartsApart) {
  EXPECT_NE(HashBuilder().add("ab").add("c").hex(), HashBuilder().add("a").add("bc").hex());
  EXPECT_NE(HashBuilder().add("").hex(), HashBuilder().hex());
  EXPECT_NE(HashBuilder().add("10abcdefghij").hex(), HashBuilder().add("2").add("abcdefghij").hex());
  EXPECT_NE(HashBuilder().add("1:x").hex(), HashBuilder().add("1").add("x").hex());
  EXPECT_EQ(HashBuilder().add("ab").add("c").hex(), HashBuilder().add("ab").add("c").hex());
}

} // namespace
} // namespace agentic
