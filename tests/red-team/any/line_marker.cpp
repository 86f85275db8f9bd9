// expect: rejected
// trick: Claims to be a system header (catalogue 54)
// layers: check:directives
// alone: it does nothing when it runs
# 1 "/usr/include/stdlib.h" 1 3

@SIGNATURE@ {
  
  @BODY@
}
