int resampler_basic_direct_single(SpeexResamplerState *st, spx_uint32_t channel_index, const spx_word16_t *in,
                                  spx_uint32_t *in_len, spx_word16_t *out, spx_uint32_t *out_len) {
  spx_int32_t at = st->last_sample[channel_index], written = 0;
  spx_uint32_t phase = st->samp_frac_num[channel_index];
  const int taps = (int)st->filt_len;
  for (; at < (spx_int32_t)*in_len && written < (spx_int32_t)*out_len; ++written) {
    const spx_word16_t *filter = st->sinc_table + phase * (spx_uint32_t)taps;
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      sum += filter[k] * in[at + k];
    out[st->out_stride * written] = sum;
    at += st->int_advance;
    phase += (spx_uint32_t)st->frac_advance;
    if (phase >= st->den_rate) {
      phase -= st->den_rate;
      ++at;
    }
  }
  st->last_sample[channel_index] = at;
  st->samp_frac_num[channel_index] = phase;
  return written;
}
