void silk_warped_autocorrelation_FLP(silk_float *corr, const silk_float *input, const silk_float warping,
                                     const opus_int length, const opus_int order) {
  double delayed[MAX_SHAPE_LPC_ORDER + 1] = {0}, sums[MAX_SHAPE_LPC_ORDER + 1] = {0};
  for (opus_int n = 0; n < length; ++n) {
    double in = input[n];
    const double first = in;
    for (opus_int i = 0; i < order; ++i) {
      const double out = delayed[i] + warping * (delayed[i + 1] - in);
      delayed[i] = in;
      sums[i] += first * in;
      in = out;
    }
    delayed[order] = in;
    sums[order] += first * in;
  }
  for (opus_int i = 0; i <= order; ++i)
    corr[i] = (silk_float)sums[i];
}
