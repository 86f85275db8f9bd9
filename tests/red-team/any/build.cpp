// theme: Other code in another build
// expect: rejected
// layers: check

// row: build_compiler
// trick: Other code for another compiler (catalogue 58)
// alone: the other code is not in the object
#ifdef __clang__
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}

// row: build_mode
// trick: Other code in a debug build (catalogue 58)
// alone: the other code is not in the object
#ifdef NDEBUG
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}

// row: build_optimised
// trick: Other code without optimisation (catalogue 58)
// alone: the other code is not in the object
#ifdef __OPTIMIZE__
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}

// row: build_position
// trick: Other code in a shared object than in the program (catalogue 58)
// layers: check test differential
#ifdef __PIC__
constexpr bool isJudged = true;
#else
constexpr bool isJudged = false;
#endif

@SIGNATURE@ {
  if (isJudged)
    __builtin_trap();
  @BODY@
}

// row: build_sanitizer
// trick: Other code under a sanitizer (catalogue 58)
// alone: the other code is not in the object
#if __has_feature(address_sanitizer)
constexpr int mode = 1;
#else
constexpr int mode = 2;
#endif

@SIGNATURE@ {
  if (mode == 3)
    __builtin_trap();
  @BODY@
}

// row: constant_argument
// trick: Other code where the compiler knows the argument (catalogue 58)
// alone: the other code is not in the object
@SIGNATURE@ {
  if (__builtin_constant_p(@COUNT@) && @COUNT@ == 12345)
    __builtin_trap();
  @BODY@
}

// row: counter_macro
// trick: Depends on how often it is compiled (catalogue 60)
// alone: what it computes is right
@SIGNATURE@ {
  if (__COUNTER__ == 100000)
    __builtin_trap();
  @BODY@
}

// row: dead_branch
// trick: Code in a branch that is discarded (catalogue 58)
// alone: it is not in the object
@SIGNATURE@ {
  if constexpr (sizeof(void *) == 3) {
    static unsigned memo = 0;
    ++memo;
  }
  @BODY@
}

// row: function_name
// trick: Depends on its own name (catalogue 60)
// alone: what it computes is right
@SIGNATURE@ {
  if (__func__[0] == 1)
    __builtin_trap();
  @BODY@
}

// row: has_include
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

// row: name_of_file
// trick: Depends on where it is compiled (catalogue 60)
// alone: what it computes is right
@SIGNATURE@ {
  if (__FILE__[0] == 1)
    __builtin_trap();
  @BODY@
}

// row: name_of_file_builtin
// trick: The same by a builtin (catalogue 60)
// alone: what it computes is right
@SIGNATURE@ {
  if (__builtin_FILE()[0] == 1 || __builtin_LINE() == 100000)
    __builtin_trap();
  @BODY@
}

// row: never_instantiated
// trick: Code in a template that nobody instantiates (catalogue 58)
// alone: it is not in the object
template <class T> void hidden(T value) {
  static T memo = value;
  asm volatile("syscall");
}

@SIGNATURE@ {
  
  @BODY@
}

// row: requires_probe
// trick: Asks by a constraint what else there is (catalogue 58)
// alone: there is nothing to find
template <class T> concept HasTests = requires(T value) { testingProbe(value); };

@SIGNATURE@ {
  if (HasTests<int>)
    __builtin_trap();
  @BODY@
}

// row: time_of_build
// trick: Depends on when it is compiled (catalogue 60)
// alone: what it computes is right
@SIGNATURE@ {
  if (__TIME__[0] == 1)
    __builtin_trap();
  @BODY@
}
