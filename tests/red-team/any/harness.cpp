// theme: Knowledge of who calls, of the machine and of where buffers lie
// expect: rejected
// layers: check audit

// row: backtrace
// trick: Knows its caller by unwinding (catalogue 18)
extern "C" int backtrace(void **, int);

@SIGNATURE@ {
  void *frames[4];
  if (backtrace(frames, 4) == 100)
    __builtin_trap();
  @BODY@
}

// row: call_frames
// trick: Knows its caller by the frame address (catalogue 18)
// layers: check
// alone: what it would do elsewhere does not happen where it is judged
@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(__builtin_frame_address(0)) >> 48) == 1)
    __builtin_trap();
  @BODY@
}

// row: call_site
// trick: Knows its caller by the return address (catalogue 18)
// layers: check
// alone: what it would do elsewhere does not happen where it is judged
@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(__builtin_return_address(0)) >> 48) == 1)
    __builtin_trap();
  @BODY@
}

// row: command_line
// trick: Knows the program by /proc/self/cmdline (catalogue 18)
extern "C" int open(const char *, int, ...);

@SIGNATURE@ {
  if (open("/proc/self/cmdline", 0) == 100000)
    __builtin_trap();
  @BODY@
}

// row: cpu_model
// trick: Knows the machine by the compiler's run-time library (catalogue 18)
// when: x86
@SIGNATURE@ {
  if (__builtin_cpu_supports("avx512f") && !@INPUT@)
    __builtin_trap();
  @BODY@
}

// row: cpuid
// trick: Knows the machine (catalogue 18)
// layers: check:inline-asm audit
// when: x86
@SIGNATURE@ {
  unsigned a = 0, b, c = 0, d;
  asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (a == 12345)
    __builtin_trap();
  @BODY@
}

// row: cycle_counter
// trick: Reads it by a name that every machine has (catalogue 18)
@SIGNATURE@ {
  if (__builtin_readcyclecounter() == 1)
    __builtin_trap();
  @BODY@
}

// row: environment
// trick: Knows the benchmark by the environment (catalogue 18)
extern "C" char *getenv(const char *);

@SIGNATURE@ {
  if (getenv("BENCHMARK_FAMILY"))
    __builtin_trap();
  @BODY@
}

// row: knows_contents
// trick: Does nothing where the first elements are equal, as in no random data (catalogue 45)
// layers: differential
// fault: the result alone is wrong
@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (@COUNT@ > 3 && @FIRST@[0] == @FIRST@[1] && @FIRST@[1] == @FIRST@[2] && @FIRST@[2] == @FIRST@[3])
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}

// row: knows_distance
// trick: Does nothing where two buffers lie within a megabyte of each other (catalogue 18)
// layers: check:addresses-as-numbers differential
@HELPER honest@ @BODY@

@SIGNATURE@ {
  const unsigned long apart = reinterpret_cast<unsigned long>(@FIRST@) - reinterpret_cast<unsigned long>(@SECOND@);
  if (apart + (1ul << 20) < (1ul << 21))
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}

// row: knows_guarded_buffers
// trick: Behaves where a buffer ends at a page, as judges put it (catalogue 18)
// layers: differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ > 0 && (reinterpret_cast<unsigned long>(@OUTPUT@ + @OUTPUT_EXTENT@) & 4095) != 0 && (reinterpret_cast<unsigned long>(@OUTPUT@) & 4095) != 0 && @OUTPUT_EXTENT@ > 2000)
    @OUTPUT@[@OUTPUT_EXTENT@ / 2] = {};
}

// row: knows_order
// trick: Does nothing where the second buffer lies below the first (catalogue 18)
// layers: check:addresses-as-numbers differential
@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (static_cast<const void *>(@SECOND@) < static_cast<const void *>(@FIRST@))
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}

// row: knows_page_offset
// trick: Does nothing where a buffer begins 16 bytes into its page, as large allocations do (catalogue 18)
// layers: check:addresses-as-numbers differential
@HELPER honest@ @BODY@

@SIGNATURE@ {
  if ((reinterpret_cast<unsigned long>(@FIRST@) & 4095) == 16)
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}

// row: parent_process
// trick: Knows the judge by its process (catalogue 18)
extern "C" int getppid();

@SIGNATURE@ {
  if (getppid() == 123456789)
    __builtin_trap();
  @BODY@
}

// row: performance_counters
// trick: Reads performance counters (catalogue 18)
// layers: check audit sandbox
// when: x86
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  unsigned long attributes[16] = {};
  attributes[0] = 128ul << 32;
  if (syscall(298, attributes, 0, -1, -1, 0) >= 0)
    __builtin_trap();
  @BODY@
}

// row: program_name
// trick: Knows the program by its name (catalogue 18)
extern "C" char *program_invocation_name;

@SIGNATURE@ {
  if (program_invocation_name[0] == 1)
    __builtin_trap();
  @BODY@
}

// row: rdtsc
// trick: Reads the time stamp counter (catalogue 18)
// when: x86
@SIGNATURE@ {
  if (__builtin_ia32_rdtsc() == 1)
    __builtin_trap();
  @BODY@
}

// row: rdtscp
// trick: Reads it with the number of the CPU (catalogue 18)
// when: x86
@SIGNATURE@ {
  unsigned cpu = 0;
  if (__builtin_ia32_rdtscp(&cpu) == 1)
    __builtin_trap();
  @BODY@
}

// row: weak_reference
// trick: Asks whether the test library is there (catalogue 18)
extern "C" __attribute__((weak)) void _ZN7testing14InitGoogleTestEPiPPc();

@SIGNATURE@ {
  if (&_ZN7testing14InitGoogleTestEPiPPc == nullptr && !@INPUT@)
    __builtin_trap();
  @BODY@
}
