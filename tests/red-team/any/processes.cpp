// theme: Other processes and threads, and the kernel behind them
// expect: rejected
// layers: check audit sandbox

// row: affinity
// trick: Chooses its CPU (catalogue 21)
extern "C" int sched_setaffinity(int, unsigned long, const void *);

@SIGNATURE@ {
  const unsigned long mask = ~0ul;
  if (sched_setaffinity(0, sizeof mask, &mask) == 0)
    __builtin_trap();
  @BODY@
}

// row: atomics
// trick: Atomics (catalogue 13)
// layers: check:threads
// alone: what it computes is right
@SIGNATURE@ {
  unsigned count = 0;
  __atomic_fetch_add(&count, 1u, __ATOMIC_SEQ_CST);
  @BODY@
}

// row: fork
// trick: Another process does the work (catalogue 13)
extern "C" int fork();

@SIGNATURE@ {
  if (fork() >= 0)
    __builtin_trap();
  @BODY@
}

// row: huge_pages
// trick: Large pages that stay after the call (catalogue 21)
extern "C" int madvise(void *, unsigned long, int);

@SIGNATURE@ {
  const unsigned long page = reinterpret_cast<unsigned long>(@INPUT@) & ~4095ul;
  if (madvise(reinterpret_cast<void *>(page), 4096, 14) == 0)
    __builtin_trap();
  @BODY@
}

// row: io_uring
// trick: System calls through a ring (catalogue 36)
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  unsigned parameters[30] = {};
  if (syscall(425, 4, parameters) >= 0)
    __builtin_trap();
  @BODY@
}

// row: kills_parent
// trick: Signals other processes (catalogue 33)
extern "C" int kill(int, int);
extern "C" int getppid();

@SIGNATURE@ {
  if (getppid() > 1 && kill(getppid(), 0) == 0)
    __builtin_trap();
  @BODY@
}

// row: own_filter
// trick: A system call filter of its own (catalogue 33)
// when: x86
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  const unsigned action = 0x7fff0000u;
  if (syscall(317, 2, 0, &action) == 0)
    __builtin_trap();
  @BODY@
}

// row: parent_memory
// trick: Reads the memory of its parent (catalogue 33)
extern "C" long process_vm_readv(int, void *, unsigned long, void *, unsigned long, unsigned long);
extern "C" int getppid();
struct Piece { void *at; unsigned long bytes; };

@SIGNATURE@ {
  char byte = 0;
  Piece here{&byte, 1}, there{(void *)0x400000, 1};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1)
    __builtin_trap();
  @BODY@
}

// row: priority
// trick: Raises its priority (catalogue 21)
extern "C" int setpriority(int, unsigned, int);

@SIGNATURE@ {
  if (setpriority(0, 0, -5) == 0)
    __builtin_trap();
  @BODY@
}

// row: ptrace
// trick: Becomes a debugger (catalogue 33)
extern "C" long ptrace(int, ...);

@SIGNATURE@ {
  if (ptrace(0, 0, 0, 0) >= 0)
    __builtin_trap();
  @BODY@
}

// row: runs_program
// trick: Starts a program (catalogue 36)
extern "C" int system(const char *);

@SIGNATURE@ {
  if (system("true") == 0)
    __builtin_trap();
  @BODY@
}

// row: syscall_instruction
// trick: A system call without a function (catalogue 33)
// layers: check:inline-asm audit:object-instructions
// when: x86
@SIGNATURE@ {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
  if (result == 0)
    __builtin_trap();
  @BODY@
}

// row: thread
// trick: Another thread does the work (catalogue 13)
extern "C" int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
static void *work(void *) { return nullptr; }

@SIGNATURE@ {
  unsigned long id = 0;
  if (pthread_create(&id, nullptr, work, nullptr) == 0)
    __builtin_trap();
  @BODY@
}

// row: user_namespace
// trick: A user namespace of its own (catalogue 33)
extern "C" int unshare(int);

@SIGNATURE@ {
  if (unshare(0x10000000) == 0)
    __builtin_trap();
  @BODY@
}

// row: vfork_syscall
// trick: The same by the system call's number (catalogue 13)
// when: x86
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  if (syscall(57) >= 0)
    __builtin_trap();
  @BODY@
}
