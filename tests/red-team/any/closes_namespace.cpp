// expect: rejected
// trick: Closes the namespace that it is put into (catalogue 57)
// layers: check:candidate-form
// alone: it is no unit
}
namespace testing {
inline void passed() {}
}
namespace {
@SIGNATURE@ {
  
  @BODY@
}
