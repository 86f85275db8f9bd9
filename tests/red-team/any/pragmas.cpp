// theme: Pragmas
// expect: rejected
// layers: check:pragmas

// row: openmp
// trick: Threads by a pragma (catalogue 13)
// layers: check
// alone: the project is compiled without OpenMP, so nothing happens
@SIGNATURE@ {
  #pragma omp parallel
  { }
  @BODY@
}

// row: pragma_fp
// trick: Other rules for floating point (catalogue 40)
// alone: what it changes may be within the tolerance
@SIGNATURE@ {
  #pragma clang fp reassociate(on)
  @BODY@
}

// row: pragma_optimize
// trick: Other options for the compiler (catalogue 40)
// alone: Clang ignores it
#pragma GCC optimize("fast-math")

@SIGNATURE@ {
  
  @BODY@
}

// row: pragma_optimize_off
// trick: Leaves the rest of the unit unoptimised (catalogue 40)
// alone: what it computes is right
#pragma clang optimize off

@SIGNATURE@ {
  
  @BODY@
}

// row: pragma_poison
// trick: Takes words away from what follows (catalogue 54)
// alone: nobody uses the word
#pragma GCC poison agentic_red_team

@SIGNATURE@ {
  
  @BODY@
}

// row: pragma_redefine
// trick: Another name by a pragma (catalogue 29)
#pragma redefine_extname helper close
extern "C" int helper(int);

@SIGNATURE@ {
  if (!@INPUT@ && helper(3) == 100)
    __builtin_trap();
  @BODY@
}

// row: pragma_visibility
// trick: Exports everything that follows (catalogue 27)
// alone: helpers have internal linkage all the same
#pragma GCC visibility push(default)

@SIGNATURE@ {
  
  @BODY@
}

// row: pragma_weak
// trick: A weak symbol by a pragma (catalogue 27)
// alone: nothing refers to it
#pragma weak malloc

@SIGNATURE@ {
  
  @BODY@
}

// row: system_header_pragma
// trick: Claims to be a system header by a pragma (catalogue 54)
// alone: it does nothing when it runs
#pragma GCC system_header

@SIGNATURE@ {
  
  @BODY@
}
