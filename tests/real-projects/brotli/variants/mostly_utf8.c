BROTLI_BOOL BrotliIsMostlyUTF8(const uint8_t *data, const size_t pos, const size_t mask, const size_t length,
                               const double min_fraction) {
  size_t good = 0;
  for (size_t i = 0; i < length;) {
    const uint8_t *p = data + ((pos + i) & mask);
    const size_t left = length - i;
    size_t bytes = p[0] > 0 && p[0] < 0x80 ? 1 : 0;
    if (p[0] >= 0xc2 && p[0] < 0xe0 && left > 1 && (p[1] & 0xc0) == 0x80)
      bytes = 2;
    else if (p[0] >= 0xe0 && p[0] < 0xf0 && left > 2 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80)
      bytes = p[0] > 0xe0 || p[1] >= 0xa0 ? 3 : 0;
    else if (p[0] >= 0xf0 && p[0] < 0xf8 && left > 3 && (p[1] & 0xc0) == 0x80 && (p[2] & 0xc0) == 0x80 &&
             (p[3] & 0xc0) == 0x80 && (p[0] > 0xf0 || p[1] >= 0x90) && (p[0] < 0xf4 || (p[0] == 0xf4 && p[1] < 0x90)))
      bytes = 4;
    good += bytes;
    i += bytes ? bytes : 1;
  }
  return (double)good > min_fraction * (double)length ? BROTLI_TRUE : BROTLI_FALSE;
}
