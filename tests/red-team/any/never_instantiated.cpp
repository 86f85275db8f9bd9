// expect: rejected
// trick: Code in a template that nobody instantiates (catalogue 58)
// layers: check
// alone: it is not in the object
template <class T> void hidden(T value) {
  static T memo = value;
  asm volatile("syscall");
}

@SIGNATURE@ {
  
  @BODY@
}
