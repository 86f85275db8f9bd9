// theme: Attributes, labels and promises to the compiler
// expect: rejected
// layers: check:attributes

// row: alias
// trick: A second name for code (catalogue 29)
// layers: check audit
extern "C" void agenticReal() {}
extern "C" void agenticAlias() __attribute__((alias("agenticReal")));

@SIGNATURE@ {
  agenticAlias();
  @BODY@
}

// row: asm_label
// trick: A harmless name for another function (catalogue 29)
// layers: check audit
extern "C" int helper(int) __asm__("close");

@SIGNATURE@ {
  if (helper(-1) == 100)
    __builtin_trap();
  @BODY@
}

// row: asm_label_in_block
// trick: The same inside a function (catalogue 29)
// layers: check audit
@SIGNATURE@ {
  int helper(int) __asm__("close");
  if (helper(-1) == 100)
    __builtin_trap();
  @BODY@
}

// row: assumption
// trick: Promises the compiler sizes that calls do not have (catalogue 49)
// layers: test differential
// fault: the result alone is wrong
@SIGNATURE@ {
  __builtin_assume(@COUNT@ < 2);
  @BODY@
}

// row: attribute_const
// trick: The same, stronger (catalogue 63)
// alone: what it computes is right
__attribute__((const)) static int helper(int at) { return at; }

@SIGNATURE@ {
  if (helper(0))
    __builtin_trap();
  @BODY@
}

// row: attribute_malloc
// trick: Promises something of a helper (catalogue 63)
// alone: what it computes is right
__attribute__((returns_nonnull, malloc)) static const void *helper(const void *at) { return at; }

@SIGNATURE@ {
  if (!helper(@INPUT@))
    __builtin_trap();
  @BODY@
}

// row: attribute_no_sanitize
// trick: Hides from sanitizers (catalogue 29)
// alone: what it computes is right
__attribute__((no_sanitize("address", "undefined"))) static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}

// row: attribute_optnone
// trick: An attribute that is not for kernels (catalogue 29)
// alone: what it computes is right
__attribute__((optnone)) static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}

// row: attribute_pure
// trick: Lets callers leave calls out (catalogue 63)
// alone: what it computes is right
__attribute__((pure)) static int helper(const void *at) { return at != nullptr; }

@SIGNATURE@ {
  if (helper(nullptr))
    __builtin_trap();
  @BODY@
}

// row: attribute_unknown
// trick: An attribute that nobody knows (catalogue 29)
// layers: check
// alone: what it computes is right
[[red_team::fast]] static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}

// row: cleanup
// trick: Code hidden in an attribute (catalogue 29)
// layers: check
// alone: it does nothing when it runs
static void leave(int *) {}

@SIGNATURE@ {
  int guard __attribute__((cleanup(leave))) = 0;
  (void)guard;
  @BODY@
}

// row: declared_in_block
// trick: A function of the library, declared inside a function (catalogue 29)
// layers: check audit
@SIGNATURE@ {
  extern int helper(...);
  int close(int) __asm__("close");
  if (!@INPUT@)
    close(3);
  @BODY@
}

// row: own_contract
// trick: A contract of its own (catalogue 43)
// layers: test differential
// when: void
// fault: the result alone is wrong
AGENTIC_TOLERANCE(absolute 1e30)
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = {};
}

// row: unreachable
// trick: Promises that it never happens (catalogue 49)
// layers: test differential
// fault: the result alone is wrong
@SIGNATURE@ {
  if (@COUNT@ > 0)
    __builtin_unreachable();
  @BODY@
}
