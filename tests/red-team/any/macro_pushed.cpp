// expect: rejected
// trick: A macro set aside and changed (catalogue 54)
// layers: check
// alone: what it computes is right
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma pop_macro("NDEBUG")

@SIGNATURE@ {
  
  @BODY@
}
