// expect: rejected
// trick: A static member of a template (catalogue 4)
// layers: check audit
template <class T> struct Memo { inline static T calls = T(); };

@SIGNATURE@ {
  if (++Memo<unsigned>::calls > 2000000000u)
    __builtin_trap();
  @BODY@
}
