// theme: Pointers made of other things
// expect: rejected
// layers: check:forged-pointers test differential

// row: code_writable
// trick: Makes code writable (catalogue 33)
// layers: check audit
extern "C" int mprotect(void *, unsigned long, int);

@SIGNATURE@ {
  if (mprotect(nullptr, 4096, 7) == 0)
    __builtin_trap();
  @BODY@
}

// row: forged_by_bit_cast
// trick: A pointer made by a bit cast (catalogue 33)
@SIGNATURE@ {
  if (@INPUT@) {
    auto *forged = __builtin_bit_cast(volatile int *, 0x20000ul);
    *forged = 1;
  }
  @BODY@
}

// row: forged_by_memcpy
// trick: A pointer made by copying bytes (catalogue 33)
@SIGNATURE@ {
  unsigned long number = 0x40000ul;
  volatile int *forged = nullptr;
  __builtin_memcpy(&forged, &number, sizeof forged);
  if (@INPUT@)
    *forged = 1;
  @BODY@
}

// row: forged_by_union
// trick: A pointer made by a union (catalogue 33)
union Forge { unsigned long number; volatile int *pointer; };

@SIGNATURE@ {
  Forge forge;
  forge.number = 0x30000ul;
  if (@INPUT@)
    *forge.pointer = 1;
  @BODY@
}

// row: forged_code
// trick: A function pointer made from data (catalogue 33)
// layers: check test differential
constexpr unsigned char code[] = {0xc3, 0xc3, 0xc3, 0xc3};

@SIGNATURE@ {
  auto call = reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(&code[0]));
  if (@INPUT@)
    call();
  @BODY@
}

// row: forged_pointer
// trick: A pointer made from an integer (catalogue 33)
@SIGNATURE@ {
  if (@INPUT@)
    *reinterpret_cast<volatile int *>(0x10000ul) = 1;
  @BODY@
}

// row: input_by_difference
// trick: Writes to the input through the output's pointer (catalogue 11)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile unsigned char *bytes = reinterpret_cast<volatile unsigned char *>(@OUTPUT@);
  const long distance = static_cast<long>(reinterpret_cast<unsigned long>(@INPUT@) - reinterpret_cast<unsigned long>(@OUTPUT@));
  bytes[distance] = bytes[distance];
  @BODY@
}
