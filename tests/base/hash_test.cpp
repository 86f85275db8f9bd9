#include "tool/base/files.h"
#include "tool/base/hash.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include <unistd.h>

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

TEST(Hash, StampTellsThatAFileWasWrittenThoughItLooksTheSame) {
  const std::string file = testing::TempDir() + "/agentic-stamp-" + std::to_string(::getpid());
  EXPECT_EQ(fileStamp(file), "");
  ASSERT_TRUE(writeFileAtomic(file, "abc"));
  const std::string before = fileStamp(file);
  EXPECT_EQ(fileStamp(file), before);
  EXPECT_EQ(fileHash(file), sha256("abc"));
  EXPECT_EQ(fileStamp(file), before) << "reading is not writing";
  const auto time = fs::last_write_time(file);
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the kernel's clock for files ticks in 4 to 10 ms
  std::ofstream(file) << "abc";
  fs::last_write_time(file, time);
  EXPECT_NE(fileStamp(file), before);
  fs::remove(file);
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
