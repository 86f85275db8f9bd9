// expect: rejected
// trick: Knows the program by /proc/self/cmdline (catalogue 18)
// layers: check audit
extern "C" int open(const char *, int, ...);

@SIGNATURE@ {
  if (open("/proc/self/cmdline", 0) == 100000)
    __builtin_trap();
  @BODY@
}
