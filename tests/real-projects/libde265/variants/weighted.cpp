void put_weighted_pred_8_fallback(uint8_t *dst, ptrdiff_t dststride, const int16_t *src, ptrdiff_t srcstride, int width,
                                  int height, int w, int o, int log2WD) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int value = ((src[y * srcstride + x] * w + (1 << (log2WD - 1))) >> log2WD) + o;
      dst[y * dststride + x] = static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}
