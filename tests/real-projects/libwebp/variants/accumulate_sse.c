uint32_t AccumulateSSE_C(const uint8_t *src1, const uint8_t *src2, int len) {
  uint32_t sum = 0;
  for (int i = 0; i < len; ++i) {
    const int d = src1[i] > src2[i] ? src1[i] - src2[i] : src2[i] - src1[i];
    sum += (uint32_t)(d * d);
  }
  return sum;
}
