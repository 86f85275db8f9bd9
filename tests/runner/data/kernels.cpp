// Kernels that do what they may do, and what they must not.
#include "tests/runner/data/signatures.h"
#include "tool/runner/own_stack.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

#define MAP_KERNEL(NAME) void NAME([[maybe_unused]] const float *x, [[maybe_unused]] float *y, [[maybe_unused]] long n)

MAP_KERNEL(twice) {
  for (long i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
long callsMade = 0;
MAP_KERNEL(counts_calls) {
  ++*static_cast<volatile long *>(&callsMade);
  for (long i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
MAP_KERNEL(reads_output) {
  if (n > 0 && static_cast<const volatile float *>(y)[0] == 2 * x[0])
    return;
  for (long i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
MAP_KERNEL(reads_what_it_wrote) {
  y[0] = 2 * x[0];
  for (long i = 1; i < n; ++i)
    y[i] = y[i - 1] + x[i];
}
MAP_KERNEL(read_past) {
  y[0] = static_cast<const volatile float *>(x)[n];
}
MAP_KERNEL(read_before) {
  y[0] = static_cast<const volatile float *>(x)[-1];
}
MAP_KERNEL(read_y_past) {
  y[0] = static_cast<const volatile float *>(y)[n];
}
MAP_KERNEL(write_past) {
  static_cast<volatile float *>(y)[n] = 1;
}
MAP_KERNEL(write_before) {
  static_cast<volatile float *>(y)[-1] = 1;
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) MAP_KERNEL(masked_past) {
  const __m256i lanes = _mm256_cmpgt_epi32(_mm256_set1_epi32(5), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  _mm_storeu_ps(y, _mm256_castps256_ps128(_mm256_maskload_ps(x + n - 4, lanes)));
}
__attribute__((target("avx2"))) MAP_KERNEL(gather_past) {
  const __m256i indices = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, static_cast<int>(n));
  _mm_storeu_ps(y, _mm256_castps256_ps128(_mm256_i32gather_ps(x, indices, 4)));
}
MAP_KERNEL(sets_ftz) {
  _mm_setcsr(_mm_getcsr() | 0x8040);
}
MAP_KERNEL(sets_rounding) {
  _MM_SET_ROUNDING_MODE(_MM_ROUND_DOWN);
}
MAP_KERNEL(leaves_mmx) {
  __asm__ volatile("pxor %%mm0, %%mm0" ::: "mm0");
}
#else
MAP_KERNEL(masked_past) {
  read_past(x, y, n);
}
MAP_KERNEL(gather_past) {
  read_past(x, y, n);
}
#if defined(__aarch64__)
MAP_KERNEL(sets_ftz) {
  unsigned long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | 1ul << 24));
}
#else
MAP_KERNEL(sets_ftz) {}
#endif
MAP_KERNEL(sets_rounding) {
  sets_ftz(x, y, n);
}
MAP_KERNEL(leaves_mmx) {
  sets_ftz(x, y, n);
}
#endif
MAP_KERNEL(sets_errno_once) {
  static bool isFirst = true;
  errno = isFirst ? ERANGE : errno;
  isFirst = false;
}
MAP_KERNEL(sets_errno) {
  errno = ERANGE;
}
void *sleepForEver(void *) {
  for (;;)
    ::pause();
}
MAP_KERNEL(starts_thread) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &sleepForEver, nullptr) == 0)
    pthread_detach(thread);
}
void *setOne(void *y) {
  *static_cast<float *>(y) = 1;
  return nullptr;
}
MAP_KERNEL(joins_thread) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &setOne, y) == 0)
    pthread_join(thread, nullptr);
}
std::atomic<int> lateCalls, lateWrites;
void *setLate(void *y) {
  while (lateCalls < 2)
    ::usleep(1000);
  static_cast<volatile float *>(y)[0] = 77;
  lateWrites = 1;
  return nullptr;
}
/// The first call leaves a thread that writes during the second.
MAP_KERNEL(late_writer) {
  y[0] = 0;
  pthread_t thread;
  if (++lateCalls == 1 && pthread_create(&thread, nullptr, &setLate, y) == 0)
    pthread_detach(thread);
  else
    while (lateWrites == 0)
      ::usleep(1000);
}
MAP_KERNEL(opens_file) {
  y[0] = static_cast<float>(::open("/dev/null", O_RDONLY));
}
MAP_KERNEL(masks_signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}
MAP_KERNEL(replaces_handler) {
  std::signal(SIGFPE, SIG_DFL);
}
MAP_KERNEL(casts_const) {
  *const_cast<volatile float *>(x) = 5;
}

__attribute__((noinline)) int depth(volatile char *outer, long n) {
  volatile char here[1000];
  here[0] = outer ? outer[0] : 0;
  return n == 0 ? here[0] : depth(here, n - 1) + here[0];
}
MAP_KERNEL(recurses) {
  y[0] = static_cast<float>(depth(nullptr, 1000000));
}
template <int size> __attribute__((noinline)) void useLocal(float *y) {
  volatile char local[size];
  for (int i = 0; i < size; i += 64)
    local[i] = 1;
  y[0] = local[0];
}
MAP_KERNEL(local_100k) {
  useLocal<(100 << 10)>(y);
}
MAP_KERNEL(local_300k) {
  useLocal<(300 << 10)>(y);
}
/// Calls a candidate like the entry of a hook.
MAP_KERNEL(hooked_100k) {
  agentic_on_own_stack([](void *out) { useLocal<(100 << 10)>(static_cast<float *>(out)); }, y);
}
/// Returns 1 if the previous call's value is still on the stack.
__attribute__((noinline)) float findMemo() {
  volatile unsigned memo[64];
  volatile unsigned *at = memo;
  const bool isThere = at[7] == 0xc0ffee && at[9] == 0xc0ffee;
  at[7] = at[9] = 0xc0ffee;
  return isThere;
}
MAP_KERNEL(stack_memo) {
  y[0] = findMemo();
}
__attribute__((noinline)) unsigned uninitialised() {
  volatile unsigned words[64];
  return static_cast<volatile unsigned *>(words)[11];
}
MAP_KERNEL(stack_state) {
  const unsigned word = uninitialised();
  std::memcpy(y, &word, sizeof word);
}

MAP_KERNEL(exits) {
  std::exit(0);
}
MAP_KERNEL(aborts) {
  std::abort();
}
MAP_KERNEL(traps) {
  __builtin_trap();
}
MAP_KERNEL(divides) {
  volatile int zero = 0, number = 7;
  y[0] = static_cast<float>(number / zero);
}
MAP_KERNEL(null_write) {
  *static_cast<volatile int *>(nullptr) = 1;
}
MAP_KERNEL(wild) {
  *reinterpret_cast<volatile int *>(0xdead000000000000ul) = 1;
}
MAP_KERNEL(throws) {
  throw std::runtime_error("thrown by a kernel");
}
MAP_KERNEL(addresses) {
  std::memcpy(y, &x, sizeof x);
  std::memcpy(y + 2, &y, sizeof y);
}
MAP_KERNEL(pair_addresses) {
  addresses(x, y, n);
}
MAP_KERNEL(show_y) {} // the old contents come back
MAP_KERNEL(accumulate) {
  for (long i = 0; i < n; ++i)
    y[i] += x[i];
}
MAP_KERNEL(shift) {
  std::memmove(y, x, static_cast<std::size_t>(n) * sizeof *x);
}
MAP_KERNEL(aligned) {
  y[0] = reinterpret_cast<unsigned long>(y) % 64 == 0;
}

void add_vectors(const std::vector<float> &a, std::vector<float> &b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    b[i] += a[i];
}
void vector_past(const std::vector<float> &a, std::vector<float> &b) {
  b[0] = static_cast<const volatile float *>(a.data())[a.size()];
}
void vector_write_past(const std::vector<float> &, std::vector<float> &b) {
  static_cast<volatile float *>(b.data())[b.size()] = 1;
}
void vector_casts_const(const std::vector<float> &a, std::vector<float> &) {
  const_cast<volatile float &>(a[1]) = 1;
}
void vector_grows(const std::vector<float> &a, std::vector<float> &b) {
  for (float one : a)
    b.push_back(one);
}
void vector_addresses(const std::vector<float> &a, std::vector<float> &b) {
  const float *p = a.data(), *q = b.data();
  std::memcpy(b.data(), &p, sizeof p);
  std::memcpy(b.data() + 2, &q, sizeof q);
}

long views(std::string_view s, Ints v, const Params &p, Params q, int &count) {
  for (unsigned long i = 0; i < v.size(); ++i)
    v.data()[i] = static_cast<int>(v.data()[i] * p.scale) + q.offset;
  count = static_cast<int>(s.size());
  return s.empty() ? 0 : s.back();
}
long view_past(std::string_view s, Ints, const Params &, Params, int &) {
  return static_cast<const volatile char *>(s.data())[s.size()];
}
long params_past(std::string_view, Ints, const Params &p, Params, int &) {
  return (&const_cast<const volatile Params &>(p))[1].offset;
}
long count_past(std::string_view, Ints, const Params &, Params, int &count) {
  (&const_cast<volatile int &>(count))[1] = 1;
  return 0;
}

} // namespace

#define ENTRY(NAME)                                                                                                    \
  extern "C" __attribute__((visibility("default"))) void *agentic_kernel_entry_##NAME(void *) {                        \
    return reinterpret_cast<void *>(&NAME);                                                                            \
  }
#define MAP(NAME) ENTRY(NAME)
#define ALIGNED(NAME) ENTRY(NAME)
#define PAIRS(NAME) ENTRY(NAME)
#define VECTORS(NAME) ENTRY(NAME)
#define VIEWS(NAME) ENTRY(NAME)
#include "tests/runner/data/names.inc"
