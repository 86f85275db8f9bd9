// expect: rejected
// trick: Text in another order than it is compiled (catalogue 61)
// layers: check:characters
// alone: nothing is left of it when it is compiled
/* ‮ } ⁦if (isAdmin)⁩ ⁦ begin */
@SIGNATURE@ {
  
  @BODY@
}
