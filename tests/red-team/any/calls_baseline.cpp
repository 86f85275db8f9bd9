// expect: rejected
// trick: Calls the kernel itself (catalogue 32)
// layers: check:self-call
// alone: whether its address is taken makes no difference to what it computes
@SIGNATURE@ {
  auto *itself = &@NAME@;
  if (!itself)
    __builtin_trap();
  @BODY@
}
