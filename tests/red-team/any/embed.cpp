// expect: rejected
// trick: Embeds a file (catalogue 56)
// layers: check:directives
constexpr unsigned char secret[] = {
#embed "/etc/hostname"
};

@SIGNATURE@ {
  if (sizeof secret == 12345)
    __builtin_trap();
  @BODY@
}
