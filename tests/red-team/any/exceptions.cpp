// expect: rejected
// trick: Falls back by an exception (catalogue 31)
// layers: check:exceptions audit
@SIGNATURE@ {
  try {
    if (!@INPUT@)
      throw 1;
  } catch (int) {
  }
  @BODY@
}
