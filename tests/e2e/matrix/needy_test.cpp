// Passes only with ctest's arguments, working directory, a data file there, and environment.
#include "hash.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

static std::string file;

TEST(Hash, OfTheDataFile) {
  const char *expected = std::getenv("EXPECTED_HASH");
  ASSERT_TRUE(expected) << "EXPECTED_HASH is not set";
  std::ifstream stream(file, std::ios::binary);
  ASSERT_TRUE(stream) << "there is no '" << file << "'";
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(std::to_string(polynomialHash(bytes.data(), bytes.size())), expected);
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 3 || std::string(argv[1]) != "--file")
    return 2;
  file = argv[2];
  return RUN_ALL_TESTS();
}
