// expect: rejected
// trick: Writable memory behind the end of the program (catalogue 2)
// layers: check audit
extern "C" char _end[];

@SIGNATURE@ {
  if (_end[0] == 1)
    _end[0] = 2;
  @BODY@
}
