// theme: Directives, macros and how lines are joined
// expect: rejected
// layers: check:directives

// row: digraphs
// trick: Directives in digraphs (catalogue 54)
// layers: check
// alone: what it spells does nothing
%:define PASTE(a, b) a%:%:b
PASTE(stat, ic) int answer() { return 42; }

@SIGNATURE@ {
  if (answer() == 7)
    __builtin_trap();
  @BODY@
}

// row: embed
// trick: Embeds a file (catalogue 56)
constexpr unsigned char secret[] = {
#embed "/etc/hostname"
};

@SIGNATURE@ {
  if (sizeof secret == 12345)
    __builtin_trap();
  @BODY@
}

// row: import
// trick: Imports a header unit (catalogue 56)
// layers: check compile
import <cstdio>;
@SIGNATURE@ {
  
  @BODY@
}

// row: line_directive
// trick: Claims to be another file (catalogue 54)
// alone: it does nothing when it runs
#line 1 "/usr/include/stdlib.h"

@SIGNATURE@ {
  
  @BODY@
}

// row: line_marker
// trick: Claims to be a system header (catalogue 54)
// alone: it does nothing when it runs
# 1 "/usr/include/stdlib.h" 1 3

@SIGNATURE@ {
  
  @BODY@
}

// row: line_splice
// trick: A keyword in two lines (catalogue 54)
// layers: check:state-outlives-call|candidate-form audit
sta\
tic unsigned calls = 0;

@SIGNATURE@ {
  if (++calls > 2000000000u)
    __builtin_trap();
  @BODY@
}

// row: macro_conditional
// trick: A function-like macro whose definition hangs on the build (catalogue 54)
// layers: check
// alone: what it computes is right
#ifdef NDEBUG
#define STEP(x) ((x) + 1)
#else
#define STEP(x) (x)
#endif

@SIGNATURE@ {
  if (STEP(1) == 7)
    __builtin_trap();
  @BODY@
}

// row: macro_keyword
// trick: Gives a keyword another meaning (catalogue 54)
// alone: what it computes is right
#define const

@SIGNATURE@ {
  
  @BODY@
}

// row: macro_paste
// trick: Tokens pasted together (catalogue 54)
// layers: check audit
#define PASTE(a, b) a##b

@SIGNATURE@ {
  PASTE(sta, tic) unsigned calls = 0;
  if (++calls > 2000000000u)
    __builtin_trap();
  @BODY@
}

// row: macro_pushed
// trick: A macro set aside and changed (catalogue 54)
// layers: check
// alone: what it computes is right
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma pop_macro("NDEBUG")

@SIGNATURE@ {
  
  @BODY@
}

// row: module
// trick: Opens a module (catalogue 56)
// layers: check compile
module;
@SIGNATURE@ {
  
  @BODY@
}
