// expect: rejected
// trick: A trigraph at the end of a comment (catalogue 54)
// layers: check
// alone: new standards do not know trigraphs
// is this line a comment? ??/
@SIGNATURE@ {
  
  @BODY@
}
// ??=define
