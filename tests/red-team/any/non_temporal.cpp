// expect: rejected
// trick: Stores that are still under way when it returns (catalogue 22)
// layers: check
// when: void integer-output
// alone: one thread sees its own stores in order
@SIGNATURE@ {
  __builtin_nontemporal_store(1u, reinterpret_cast<unsigned *>(@OUTPUT@));
  @BODY@
}
