void opj_mct_encode_real(OPJ_FLOAT32 *OPJ_RESTRICT c0, OPJ_FLOAT32 *OPJ_RESTRICT c1, OPJ_FLOAT32 *OPJ_RESTRICT c2,
                         OPJ_SIZE_T n) {
  for (OPJ_SIZE_T i = 0; i < n; ++i) {
    const OPJ_FLOAT32 r = c0[i], g = c1[i], b = c2[i];
    c0[i] = 0.299f * r + 0.587f * g + 0.114f * b;
    c1[i] = -0.16875f * r - 0.331260f * g + 0.5f * b;
    c2[i] = 0.5f * r - 0.41869f * g - 0.08131f * b;
  }
}
