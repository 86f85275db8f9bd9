double silk_energy_FLP(const silk_float *data, opus_int dataSize) {
  double sum = 0;
  opus_int i = 0;
  for (; i + 4 <= dataSize; i += 4) {
    double four = (double)data[i] * (double)data[i];
    for (int k = 1; k < 4; ++k)
      four += (double)data[i + k] * (double)data[i + k];
    sum += four;
  }
  for (; i < dataSize; ++i)
    sum += (double)data[i] * (double)data[i];
  return sum;
}
