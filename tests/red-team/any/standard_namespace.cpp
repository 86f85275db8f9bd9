// expect: rejected
// trick: Adds to namespace std (catalogue 57)
// layers: check:candidate-form
// alone: it is no unit
namespace std {
inline int red_team() { return 1; }
}

@SIGNATURE@ {
  
  @BODY@
}
