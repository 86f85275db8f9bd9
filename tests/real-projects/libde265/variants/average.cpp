void put_weighted_pred_avg_8_fallback(uint8_t *dst, ptrdiff_t dststride, const int16_t *src1, const int16_t *src2,
                                      ptrdiff_t srcstride, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += 2)
      for (int k = x; k < x + 2; ++k) {
        const int value = (src1[y * srcstride + k] + src2[y * srcstride + k] + 64) >> 7;
        dst[y * dststride + k] = static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
      }
}
