#include "images.h"

#include <gtest/gtest.h>

#include <deque>

namespace {

TEST(Running, FirstLine) {
  std::vector<float> pixels(40 * 7, 1), sums(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] += static_cast<float>(i % 5);
  images::Image in{40, 7, pixels.data()}, out{40, 7, sums.data()};
  images::running(in, out);
  EXPECT_EQ(sums[0], 1);
  EXPECT_EQ(sums[1], 3);
}

TEST(Total, IsPositive) {
  std::deque<images::Node> nodes;
  const images::Node *list = nullptr;
  for (int i = 0; i < 50; ++i)
    list = &nodes.emplace_back(static_cast<float>(i % 3) + 0.5f, list);
  EXPECT_GT(images::total(list), 0);
}

} // namespace
