// expect: rejected
// trick: Nothing at all (catalogue 46)
// layers: test differential
// when: void
// fault: the result alone is wrong
@SIGNATURE@ {
}
