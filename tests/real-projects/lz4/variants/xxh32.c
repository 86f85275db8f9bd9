#include <string.h>

static U32 word(const BYTE *p) {
  U32 value;
  memcpy(&value, p, 4);
  return value;
}

static U32 turn(U32 value, int by) {
  return value << by | value >> (32 - by);
}

unsigned int XXH32(const void *input, size_t len, unsigned int seed) {
  const BYTE *p = (const BYTE *)input, *const end = p + len;
  U32 hash = seed + 374761393U;
  if (len >= 16) {
    U32 lanes[4] = {seed + 2654435761U + 2246822519U, seed + 2246822519U, seed, seed - 2654435761U};
    for (; end - p >= 16; p += 16)
      for (int k = 0; k < 4; ++k)
        lanes[k] = turn(lanes[k] + word(p + 4 * k) * 2246822519U, 13) * 2654435761U;
    hash = turn(lanes[0], 1) + turn(lanes[1], 7) + turn(lanes[2], 12) + turn(lanes[3], 18);
  }
  hash += (U32)len;
  for (; end - p >= 4; p += 4)
    hash = turn(hash + word(p) * 3266489917U, 17) * 668265263U;
  for (; p < end; ++p)
    hash = turn(hash + *p * 374761393U, 11) * 2654435761U;
  hash = (hash ^ hash >> 15) * 2246822519U;
  hash = (hash ^ hash >> 13) * 3266489917U;
  return hash ^ hash >> 16;
}
