// expect: rejected
// trick: A control character in a comment (catalogue 61)
// layers: check:characters
// alone: nothing is left of it when it is compiled
// page break 
@SIGNATURE@ {
  
  @BODY@
}
