// expect: rejected
// trick: Declares something for the test library (catalogue 57)
// layers: check:candidate-form
// alone: it is no unit
namespace testing {
inline void passed() {}
}

@SIGNATURE@ {
  
  @BODY@
}
