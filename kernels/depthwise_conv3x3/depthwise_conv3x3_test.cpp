#include "depthwise_conv3x3.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

struct Layer {
  std::size_t height, width, channels;
  std::vector<float> in, weights, bias;
  std::size_t outSize() const { return (height - 2) * (width - 2) * channels; }
};

// Integers of a few bits: every order of summation is exact.
constexpr int kLargest = 1000;

Layer integers(std::size_t height, std::size_t width, std::size_t channels) {
  const auto seed = static_cast<unsigned>((height * 64 + width) * 64 + channels);
  return {height,
          width,
          channels,
          randomIntegers(height * width * channels, kLargest, seed),
          randomIntegers(9 * channels, kLargest, seed + 1),
          randomIntegers(channels, kLargest, seed + 2)};
}

Layer fractions(std::size_t height, std::size_t width, std::size_t channels, float magnitude) {
  return {height,
          width,
          channels,
          randomFloats(height * width * channels, -magnitude, magnitude, 5),
          randomFloats(9 * channels, -magnitude, magnitude, 6),
          randomFloats(channels, -magnitude, magnitude, 7)};
}

/// In double, from the input's side: each element adds to the up to nine results that it is under.
std::vector<double> reference(const Layer &layer) {
  const auto &[height, width, channels, in, weights, bias] = layer;
  std::vector<double> out(layer.outSize());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = bias[i % channels];
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t c = i % channels, x = i / channels % width, y = i / channels / width;
    for (std::size_t tap = 0; tap < 9; ++tap)
      if (y >= tap / 3 && x >= tap % 3 && y - tap / 3 < height - 2 && x - tap % 3 < width - 2)
        out[((y - tap / 3) * (width - 2) + x - tap % 3) * channels + c] +=
            static_cast<double>(in[i]) * weights[tap * channels + c];
  }
  return out;
}

/// The inputs can only be read, and nothing lies behind any array.
void expectFiltered(const Layer &layer, double absolute) {
  SCOPED_TRACE(testing::Message() << layer.height << "x" << layer.width << "x" << layer.channels);
  const EdgeBuffer<float> in(layer.in), weights(layer.weights), bias(layer.bias);
  EdgeBuffer<float> out(layer.outSize());
  filters::depthwiseConv3x3(in.data(), weights.data(), bias.data(), out.data(), layer.height, layer.width,
                            layer.channels);
  expectAllNear(out.data(), reference(layer), absolute, 0);
  out.expectNothingWrittenBefore();
}

TEST(DepthwiseConv3x3, EverySmallSize) {
  for (std::size_t height = 3; height <= 5; ++height)
    for (std::size_t width = 3; width <= 8; ++width)
      for (std::size_t channels = 1; channels <= 36; ++channels)
        expectFiltered(integers(height, width, channels), 0);
}

TEST(DepthwiseConv3x3, OddSizes) {
  for (std::size_t channels : {1u, 2u, 16u, 19u})
    for (std::size_t width = 3; width <= 41; ++width)
      expectFiltered(integers(4, width, channels), 0);
  for (std::size_t channels : {48u, 63u, 64u, 65u, 127u, 130u, 513u})
    expectFiltered(integers(7, 9, channels), 0);
  expectFiltered(integers(61, 3, 8), 0);
}

TEST(DepthwiseConv3x3, Fractions) {
  for (const auto &[height, width, channels] : {std::tuple(3, 3, 1), std::tuple(9, 14, 33), std::tuple(30, 30, 64)})
    expectFiltered(fractions(std::size_t(height), std::size_t(width), std::size_t(channels), 1), 1e-5);
  for (float magnitude : {1e-12f, 1e-3f, 1e4f, 1e15f})
    expectFiltered(fractions(6, 7, 21, magnitude), 1e-6 * magnitude * (magnitude * 9 + 1));
}

// One element shows the mirrored weights of its channel around it, and nothing in any other channel or row.
TEST(DepthwiseConv3x3, OneElementAnywhere) {
  Layer layer = integers(5, 6, 5);
  layer.bias.assign(5, 0.0f);
  for (std::size_t position = 0; position < layer.in.size(); ++position) {
    layer.in.assign(layer.in.size(), 0.0f);
    layer.in[position] = 1.0f;
    expectFiltered(layer, 0);
  }
}

TEST(DepthwiseConv3x3, NothingToWrite) {
  for (const auto &[height, width, channels] : {std::tuple(2, 6, 4), std::tuple(6, 2, 4), std::tuple(6, 6, 0)}) {
    const Layer layer = integers(std::size_t(height), std::size_t(width), std::size_t(channels));
    GuardedBuffer out(64);
    filters::depthwiseConv3x3(layer.in.data(), layer.weights.data(), layer.bias.data(), out.data(), layer.height,
                              layer.width, layer.channels);
    out.expectGuardsIntact();
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_TRUE(std::isnan(out[i])) << "element " << i << " was written";
  }
}

// Same pointers, same sizes, other contents: an answer kept from the call before, or added to it, is wrong.
TEST(DepthwiseConv3x3, SecondCallSeesNewContents) {
  Layer layer = integers(6, 9, 20);
  std::vector<float> out(layer.outSize());
  const auto run = [&] {
    filters::depthwiseConv3x3(layer.in.data(), layer.weights.data(), layer.bias.data(), out.data(), 6, 9, 20);
  };
  run();
  layer.in.back() += 1.0f;
  layer.weights[4] -= 2.0f;
  layer.bias[19] += 3.0f;
  run();
  expectAllNear(out.data(), reference(layer), 0, 0);
}

} // namespace
