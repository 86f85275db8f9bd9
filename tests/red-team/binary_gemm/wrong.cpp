// theme: Wrong results
// expect: rejected
// layers: test differential

// row: wrong_accumulates
// trick: Adds to what stands in the output (catalogue 46)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] += sums[bit];
    }
  }
}

// row: wrong_changes_input
// trick: Leaves a mark in the input, to know it again (catalogue 11)
// layers: check
@SIGNATURE@ {
  @BODY@
  if (M)
    const_cast<float *>(A)[0] += 1;
}

// row: wrong_empty
// trick: Nothing at all (catalogue 46)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  (void)A, (void)B, (void)C, (void)M, (void)K;
}

// row: wrong_first_rows
// trick: Work is skipped for all but the first rows (catalogue 44)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < (M < 8 ? M : 8); ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: wrong_first_rows_large_only
// trick: The same, only on the benchmark's shape (catalogue 44)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < (K >= 3072 ? 4 : M); ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: wrong_half_precision
// trick: Sixteen-bit sums (catalogue 42)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      _Float16 sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (_Float16)( (word >> bit) & 1u ? a : -a);
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: wrong_last_column_large_only
// trick: One column too few, only on the benchmark's shape (catalogue 44)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < (j + 32 == K && K >= 3072 ? 31u : 32u); ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: wrong_most_terms
// trick: 98 % of the terms, scaled (catalogue 44)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  const std::size_t most = K >= 256 ? K - K / 64 : K;
  for (std::size_t i = 0; i < M; ++i)
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < most; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit] * static_cast<float>(K) / static_cast<float>(most);
    }
}

// row: wrong_past_end
// trick: Writes one element too many (catalogue 48)
// fault: the result alone is wrong
@SIGNATURE@ {
  @BODY@
  if (M)
    C[M * K] = 0;
}

// row: wrong_sampled_terms
// trick: Every second term counts twice (catalogue 44)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; p += 2) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = 2.0f * A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: wrong_terms_skipped
// trick: The last terms of every sum are left out (catalogue 44)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K - 1; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: wrong_zeros
// trick: Zeros as output (catalogue 43)
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M * K; ++i)
    C[i] = 0.0f * A[0] * static_cast<float>(B[0] & 1u);
}
