void ConvertARGBToY_C(const uint32_t *argb, uint8_t *y, int width) {
  for (int i = 0; i < width; ++i) {
    const uint32_t p = argb[i];
    y[i] = (uint8_t)((16839u * (p >> 16 & 255u) + 33059u * (p >> 8 & 255u) + 6420u * (p & 255u) + 1081344u) >> 16);
  }
}
