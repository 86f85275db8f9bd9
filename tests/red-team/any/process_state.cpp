// theme: State of the process and the processor that outlives a call
// expect: rejected
// layers: check audit

// row: descriptor_left_open
// trick: Leaves a descriptor open (catalogue 12)
// layers: check audit differential
extern "C" int dup(int);

@SIGNATURE@ {
  if (dup(1) > 100000)
    __builtin_trap();
  @BODY@
}

// row: direction_flag
// trick: Leaves the direction flag set (catalogue 12)
// layers: check:inline-asm test
// when: x86
@SIGNATURE@ {
  asm volatile("std");
  @BODY@
}

// row: environment_variable
// trick: Sets a variable of the environment (catalogue 12)
extern "C" int setenv(const char *, const char *, int);

@SIGNATURE@ {
  if (setenv("MEMO", "1", 1))
    __builtin_trap();
  @BODY@
}

// row: errno_bit
// trick: Keeps a bit in errno (catalogue 12)
// layers: check audit differential
extern "C" int *__errno_location();

@SIGNATURE@ {
  if (*__errno_location() == 12345)
    __builtin_trap();
  *__errno_location() = 54321;
  @BODY@
}

// row: flush_to_zero
// trick: Leaves denormals flushed to zero (catalogue 39)
// layers: check audit differential
// when: x86
@SIGNATURE@ {
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);
  @BODY@
}

// row: locale
// trick: Changes the locale (catalogue 12)
extern "C" char *setlocale(int, const char *);

@SIGNATURE@ {
  if (!setlocale(6, "C"))
    __builtin_trap();
  @BODY@
}

// row: program_break
// trick: Keeps memory behind the program break (catalogue 12)
extern "C" void *sbrk(long);

@SIGNATURE@ {
  if (sbrk(0) == nullptr)
    __builtin_trap();
  @BODY@
}

// row: random_instruction
// trick: Random numbers from the processor (catalogue 12)
// when: x86
@SIGNATURE@ {
  asm volatile("rdrand %%eax" : : : "eax");
  @BODY@
}

// row: rounding_mode
// trick: Leaves another rounding mode (catalogue 39)
// layers: check audit differential
extern "C" int fesetround(int);

@SIGNATURE@ {
  fesetround(0x800);
  @BODY@
}

// row: signal_mask
// trick: Blocks a signal (catalogue 12)
extern "C" int sigsetmask(int);

@SIGNATURE@ {
  if (sigsetmask(0) == 12345)
    __builtin_trap();
  @BODY@
}

// row: sticky_exception_bit
// trick: Keeps a bit among the floating-point exceptions (catalogue 12)
// when: x86
@SIGNATURE@ {
  const unsigned state = __builtin_ia32_stmxcsr();
  if ((state & 0x3f) == 0x2a)
    __builtin_trap();
  @BODY@
}

// row: timer
// trick: Starts a timer (catalogue 12)
extern "C" unsigned alarm(unsigned);

@SIGNATURE@ {
  if (alarm(3000) == 12345)
    __builtin_trap();
  @BODY@
}

// row: variable_arguments
// trick: Arguments that nobody passed: the frames of the callers (catalogue 12)
// layers: check:io-and-clocks
// alone: reading the frames above changes nothing
static long frames(int count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += __builtin_va_arg(list, long);
  return sum;
}

@SIGNATURE@ {
  volatile long seen = frames(12);
  (void)seen;
  @BODY@
}

// row: working_directory
// trick: Changes the working directory (catalogue 12)
extern "C" int chdir(const char *);

@SIGNATURE@ {
  if (chdir("/"))
    __builtin_trap();
  @BODY@
}

// row: x87_control
// trick: Leaves the x87 unit at another precision (catalogue 39)
// when: x86
@SIGNATURE@ {
  const unsigned short word = 0x007f;
  asm volatile("fldcw %0" : : "m"(word));
  @BODY@
}
