// expect: rejected
// trick: Reads through what it finds on the stack (catalogue 33)
// layers: check
// alone: reading its own frame changes nothing
@SIGNATURE@ {
  void **frame = static_cast<void **>(__builtin_frame_address(0));
  if (frame[0] == nullptr && !@INPUT@)
    __builtin_trap();
  @BODY@
}
