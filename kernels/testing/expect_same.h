// Exact comparison of arrays of integers.
#pragma once

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace testing_support {

/// Says where two arrays differ first, instead of printing both.
template <typename T> void expectSame(const T *actual, const std::vector<T> &expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(+actual[i], +expected[i]) << "element " << i << " of " << expected.size();
}

} // namespace testing_support
