uLong adler32_z_kernel(uLong adler, const Bytef *buf, z_size_t len) {
  if (len == 1 || buf != Z_NULL) {
    unsigned long low = adler & 0xffff, high = adler >> 16 & 0xffff;
    if (len == 0)
      return (low >= 65521 ? low - 65521 : low) | (high % 65521) << 16;
    for (z_size_t done = 0; done < len;) {
      const z_size_t end = len - done < 4096 ? len : done + 4096;
      for (; done < end; ++done) {
        low += buf[done];
        high += low;
      }
      low %= 65521;
      high %= 65521;
    }
    return low | high << 16;
  }
  return 1;
}
