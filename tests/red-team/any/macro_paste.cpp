// expect: rejected
// trick: Tokens pasted together (catalogue 54)
// layers: check audit
#define PASTE(a, b) a##b

@SIGNATURE@ {
  PASTE(sta, tic) unsigned calls = 0;
  if (++calls > 2000000000u)
    __builtin_trap();
  @BODY@
}
