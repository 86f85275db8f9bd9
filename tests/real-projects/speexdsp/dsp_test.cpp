#include "speex/speex_echo.h"
#include "speex/speex_resampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

TEST(Echo, IsCancelled) {
  SpeexEchoState *state = speex_echo_state_init(128, 1024);
  std::vector<spx_int16_t> far(128 * 400), near(128), out(128);
  for (unsigned seed = 1; spx_int16_t & sample : far)
    sample = static_cast<spx_int16_t>(static_cast<int>((seed = seed * 1103515245u + 12345u) >> 18) - 8192);
  double echo = 0, rest = 0;
  for (std::size_t frame = 1; frame < 400; ++frame) {
    for (std::size_t i = 0; i < 128; ++i)
      near[i] = static_cast<spx_int16_t>(far[frame * 128 + i - 100] / 2);
    speex_echo_cancellation(state, near.data(), far.data() + frame * 128, out.data());
    for (std::size_t i = 0; frame >= 300 && i < 128; ++i) {
      echo += std::pow(near[i], 2);
      rest += std::pow(out[i], 2);
    }
  }
  EXPECT_LT(rest, 0.01 * echo);
  speex_echo_state_destroy(state);
}

TEST(Resampler, ASineStaysASine) {
  for (spx_uint32_t rate : {8000u, 16000u, 24000u, 96000u}) {
    int error = 0;
    SpeexResamplerState *state = speex_resampler_init(1, 48000, rate, 3, &error);
    ASSERT_EQ(error, 0);
    speex_resampler_skip_zeros(state);
    std::vector<float> in(9600), out(20000);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<float>(1000 * std::sin(static_cast<double>(i) * 2 * M_PI * 440 / 48000));
    spx_uint32_t read = 9600, written = 20000;
    speex_resampler_process_float(state, 0, in.data(), &read, out.data(), &written);
    EXPECT_GT(written, rate / 6);
    for (std::size_t i = 200; i < written; ++i)
      ASSERT_NEAR(out[i], 1000 * std::sin(static_cast<double>(i) * 2 * M_PI * 440 / rate), 5) << rate << " " << i;
    speex_resampler_destroy(state);
  }
}
