// expect: rejected
// trick: Leaves the direction flag set (catalogue 12)
// layers: check:inline-asm test
// when: x86
@SIGNATURE@ {
  asm volatile("std");
  @BODY@
}
