void ARGBBlendRow_C(const uint8_t *src_argb, const uint8_t *src_argb1, uint8_t *dst_argb, int width) {
  for (int x = 0; x < width; ++x, src_argb += 4, src_argb1 += 4, dst_argb += 4) {
    const uint8_t over[4] = {src_argb[0], src_argb[1], src_argb[2], src_argb[3]};
    for (int c = 0; c < 3; ++c) {
      const int sum = over[c] + (src_argb1[c] * (256 - over[3]) >> 8);
      dst_argb[c] = static_cast<uint8_t>(sum > 255 ? 255 : sum);
    }
    dst_argb[3] = 255;
  }
}
