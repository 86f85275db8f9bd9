// expect: rejected
// trick: Directives in digraphs (catalogue 54)
// layers: check
// alone: what it spells does nothing
%:define PASTE(a, b) a%:%:b
PASTE(stat, ic) int answer() { return 42; }

@SIGNATURE@ {
  if (answer() == 7)
    __builtin_trap();
  @BODY@
}
