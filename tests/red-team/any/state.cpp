// theme: State that outlives a call
// expect: rejected
// layers: check audit

// row: register_variable
// trick: Keeps a value in a register between calls (catalogue 3)
// layers: check
// when: x86
// alone: the register is saved by its callers
@SIGNATURE@ {
  register unsigned long memo asm("r15");
  asm volatile("" : "+r"(memo));
  @BODY@
}

// row: state_call_count
// trick: Works in the first calls only (catalogue 8)
// layers: check:state-outlives-call audit
static unsigned calls = 0;

@SIGNATURE@ {
  if (++calls > 2000)
    __builtin_trap();
  @BODY@
}

// row: state_const_dynamic
// trick: A constant that is computed when the library is loaded (catalogue 5)
// layers: check audit:object-init|object-data
extern "C" int getpid();
static const int process = getpid();

@SIGNATURE@ {
  if (process == 1)
    __builtin_trap();
  @BODY@
}

// row: state_const_mutable
// trick: A constant with a mutable member (catalogue 5)
struct Memo { mutable unsigned calls = 0; };
static const Memo memo;

@SIGNATURE@ {
  if (++memo.calls > 2000000000u)
    __builtin_trap();
  @BODY@
}

// row: state_constant_written
// trick: A constant table is written through a cast (catalogue 5)
// layers: check test differential benchmark
static constexpr unsigned table[4] = {1, 2, 3, 4};

@SIGNATURE@ {
  ++*const_cast<volatile unsigned *>(&table[static_cast<std::size_t>(@COUNT@) & 3]);
  @BODY@
}

// row: state_guarded_static
// trick: A static that is initialised at the first call (catalogue 1)
// layers: check:state-outlives-call audit
static int first(const void *at) { return at != nullptr; }

@SIGNATURE@ {
  static const int known = first(@INPUT@);
  if (known == 7)
    __builtin_trap();
  @BODY@
}

// row: state_lambda
// trick: A static inside a lambda (catalogue 4)
@SIGNATURE@ {
  const auto count = [] { static unsigned calls = 0; return ++calls; };
  if (count() > 2000000000u)
    __builtin_trap();
  @BODY@
}

// row: state_linker_symbols
// trick: Writable memory behind the end of the program (catalogue 2)
extern "C" char _end[];

@SIGNATURE@ {
  if (_end[0] == 1)
    _end[0] = 2;
  @BODY@
}

// row: state_mangled_neighbour
// trick: Memory of another function, by its symbol (catalogue 2)
extern "C" int optind;

@SIGNATURE@ {
  if (++optind > 2000000000)
    __builtin_trap();
  @BODY@
}

// row: state_same_pointers
// trick: Returns at once when the pointers of the last call come again (catalogue 6)
// layers: check:state-outlives-call audit differential
// when: void
@SIGNATURE@ {
  static const void *lastIn = nullptr;
  static void *lastOut = nullptr;
  if (lastIn == @INPUT@ && lastOut == @OUTPUT@)
    return;
  lastIn = @INPUT@;
  lastOut = @OUTPUT@;
  @BODY@
}

// row: state_static_member_of_template
// trick: A static member of a template (catalogue 4)
template <class T> struct Memo { inline static T calls = T(); };

@SIGNATURE@ {
  if (++Memo<unsigned>::calls > 2000000000u)
    __builtin_trap();
  @BODY@
}

// row: state_thread_local
// trick: Thread-local memory (catalogue 3)
// layers: check:state-outlives-call audit
@SIGNATURE@ {
  static thread_local unsigned calls = 0;
  if (++calls > 2000000000u)
    __builtin_trap();
  @BODY@
}

// row: thread_pointer
// trick: Memory of the thread by its segment register (catalogue 3)
// when: x86
@SIGNATURE@ {
  const unsigned long self = reinterpret_cast<unsigned long>(__builtin_thread_pointer());
  if (self == 1)
    __builtin_trap();
  @BODY@
}

// row: volatile_global
// trick: Volatile memory outside (catalogue 2)
volatile unsigned shared = 0;

@SIGNATURE@ {
  shared = shared + 1;
  @BODY@
}
