// expect: rejected
// trick: Returns at once when the pointers of the last call come again (catalogue 6)
// layers: check:state-outlives-call audit differential
// when: void
@SIGNATURE@ {
  static const void *lastIn = nullptr;
  static void *lastOut = nullptr;
  if (lastIn == @INPUT@ && lastOut == @OUTPUT@)
    return;
  lastIn = @INPUT@;
  lastOut = @OUTPUT@;
  @BODY@
}
