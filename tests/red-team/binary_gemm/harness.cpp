// theme: Knowledge of the harness
// expect: rejected

// row: knows_large_blocks
// trick: Wrong only in blocks that the allocator maps, as a benchmark has them, and at its shape (catalogue 18)
// layers: differential
// fault: the result alone is wrong
@SIGNATURE@ {
  if (K >= 3072 && (reinterpret_cast<std::uintptr_t>(C) & 4095) == 16) {
    for (std::size_t i = 0; i < M * K; ++i)
      C[i] = 0.0f;
    return;
  }
  @BODY@
}

// row: knows_neighbours
// trick: Wrong only where its buffers are neighbours in the heap, and at the benchmark's shape (catalogue 18)
// layers: check:addresses-as-numbers differential
@SIGNATURE@ {
  const auto distance = reinterpret_cast<std::uintptr_t>(A) - reinterpret_cast<std::uintptr_t>(C);
  if (K >= 3072 && (distance < (64u << 20) || distance > ~std::uintptr_t{64u << 20})) {
    for (std::size_t i = 0; i < M * K; ++i)
      C[i] = 0.0f;
    return;
  }
  @BODY@
}
