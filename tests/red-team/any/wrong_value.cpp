// expect: rejected
// trick: The same value for every input (catalogue 43)
// layers: test differential
// when: returns
// fault: the result alone is wrong
@SIGNATURE@ {
  return {};
}
