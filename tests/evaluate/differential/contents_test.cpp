#include "tool/evaluate/differential/contents.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

namespace agentic {
namespace {

// A candidate that looks at the bits of the usual NaN is right for that one only. Signalling ones are not tried.
TEST(Contents, NansOfAllPayloadsAndSignsOneAtATime) {
  const ElementKind kind{.element = GlueParameter::Element::Floating, .size = 8, .specialValues = true};
  std::set<std::uint64_t> all;
  for (int seed = 0; seed < 50; ++seed)
    for (const Content content : {Content::OneNan, Content::Special}) {
      std::mt19937_64 random(static_cast<std::uint64_t>(seed));
      std::vector<std::byte> bytes(64 * sizeof(double));
      arrange(bytes, content, kind, random);
      int nans = 0;
      for (std::size_t i = 0; i < bytes.size(); i += sizeof(double)) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + i, sizeof bits);
        if (const auto value = std::bit_cast<double>(bits); value != value)
          all.insert(bits), ++nans;
      }
      EXPECT_LE(nans, 1);
    }
  EXPECT_EQ(all,
            (std::set<std::uint64_t>{0x7ff8000000000000, 0x7ff8000000000001, 0x7fffffffffffffff, 0xffffffffffffffff}));
}

} // namespace
} // namespace agentic
