unsigned LZ4HC_countPattern(const BYTE *ip, const BYTE *const iEnd, U32 const pattern32) {
  unsigned length = 0; /* on a machine that is little-endian */
  while (ip + length < iEnd && ip[length] == (BYTE)(pattern32 >> 8 * (length & 3)))
    ++length;
  return length;
}
