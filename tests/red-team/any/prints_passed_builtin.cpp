// expect: rejected
// trick: The same by a builtin (catalogue 26)
// layers: check audit
@SIGNATURE@ {
  __builtin_printf("[  PASSED  ] %d tests.\n", 23);
  @BODY@
}
