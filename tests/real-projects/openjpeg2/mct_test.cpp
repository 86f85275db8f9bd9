#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

extern "C" void opj_mct_encode_real(float *c0, float *c1, float *c2, std::size_t n); // mct.h is no C++

TEST(Mct, IrreversibleTransformIsTheMatrix) {
  for (std::size_t n : {0, 1, 7, 8, 9, 100, 1027}) {
    struct alignas(16) Plane {
      float values[1032];
    };
    std::vector<Plane> rgb(3), out(3);
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t i = 0; i < 1032; ++i)
        rgb[p].values[i] = static_cast<float>((i * 37 + p * 101) % 511) - 255;
    out = rgb;
    opj_mct_encode_real(out[0].values, out[1].values, out[2].values, n);
    const float matrix[3][3] = {{0.299f, 0.587f, 0.114f}, {-0.16875f, -0.33126f, 0.5f}, {0.5f, -0.41869f, -0.08131f}};
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t i = 0; i < 1032; ++i) {
        float expected = rgb[p].values[i];
        if (i < n)
          expected =
              matrix[p][0] * rgb[0].values[i] + matrix[p][1] * rgb[1].values[i] + matrix[p][2] * rgb[2].values[i];
        ASSERT_NEAR(out[p].values[i], expected, 1e-3) << n << " " << p << " " << i;
      }
  }
}
