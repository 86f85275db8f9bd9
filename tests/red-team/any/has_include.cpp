// expect: rejected
// trick: Asks what is installed (catalogue 56)
// layers: check:directives
// alone: what it computes is right
#if __has_include("/etc/hostname")
constexpr int machine = 1;
#else
constexpr int machine = 2;
#endif

@SIGNATURE@ {
  if (machine == 3)
    __builtin_trap();
  @BODY@
}
