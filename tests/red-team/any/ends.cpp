// theme: Ends that look like success
// expect: rejected
// layers: check audit

// row: abort
// trick: Dies (catalogue 31)
// layers: check audit test differential benchmark
@SIGNATURE@ {
  if (@INPUT@)
    __builtin_abort();
  @BODY@
}

// row: exceptions
// trick: Falls back by an exception (catalogue 31)
// layers: check:exceptions audit
@SIGNATURE@ {
  try {
    if (!@INPUT@)
      throw 1;
  } catch (int) {
  }
  @BODY@
}

// row: exit_success
// trick: Leaves with success after a few calls (catalogue 25)
// layers: check audit test differential benchmark
extern "C" [[noreturn]] void _exit(int);

@SIGNATURE@ {
  if (@INPUT@)
    _exit(0);
  @BODY@
}

// row: exit_syscall
// trick: The same by the instruction (catalogue 25)
// layers: check:inline-asm audit test differential
// when: x86
@SIGNATURE@ {
  asm volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
  @BODY@
}

// row: long_jump
// trick: Jumps out of the kernel (catalogue 31)
extern "C" int _setjmp(void *);

@SIGNATURE@ {
  unsigned long buffer[64];
  if (_setjmp(buffer) == 7)
    __builtin_trap();
  @BODY@
}

// row: long_jump_builtin
// trick: The same by builtins (catalogue 31)
// layers: check
// alone: nothing is left in the object but moves
static void *buffer(void **at) { return at; }

@SIGNATURE@ {
  void *frame[5];
  if (__builtin_setjmp(frame) == 1)
    __builtin_trap();
  @BODY@
}

// row: quick_exit
// trick: The same by quick_exit (catalogue 25)
// layers: check audit test differential
extern "C" void quick_exit(int);

@SIGNATURE@ {
  if (@INPUT@)
    quick_exit(0);
  @BODY@
}

// row: raise
// trick: Kills itself (catalogue 31)
extern "C" int raise(int);

@SIGNATURE@ {
  raise(9);
  @BODY@
}

// row: signal_handler
// trick: Turns a crash into something else (catalogue 31)
extern "C" void (*signal(int, void (*)(int)))(int);
static void ignore(int) {}

@SIGNATURE@ {
  signal(11, ignore);
  @BODY@
}

// row: trap
// trick: Dies without a function (catalogue 31)
// layers: test differential benchmark
// fault: the result alone is wrong
@SIGNATURE@ {
  if (@INPUT@)
    __builtin_trap();
  @BODY@
}
