void SobelXRow_C(const uint8_t *src_y0, const uint8_t *src_y1, const uint8_t *src_y2, uint8_t *dst_sobelx, int width) {
  for (int i = 0; i < width; ++i) {
    const int d = src_y0[i] + 2 * src_y1[i] + src_y2[i] - src_y0[i + 2] - 2 * src_y1[i + 2] - src_y2[i + 2];
    const int size = d < 0 ? -d : d;
    dst_sobelx[i] = static_cast<uint8_t>(size > 255 ? 255 : size);
  }
}
