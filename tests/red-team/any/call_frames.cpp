// expect: rejected
// trick: Knows its caller by the frame address (catalogue 18)
// layers: check
// alone: what it would do elsewhere does not happen where it is judged
@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(__builtin_frame_address(0)) >> 48) == 1)
    __builtin_trap();
  @BODY@
}
