// expect: rejected
// trick: Claims to be a system header by a pragma (catalogue 54)
// layers: check:pragmas
// alone: it does nothing when it runs
#pragma GCC system_header

@SIGNATURE@ {
  
  @BODY@
}
