// expect: valid
// style: A mask that leaves the upper half of a vector alone
// when: x86
#include <immintrin.h>

static __attribute__((noinline)) int lowerOf(int value) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  const __mmask16 lower = _cvtu32_mask16(0xff);
  return static_cast<int>(_cvtmask16_u32(_kand_mask16(lower, _mm_cmpeq_epi8_mask(_mm_set1_epi8(1), _mm_set1_epi8(static_cast<char>(value))))));
#else
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_set1_epi8(1), _mm_set1_epi8(static_cast<char>(value)))) & 0xff;
#endif
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return lowerOf(static_cast<int>(@COUNT@)) == 0 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
