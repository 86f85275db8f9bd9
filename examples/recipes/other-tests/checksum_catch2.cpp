#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else // Catch2 2
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include "checksum.h"

TEST_CASE("the place of a byte counts") {
  const std::uint8_t bytes[] = {1, 2, 3};
  REQUIRE(checksum(bytes, 3) == 14);
}
