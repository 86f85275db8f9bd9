void FLAC__fixed_compute_residual(const FLAC__int32 data[], uint32_t data_len, uint32_t order, FLAC__int32 residual[]) {
  const int n = (int)data_len;
  if (order == 0)
    for (int i = 0; i < n; ++i)
      residual[i] = data[i];
  else if (order == 1)
    for (int i = 0; i < n; ++i)
      residual[i] = (FLAC__int32)((uint32_t)data[i] - (uint32_t)data[i - 1]);
  else if (order == 2)
    for (int i = 0; i < n; ++i)
      residual[i] = (FLAC__int32)((uint32_t)data[i] - 2u * (uint32_t)data[i - 1] + (uint32_t)data[i - 2]);
  else if (order == 3)
    for (int i = 0; i < n; ++i)
      residual[i] = (FLAC__int32)((uint32_t)data[i] - (uint32_t)data[i - 3] -
                                  3u * ((uint32_t)data[i - 1] - (uint32_t)data[i - 2]));
  else if (order == 4)
    for (int i = 0; i < n; ++i)
      residual[i] = (FLAC__int32)((uint32_t)data[i] + (uint32_t)data[i - 4] -
                                  4u * ((uint32_t)data[i - 1] + (uint32_t)data[i - 3]) + 6u * (uint32_t)data[i - 2]);
}
