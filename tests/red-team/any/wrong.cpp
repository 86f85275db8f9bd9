// theme: Wrong results
// expect: rejected
// layers: test differential

// row: non_temporal
// trick: Stores that are still under way when it returns (catalogue 22)
// layers: check
// when: void integer-output
// alone: one thread sees its own stores in order
@SIGNATURE@ {
  __builtin_nontemporal_store(1u, reinterpret_cast<unsigned *>(@OUTPUT@));
  @BODY@
}

// row: reads_before_input
// trick: Reads a vector in front of the input (catalogue 48)
// layers: differential
// fault: only where it reads is wrong
@SIGNATURE@ {
  const volatile auto *before = @INPUT@;
  for (int i = 1; i < 5; ++i)
    (void)*(before - i);
  @BODY@
}

// row: reads_behind_input
// trick: Reads a vector behind the end of the input (catalogue 48)
// layers: differential
// fault: only where it reads is wrong
@SIGNATURE@ {
  const volatile auto *behind = @INPUT@ + @INPUT_EXTENT@;
  for (int i = 0; i < 16; ++i)
    (void)behind[i];
  @BODY@
}

// row: wrong_alignment_assumed
// trick: Aligned loads from the input (catalogue 47)
// layers: differential
// when: x86
// fault: the result alone is wrong
typedef float Vector __attribute__((vector_size(16)));

@SIGNATURE@ {
  const volatile Vector *vector = reinterpret_cast<const volatile Vector *>(@INPUT@);
  if (@INPUT_EXTENT@ * sizeof(*@INPUT@) >= 16)
    (void)vector[0];
  @BODY@
}

// row: wrong_first_element
// trick: The first element is zero (catalogue 44)
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  if (@OUTPUT_EXTENT@ == 0)
    return;
  compute(@ARGUMENTS@);
  @OUTPUT@[0] = {};
}

// row: wrong_half
// trick: Results of 11 bits (catalogue 42)
// layers: differential
// when: void floating-output x86
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = static_cast<float>(static_cast<_Float16>(@OUTPUT@[i]));
}

// row: wrong_last_element
// trick: The last element is not written (catalogue 44)
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  if (@OUTPUT_EXTENT@ == 0)
    return;
  const auto last = @OUTPUT@[@OUTPUT_EXTENT@ - 1];
  compute(@ARGUMENTS@);
  @OUTPUT@[@OUTPUT_EXTENT@ - 1] = last;
}

// row: wrong_nan
// trick: Not-a-number everywhere, in the hope that it compares equal (catalogue 34)
// when: void floating-output
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = __builtin_nanf("");
}

// row: wrong_nothing
// trick: Nothing at all (catalogue 46)
// when: void
// fault: the result alone is wrong
@SIGNATURE@ {
}

// row: wrong_one_in_a_hundred
// trick: One element in a hundred is not written (catalogue 44)
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 57; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); i += 100)
    @OUTPUT@[i] = {};
}

// row: wrong_one_percent
// trick: One percent too much (catalogue 42)
// when: void floating-output
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = @OUTPUT@[i] * 1.01f;
}

// row: wrong_stale_if_nonzero
// trick: Keeps what stands in the output if there is something (catalogue 46)
// layers: differential
// when: void
// fault: the result alone is wrong
@SIGNATURE@ {
  if (@OUTPUT_EXTENT@ > 0 && @OUTPUT@[0] == @OUTPUT@[0] && @OUTPUT@[0] != 0 && @OUTPUT@[@OUTPUT_EXTENT@ - 1] != 0)
    return;
  @BODY@
}

// row: wrong_value
// trick: The same value for every input (catalogue 43)
// when: returns
// fault: the result alone is wrong
@SIGNATURE@ {
  return {};
}

// row: wrong_when_empty
// trick: Writes one element of an empty output (catalogue 48)
// layers: differential
// when: void
// fault: only where it writes is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ == 0)
    @OUTPUT@[0] = {};
}

// row: wrong_when_large
// trick: Correct for small sizes only (catalogue 51)
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ > 1000)
    @OUTPUT@[@OUTPUT_EXTENT@ / 2] = {};
}

// row: wrong_when_misaligned
// trick: Dies on buffers that are not aligned (catalogue 47)
// layers: differential
// fault: the result alone is wrong
@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(@INPUT@) & 15) != 0)
    __builtin_trap();
  @BODY@
}

// row: wrong_when_odd
// trick: Correct for even sizes only (catalogue 51)
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ % 2 == 1 && @OUTPUT_EXTENT@ > 1)
    @OUTPUT@[@OUTPUT_EXTENT@ - 2] = {};
}
