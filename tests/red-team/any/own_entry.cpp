// expect: rejected
// trick: Defines what the hook loads (catalogue 27)
// layers: check
extern "C" __attribute__((visibility("default"))) void *agentic_kernel_entry_@KERNEL@(void *) { return nullptr; }

@SIGNATURE@ {
  
  @BODY@
}
