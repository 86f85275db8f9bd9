#include "ast-checks/known_functions.h"

#include <algorithm>
#include <utility>

namespace agentic::checks {
namespace {

/// A readable table: "abs, labs, llabs".
using Names = std::string_view;

// <cmath> and <cstdlib>, with f and l forms, but without functions that set state other than errno (lgamma: signgam).
constexpr std::string_view kMath =
    "abs, labs, llabs, fabs, fmod, remainder, remquo, fma, fmax, fmin, fdim, exp, exp2, expm1, log, log10, log2, "
    "log1p, pow, sqrt, cbrt, hypot, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh, "
    "erf, erfc, tgamma, ceil, floor, trunc, round, lround, llround, nearbyint, rint, lrint, llrint, frexp, ldexp, "
    "modf, scalbn, scalbln, ilogb, logb, nextafter, nexttoward, copysign, fpclassify, isfinite, isinf, isnan, "
    "isnormal, signbit, isgreater, isgreaterequal, isless, islessequal, islessgreater, isunordered, lerp, nan, div, "
    "ldiv, lldiv";

// These are legal both as ::name and as std::name.
constexpr std::string_view kMemory = "memcpy, memset, memmove, memcmp";

constexpr std::string_view kAlgorithms =
    "min, max, minmax, clamp, swap, iter_swap, swap_ranges, fill, fill_n, copy, copy_n, copy_if, copy_backward, "
    "transform, accumulate, reduce, transform_reduce, inner_product, partial_sum, adjacent_difference, "
    "inclusive_scan, exclusive_scan, iota, generate, generate_n, for_each, for_each_n, sort, partial_sort, "
    "nth_element, is_sorted, lower_bound, upper_bound, equal_range, binary_search, min_element, max_element, "
    "minmax_element, count, count_if, find, find_if, find_if_not, any_of, all_of, none_of, equal, mismatch, "
    "lexicographical_compare, reverse, reverse_copy, rotate, rotate_copy, remove, remove_if, replace, replace_if, "
    "unique, partition, merge, push_heap, pop_heap, make_heap, sort_heap, gcd, lcm, midpoint, bit_cast, popcount, "
    "countl_zero, countl_one, countr_zero, countr_one, bit_width, bit_ceil, bit_floor, rotl, rotr, has_single_bit, "
    "byteswap, to_integer, to_underlying, move, forward, exchange, as_const, declval, addressof, launder, "
    "assume_aligned, is_constant_evaluated, unreachable, get, make_pair, make_tuple, tie, forward_as_tuple, apply, "
    "invoke, size, ssize, data, begin, end, cbegin, cend, rbegin, rend, empty, next, prev, advance, distance, "
    "make_reverse_iterator, cmp_less, cmp_less_equal, cmp_greater, cmp_greater_equal, cmp_equal, cmp_not_equal, "
    "in_range, to_address, as_bytes, as_writable_bytes, to_array, real, imag, norm, conj, construct_at, destroy_at, "
    "operator==, operator!=, operator<, operator>, operator<=, operator>=, operator<=>, operator&, operator|, "
    "operator^, operator~, operator+, operator-, operator*, operator/";

// All members are legal, except `at` (it throws).
constexpr std::string_view kClasses =
    "std::array, std::span, std::pair, std::tuple, std::initializer_list, std::numeric_limits, std::complex, "
    "std::bitset, std::optional, std::basic_string_view, std::reverse_iterator, std::move_iterator, "
    "__gnu_cxx::__normal_iterator, std::__wrap_iter, std::integral_constant, std::plus, std::minus, std::multiplies, "
    "std::divides, std::modulus, std::negate, std::equal_to, std::not_equal_to, std::greater, std::less, "
    "std::greater_equal, std::less_equal, std::bit_and, std::bit_or, std::bit_xor, std::bit_not, std::logical_and, "
    "std::logical_or, std::logical_not, std::identity, std::_Bit_reference";

// Containers come in by reference; reading them is legal, growing or copying them allocates.
constexpr std::string_view kContainers =
    "std::vector, std::basic_string, std::deque, std::list, std::forward_list, std::map, std::multimap, std::set, "
    "std::multiset, std::unordered_map, std::unordered_multimap, std::unordered_set, std::unordered_multiset, "
    "std::function, std::move_only_function, std::any, std::valarray, std::unique_ptr, std::shared_ptr, "
    "std::weak_ptr, std::queue, std::priority_queue, std::stack, std::allocator, std::polymorphic_allocator, "
    "std::pmr::polymorphic_allocator, std::pmr::monotonic_buffer_resource, std::regex, std::promise";
constexpr std::string_view kAccessors =
    "operator[], size, data, begin, end, cbegin, cend, rbegin, rend, empty, front, back, capacity, operator*, "
    "operator->, get, operator bool, operator";

constexpr std::string_view kAllocation =
    "malloc, calloc, realloc, reallocarray, free, aligned_alloc, posix_memalign, memalign, valloc, pvalloc, alloca, "
    "strdup, strndup, asprintf, mmap, mmap64, munmap, mremap, brk, sbrk, _mm_malloc, _mm_free, operator new, operator "
    "new[], operator delete, operator delete[], __builtin_malloc, __builtin_calloc, __builtin_realloc, "
    "__builtin_free, __builtin_alloca, __builtin_alloca_with_align, __builtin_alloca_uninitialized, "
    "__builtin_alloca_with_align_uninitialized, __builtin_operator_new, __builtin_operator_delete, __builtin_strdup, "
    "__builtin_strndup, std::make_unique, std::make_shared, std::allocate_shared, std::stable_sort, "
    "std::stable_partition, std::inplace_merge, std::get_temporary_buffer, std::to_string";

constexpr std::string_view kThread =
    "fork, vfork, clone, clone3, std::async, std::call_once, std::kill_dependency, thrd_create, sched_yield, "
    "sched_setaffinity, pthread_create";
constexpr std::string_view kThreadPrefixes =
    "pthread_, thrd_, mtx_, cnd_, sem_, omp_, GOMP_, __kmpc_, tbb::, std::this_thread::, __sync_, __atomic_, "
    "__c11_atomic_, __scoped_atomic_, __opencl_atomic_, _Interlocked, std::atomic, std::__atomic, std::execution::, "
    "__builtin_coro";
constexpr std::string_view kThreadTypes =
    "std::thread, std::jthread, std::stop_token, std::stop_source, std::mutex, std::recursive_mutex, "
    "std::timed_mutex, std::recursive_timed_mutex, std::shared_mutex, std::shared_timed_mutex, std::lock_guard, "
    "std::unique_lock, std::scoped_lock, std::shared_lock, std::once_flag, std::condition_variable, "
    "std::condition_variable_any, std::counting_semaphore, std::latch, std::barrier, std::future, std::shared_future, "
    "std::promise, std::packaged_task, std::coroutine_handle, std::atomic_flag, std::atomic, std::atomic_ref, "
    "std::__atomic_base, pthread_mutex_t";

// Includes functions that end the process, leave the function by a jump, or tell evaluation and shipping apart.
constexpr std::string_view kIo =
    "printf, fprintf, vprintf, vfprintf, dprintf, sprintf, snprintf, puts, fputs, putchar, putc, fputc, perror, "
    "scanf, fscanf, sscanf, getchar, gets, fgets, fopen, fdopen, freopen, fclose, fread, fwrite, fflush, fseek, "
    "ftell, remove, rename, tmpfile, open, open64, openat, creat, close, read, write, pread, pwrite, readv, writev, "
    "lseek, ioctl, fcntl, dup, dup2, pipe, socket, connect, send, recv, poll, select, stat, fstat, access, unlink, "
    "getenv, secure_getenv, setenv, putenv, unsetenv, setlocale, clock, clock_gettime, clock_getres, clock_nanosleep, "
    "gettimeofday, time, times, getrusage, timespec_get, nanosleep, usleep, sleep, exit, _exit, _Exit, quick_exit, "
    "abort, atexit, at_quick_exit, on_exit, __cxa_atexit, raise, kill, signal, sigaction, setjmp, _setjmp, sigsetjmp, "
    "longjmp, siglongjmp, syscall, system, popen, execv, execve, execvp, execl, execlp, posix_spawn, waitpid, ptrace, "
    "prctl, mprotect, madvise, mlock, dlopen, dlsym, dladdr, dl_iterate_phdr, backtrace, getpid, getppid, gettid, "
    "rand, srand, random, fesetround, fesetenv, feholdexcept, feupdateenv, feclearexcept, feraiseexcept, fegetround, "
    "fegetenv, fetestexcept, fegetexceptflag, fesetexceptflag, feenableexcept, fedisableexcept, fegetexcept, "
    "fegetmode, "
    "fesetmode, sigemptyset, sigprocmask, sigaltstack, sigsetmask, alarm, setitimer, __sigsetjmp, siglongjmp, "
    "std::terminate, std::set_terminate, __assert_fail, __errno_location, getauxval, sched_getcpu, "
    "process_vm_writev";
constexpr std::string_view kIoPrefixes =
    "std::chrono::, std::filesystem::, std::experimental::filesystem::, std::basic_ostream::, std::basic_istream::, "
    "std::basic_ofstream::, std::basic_ifstream::, std::basic_fstream::, std::basic_ios::, std::ios_base::, "
    "std::random_device::, std::print";
constexpr std::string_view kIoTypes =
    "std::basic_ostream, std::basic_istream, std::basic_iostream, std::basic_ofstream, std::basic_ifstream, "
    "std::basic_fstream, std::basic_stringstream, std::basic_ostringstream, std::basic_istringstream, "
    "std::random_device, _IO_FILE";
constexpr std::string_view kIoVariables =
    "std::cout, std::cerr, std::clog, std::cin, std::wcout, std::wcerr, stdin, stdout, stderr, environ, __environ, "
    "program_invocation_name, program_invocation_short_name";

// __builtin_ names that are legal besides mathematics, and prefixes of such.
constexpr std::string_view kBuiltins =
    "assume, assume_aligned, unreachable, expect, expect_with_probability, unpredictable, prefetch, shufflevector, "
    "convertvector, shuffle, nontemporal_load, nontemporal_store, bit_cast, memcpy, memcpy_inline, memset, "
    "memset_inline, memmove, memcmp, constant_p, is_constant_evaluated, launder, addressof, object_size, choose_expr, "
    "types_compatible_p, offsetof, classify_type, isnan, isinf, isinf_sign, isfinite, isnormal, issignaling, signbit, "
    "signbitf, signbitl, isgreater, isgreaterequal, isless, islessequal, islessgreater, isunordered, fpclassify, "
    "isfpclass, huge_val, huge_valf, huge_vall, inf, inff, infl, nan, nanf, nanl, nans, nansf, bswap16, bswap32, "
    "bswap64, bitreverse8, bitreverse16, bitreverse32, bitreverse64, complex, parity, parityl, parityll, ffs, ffsl, "
    "ffsll, clrsb, clrsbl, clrsbll, has_attribute, is_aligned, align_up, align_down, canonicalize";
constexpr std::string_view kBuiltinPrefixes =
    "popcount, clz, ctz, elementwise_, reduce_, rotateleft, rotateright, add_overflow, sub_overflow, mul_overflow, "
    "sadd, saddl, uadd, ssub, usub, smul, umul, addc, subc, matrix_, masked_, vectorelements, neon_, sve_, sme_sv, "
    "rvv_";

// Parts of names of intrinsics that read or set the machine's state instead of computing.
constexpr std::string_view kStatefulIntrinsics =
    "rdtsc, rdpmc, ldmxcsr, stmxcsr, setcsr, getcsr, xgetbv, xsetbv, xsave, xrstor, fxsave, fxrstor, eflags, rdrand, "
    "rdseed, fsbase, gsbase, fsbase_u, wbinvd, wbnoinvd, clflush, clwb, cldemote, clzero, monitor, mwait, tpause, "
    "umwait, ptwrite, xbegin, xend, xabort, xtest, incssp, rdssp, saveprevssp, wrss, wruss, setssbsy, clrssbsy, "
    "serialize, enqcmd, movdir, senduipi, clui, stui, testui, lwp, rdpid, rdpru, loadconfig, storeconfig, _pconfig, "
    "_encls, _enclu, _enclv, invpcid, cpuid, hreset, readcounter, arm_rsr, arm_wsr, __rndr, _urdmsr, _uwrmsr, "
    "__outbyte, __inbyte, _mm_pause, ia32_pause, may_i_use_cpu_feature";

template <class Matches> bool anyOf(Names names, Matches matches) {
  while (!names.empty()) {
    std::size_t end = std::min(names.find(", "), names.size());
    if (matches(names.substr(0, end)))
      return true;
    names.remove_prefix(std::min(end + 2, names.size()));
  }
  return false;
}

bool isIn(Names names, std::string_view name) {
  return anyOf(names, [&](std::string_view entry) { return entry == name; });
}

bool hasPrefix(Names prefixes, std::string_view name) {
  return anyOf(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Returns whether it is a mathematical function, also in its float or long double form.
bool isMath(std::string_view name) {
  if (isIn(kMath, name))
    return true;
  return (name.ends_with('f') || name.ends_with('l')) && isIn(kMath, name.substr(0, name.size() - 1));
}

Known knownBuiltin(std::string_view name) {
  if (name.starts_with("ia32_"))
    return knownIntrinsic(name);
  if (isIn(kBuiltins, name) || hasPrefix(kBuiltinPrefixes, name) || isMath(name))
    return Known::Legal;
  return Known::Io; // trap, return_address, frame_address, readcyclecounter, cpu_supports, FILE, printf …
}

/// Splits "std::vector::size" → "std::vector", "size".
std::pair<std::string_view, std::string_view> splitMember(std::string_view name) {
  std::size_t end = name.find("operator");
  std::size_t colon = name.rfind("::", end);
  if (colon == std::string_view::npos)
    return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 2)};
}

} // namespace

Known knownIntrinsic(std::string_view name) {
  if (name == "_mm_malloc" || name == "_mm_free")
    return Known::Allocation;
  bool stateful = anyOf(kStatefulIntrinsics, [&](std::string_view part) { return name.find(part) != name.npos; });
  return stateful ? Known::Io : Known::Legal;
}

Known knownFunction(std::string_view name) {
  if (isIn(kAllocation, name))
    return Known::Allocation;
  if (isIn(kThread, name) || hasPrefix(kThreadPrefixes, name))
    return Known::Thread;
  bool inStd = name.starts_with("std::");
  std::string_view unqualified = inStd ? name.substr(5) : name;
  if (inStd && isIn(kAlgorithms, unqualified)) // before I/O: std::remove is an algorithm and a file function
    return Known::Legal;
  if (name.starts_with("__gnu_cxx::operator"))
    return Known::Legal;
  if (isIn(kIo, name) || isIn(kIo, unqualified) || hasPrefix(kIoPrefixes, name))
    return Known::Io;
  if (inStd && isIn(kAllocation, unqualified))
    return Known::Allocation;
  if (isMath(unqualified) || isIn(kMemory, unqualified))
    return Known::Legal;
  if (name.starts_with("__builtin_"))
    return knownBuiltin(name.substr(10));
  auto [owner, member] = splitMember(name);
  if (isIn(kClasses, owner))
    return member == "at" ? Known::Unlisted : Known::Legal;
  if (isIn(kContainers, owner))
    return isIn(kAccessors, member) ? Known::Legal : Known::Allocation;
  return knownType(owner);
}

Known knownType(std::string_view name) {
  if (isIn(kThreadTypes, name))
    return Known::Thread;
  if (isIn(kContainers, name))
    return Known::Allocation;
  return isIn(kIoTypes, name) ? Known::Io : Known::Unlisted;
}

Known knownVariable(std::string_view name) {
  return isIn(kIoVariables, name) ? Known::Io : Known::Unlisted;
}

} // namespace agentic::checks
