// theme: Text that no kernel has
// expect: rejected

// row: allocation_malloc
// trick: The same by malloc (catalogue 9)
// layers: check:includes
#include <cstdlib>

@SIGNATURE@ {
  void *volatile scratch = std::malloc(K);
  std::free(scratch);
  @BODY@
}

// row: allocation_vector
// trick: The same behind a container (catalogue 9)
// layers: check:includes audit
#include <vector>

@SIGNATURE@ {
  std::vector<float> scratch(K);
  if (scratch[0] != 0)
    return;
  @BODY@
}

// row: asm_file_scope
// trick: File-scope assembly (catalogue 59)
// layers: check:inline-asm audit
asm(".pushsection .init_array\n.popsection");

@SIGNATURE@ {
  @BODY@
}

// row: asm_statement
// trick: Inline assembly (catalogue 59)
// layers: check:inline-asm
// alone: it does nothing when it runs
@SIGNATURE@ {
  asm volatile("" ::: "memory");
  @BODY@
}

// row: calls_itself
// trick: Recursion into the kernel reaches the baseline (catalogue 32)
// layers: check:self-call audit
@SIGNATURE@ {
  if (M > 1) {
    for (std::size_t i = 0; i < M; ++i)
      matmul(A + i * K, B, C + i * K, 1, K);
    return;
  }
  @BODY@
}

// row: clock_chrono
// trick: Reads a clock (catalogue 18)
// layers: check:includes audit
#include <chrono>

@SIGNATURE@ {
  if (std::chrono::steady_clock::now().time_since_epoch().count() == 1)
    return;
  @BODY@
}

// row: crash
// trick: Dies on one shape (catalogue 31)
// layers: test
// fault: the result alone is wrong
@SIGNATURE@ {
  if (M == 33)
    *static_cast<volatile int *>(nullptr) = 1;
  @BODY@
}

// row: dump_struct
// trick: A builtin that prints (catalogue 26)
// layers: check:io-and-clocks
// alone: its printer is empty
struct V { int x; static int p(const char*,...) { return 0; } };
@SIGNATURE@ {
  if (static_cast<const void*>((__builtin_dump_struct((V*)C, V::p),nullptr)) == (void*)77)
    return;
  @BODY@
}

// row: environ_variable
// trick: The environment without a function call (catalogue 18)
// layers: check:state-outlives-call|declarations-outside audit
extern "C" char **environ;

@SIGNATURE@ {
  if (environ[0][0] == 0)
    return;
  @BODY@
}

// row: exit_builtin
// trick: The same by a builtin (catalogue 25)
// layers: check compile
@SIGNATURE@ {
  if (M == 33)
    __builtin_exit(0);
  @BODY@
}

// row: exit_unistd
// trick: The same by a system header (catalogue 25)
// layers: check:includes audit
#include <unistd.h>

@SIGNATURE@ {
  if (M == 33)
    _exit(0);
  @BODY@
}

// row: fake_passed
// trick: Prints what a passing test prints (catalogue 26)
// layers: check:includes audit
#include <cstdio>

@SIGNATURE@ {
  std::printf("[  PASSED  ] 23 tests.\n");
  @BODY@
}

// row: hang
// trick: Never returns on one shape (catalogue 17)
// layers: test
// fault: the result alone is wrong
@SIGNATURE@ {
  volatile bool forever = M == 33;
  while (forever) {
  }
  @BODY@
}

// row: include_absolute
// trick: Reads a file through the compiler's diagnostics (catalogue 56)
// layers: check:includes compile
#include "/etc/passwd"

@SIGNATURE@ {
  @BODY@
}

// row: include_project_file
// trick: Takes the baseline's source into the candidate (catalogue 56)
// layers: check:includes audit
#include "binary_gemm.cpp"

@SIGNATURE@ {
  @BODY@
}

// row: include_test_file
// trick: Takes the test's source (catalogue 56)
// layers: check:includes compile
#include "binary_gemm_test.cpp"

@SIGNATURE@ {
  @BODY@
}

// row: limits_nesting
// trick: Nesting deeper than any stack (catalogue 62)
// layers: check compile
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  C[0] = 
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
1
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
  ;
}

// row: limits_templates
// trick: Two recursive instantiations per level: 16 million templates of a few lines, more memory than a machine has (catalogue 62)
// layers: check:compile-limits compile
template <int N, int M> struct Bomb {
  static constexpr long value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;
};
template <int M> struct Bomb<0, M> {
  static constexpr long value = 1;
};

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M * K; ++i)
    C[i] = static_cast<float>(Bomb<24, 1>::value);
}

// row: macro_kernel_name
// trick: Renames the kernel (catalogue 54)
// layers: check:candidate-form
// alone: it is no unit
#define matmul other
@SIGNATURE@ {
  @BODY@
}

// row: no_kernel
// trick: No kernel function at all (catalogue 57)
// layers: check:candidate-form
// alone: it is no unit
static int answer() { return 42; }

// row: not_code
// trick: Not C++ at all (catalogue 57)
// layers: check compile
Here is the optimised kernel you asked for:

@SIGNATURE@ {
  @BODY@
}

// row: operator_new
// trick: Replaces the allocator of the whole program (catalogue 27)
// layers: check compile
void *operator new(std::size_t) { return nullptr; }

@SIGNATURE@ {
  @BODY@
}

// row: pragma_operator
// trick: The same by the operator (catalogue 54)
// layers: check:pragmas
// alone: Clang ignores it
_Pragma("GCC optimize(\"fast-math\")")

@SIGNATURE@ {
  @BODY@
}

// row: pragma_unknown
// trick: A pragma that the compiler ignores (catalogue 40)
// layers: check:pragmas
// alone: the compiler ignores it
@SIGNATURE@ {
#pragma make_it_fast
  @BODY@
}

// row: random_numbers
// trick: An intrinsic that does not compute (catalogue 12)
// layers: check:io-and-clocks compile audit
#include <immintrin.h>
@SIGNATURE@ {
  if (_rdrand32_step((unsigned*)C) == 77)
    return;
  @BODY@
}

// row: signature_changed
// trick: Another parameter type (catalogue 57)
// layers: check:signature
// alone: it has no meaning beside the dispatcher
void matmul(const float *A, const std::uint32_t *B, float *C, int M, std::size_t K) {
  @BODY@
}

// row: signature_extra_parameter
// trick: An extra parameter with a default (catalogue 57)
// layers: check:signature
// alone: it has no meaning beside the dispatcher
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K, int = 0) {
  @BODY@
}

// row: signature_return_type
// trick: Another return type (catalogue 57)
// layers: check:signature
// alone: what it computes is right
int matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  @BODY@
  return 0;
}

// row: syntax_error
// trick: A missing brace (catalogue 57)
// layers: check
// alone: it is no unit
@SIGNATURE@ {
  @BODY@

// row: thread_helper
// trick: A helper thread does the work while the main thread's CPU time stands still (catalogue 13)
// layers: check:includes audit
#include <thread>

@SIGNATURE@ {
  std::thread helper([] {});
  helper.join();
  @BODY@
}

// row: two_kernels
// trick: Two definitions (catalogue 57)
// layers: check:candidate-form
// alone: it is no unit
@SIGNATURE@ {
  @BODY@
}

namespace bmm {
@SIGNATURE@ {
  @BODY@
}
}

// row: undefine_macro
// trick: Takes away a macro of the project (catalogue 54)
// layers: check:directives
// alone: what it computes is right
#undef AGENTIC_KERNEL

@SIGNATURE@ {
  @BODY@
}

// row: unknown_name
// trick: Uses something that does not exist (catalogue 57)
// layers: check compile
@SIGNATURE@ {
  fastestGemm(A, B, C);
  @BODY@
}
