#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "checksum.h"

TEST_CASE("nothing sums up to nothing") {
  CHECK(checksum(nullptr, 0) == 0);
}
