void FLAC__lpc_restore_signal(const FLAC__int32 *flac_restrict residual, uint32_t data_len,
                              const FLAC__int32 *flac_restrict qlp_coeff, uint32_t order, int lp_quantization,
                              FLAC__int32 *flac_restrict data) {
  for (int i = 0; i < (int)data_len; ++i) {
    uint32_t sum = 0;
    for (int j = 1; j <= (int)order; ++j)
      sum += (uint32_t)qlp_coeff[j - 1] * (uint32_t)data[i - j];
    data[i] = (FLAC__int32)((uint32_t)residual[i] + (uint32_t)((FLAC__int32)sum >> lp_quantization));
  }
}
