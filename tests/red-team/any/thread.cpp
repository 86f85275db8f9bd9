// expect: rejected
// trick: Another thread does the work (catalogue 13)
// layers: check audit sandbox
extern "C" int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
static void *work(void *) { return nullptr; }

@SIGNATURE@ {
  unsigned long id = 0;
  if (pthread_create(&id, nullptr, work, nullptr) == 0)
    __builtin_trap();
  @BODY@
}
