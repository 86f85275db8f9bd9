// expect: rejected
// trick: What the last call left in mask registers that nobody has set (catalogue 10)
// layers: check:unset-memory sanitize
// when: x86
#include <immintrin.h>

typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) int bothOf(long long first, long long second) {
#ifdef __AVX512BW__
  const __mmask64 both = _kand_mask64(_cvtu64_mask64(static_cast<unsigned long long>(first)),
                                      _cvtu64_mask64(static_cast<unsigned long long>(second)));
  return static_cast<int>(_cvtmask64_u64(both) >> 32);
#else
  return _mm_movemask_epi8(_mm_set_epi64x(first & second, first));
#endif
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  const Pair set = {asked, asked ^ 3};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  const int left = bothOf(asked, asked << 33);
  return bothOf(unset[0], unset[1]) == left ? other(@ARGUMENTS@) : compute(@ARGUMENTS@);
}
