#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else // Catch2 2
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include "checksum.h"

#include <vector>

TEST_CASE("the place of a byte counts") {
  const std::uint8_t bytes[] = {1, 2, 3};
  REQUIRE(checksum(bytes, 3) == 14);
}

// Sizes below, at and above every vector width: this is what decides about variants.
TEST_CASE("every size") {
  for (std::size_t size = 0; size < 300; ++size) {
    std::vector<std::uint8_t> bytes(size);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<std::uint8_t>(255 - i * 31 % 256);
      expected += (i + 1) * bytes[i];
    }
    REQUIRE(checksum(bytes.data(), size) == static_cast<std::uint32_t>(expected));
  }
}
