// theme: More than any kernel needs: memory, depth, time
// expect: rejected
// layers: check compile

// row: all_memory
// trick: More memory than any kernel needs (catalogue 62)
// layers: check audit sandbox
extern "C" void *malloc(unsigned long);

@SIGNATURE@ {
  void *volatile memory = malloc(32ul << 30);
  if (memory)
    __builtin_trap();
  @BODY@
}

// row: bomb_depth
// trick: Templates without an end (catalogue 62)
template <int N> struct Deep { static constexpr int value = Deep<N + 1>::value; };

@SIGNATURE@ {
  if (Deep<0>::value == 1)
    __builtin_trap();
  @BODY@
}

// row: bomb_object
// trick: An object of 300 MB (catalogue 62)
// layers: compile
struct Large { unsigned char bytes[300u << 20]; };
constexpr Large large = {{1}};

@SIGNATURE@ {
  if (large.bytes[static_cast<std::size_t>(@COUNT@) & 1023] == 2)
    __builtin_trap();
  @BODY@
}

// row: bomb_steps
// trick: A constant that takes for ever (catalogue 62)
constexpr unsigned long slow(unsigned long n) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; ++i)
    sum += i * i;
  return sum;
}
constexpr unsigned long value = slow(1ul << 40);

@SIGNATURE@ {
  if (value == 1)
    __builtin_trap();
  @BODY@
}

// row: bomb_tokens
// trick: Macros that double each other (catalogue 62)
#define A0 1 +
#define A1 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0
#define A2 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1
#define A3 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2
#define A4 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3
#define A5 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4
#define A6 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5
#define A7 A6 A6 A6 A6 A6 A6 A6 A6 A6 A6
#define A8 A7 A7 A7 A7 A7 A7 A7 A7 A7 A7

@SIGNATURE@ {
  if ((A8 0) == 2)
    __builtin_trap();
  @BODY@
}

// row: deep_recursion
// trick: Recursion as deep as the input is long (catalogue 62)
// layers: differential
// alone: a test program has that much
static unsigned depth(volatile unsigned char *at, unsigned n) {
  volatile unsigned char frame[256];
  frame[0] = at[0];
  return n == 0 ? frame[0] : depth(frame, n - 1) + frame[0];
}

@SIGNATURE@ {
  volatile unsigned char seed[1] = {1};
  if (depth(seed, 4000) == 7)
    __builtin_trap();
  @BODY@
}

// row: endless
// trick: Never ends (catalogue 17)
// layers: test differential benchmark
// fault: the result alone is wrong
@SIGNATURE@ {
  volatile unsigned one = 1;
  while (one)
    one = 1;
  @BODY@
}

// row: pause_in_setup
// trick: Sleeps when it is called rarely (catalogue 17)
// layers: check audit
extern "C" int usleep(unsigned);

@SIGNATURE@ {
  usleep(1);
  @BODY@
}

// row: stack_of_a_megabyte
// trick: More stack than a kernel may use (catalogue 62)
// layers: differential
// alone: a test program has that much
@SIGNATURE@ {
  volatile unsigned char scratch[1u << 20];
  for (unsigned i = 0; i < sizeof scratch; i += 512)
    scratch[i] = 1;
  @BODY@
}
