// What the tests of filters of grey images share.
#pragma once

#include "edge_buffer.h"
#include "expect_same.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace testing_support {

using Image = std::vector<std::uint8_t>; ///< row by row

/// Filters an image between pages that cannot be touched, and compares every pixel with those of `reference`, a
/// function like `filter` that returns them.
template <typename Filter, typename Reference>
void expectFiltered(Filter filter, Reference reference, const Image &image, std::size_t height, std::size_t width) {
  SCOPED_TRACE(testing::Message() << height << "x" << width);
  const Image expected = reference(image, height, width);
  const EdgeBuffer<std::uint8_t> in(image);
  EdgeBuffer<std::uint8_t> out(image.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    out.data()[i] = static_cast<std::uint8_t>(~expected[i]); // a pixel that is left alone is wrong
  filter(in.data(), out.data(), height, width);
  expectSame(out.data(), expected);
  out.expectNothingWrittenBefore();
}

} // namespace testing_support
