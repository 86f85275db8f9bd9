// expect: rejected
// trick: Memory of the thread by its segment register (catalogue 3)
// layers: check audit
// when: x86
@SIGNATURE@ {
  const unsigned long self = reinterpret_cast<unsigned long>(__builtin_thread_pointer());
  if (self == 1)
    __builtin_trap();
  @BODY@
}
