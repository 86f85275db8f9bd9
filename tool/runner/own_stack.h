// Runs a function on a guarded stack of its own and with registers that nobody has set, so that what a call left behind
// is gone before the next call: a candidate cannot keep a memo in uninitialised locals or in registers, and a stack of
// more than 256 KiB is noticed. What both hold instead are random bits that change with every call, here and in the
// runner alike: they tell a kernel neither that it was called before nor where it runs.
//
// Plain C++11 for g++ and clang without includes: the text of this file is part of every hook entry, where the user's
// macros are in force (hence ak_ everywhere). Linux on x86-64 and aarch64; elsewhere bodies are called directly.
// Exceptions and unwinders pass through. The runner shares the way to change stacks (runner_stack.h), not the rest.
//
// agentic_on_own_stack(body, closure): each thread gets its region at its first call and gives it back when it ends. At
// first only the two topmost pages are accessible; a SIGSEGV handler opens further ones, so that the pages used since
// the region was made are known exactly, and just these are overwritten before every call. Where the region lies, and
// where in the topmost page the stack begins, is drawn by lot once per thread: neither tells a kernel where it runs,
// and no distance leads from a kernel's variables to memory that is not overwritten. Beyond kBytes: a message on stderr
// and abort(). Calls made while the thread's region is in use run directly, and so does everything where a sanitizer is
// loaded or the symbol agentic_own_stack_off is defined (linker: --defsym=agentic_own_stack_off=1). Faults elsewhere go
// to the handler that was there before. A handler that the program installs later is no harm unless the stack must
// grow, for a signal's frame for instance. Known limits: a system call that is given a buffer on a page never touched
// before fails with EFAULT; the first signal whose frame does not fit into the open pages is lost; SIGSEGV must not be
// blocked when the stack grows.
#pragma once

#include "tool/runner/call_bits.h"

#if AGENTIC_OWN_STACK

// libc under names of our own: these declarations agree with whatever headers stand before them.
extern "C" {
struct ak_stack_action { // struct sigaction
  void (*ak_handler)(int, void *, void *);
  unsigned long ak_mask[16];
  int ak_flags;
  void (*ak_restorer)();
};
struct ak_stack_alternate { // stack_t
  void *ak_begin;
  int ak_flags;
  unsigned long ak_bytes;
};
void *ak_stack_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
int ak_stack_munmap(void *, unsigned long) __asm__("munmap");
int ak_stack_mprotect(void *, unsigned long, int) __asm__("mprotect");
int ak_stack_sigaction(int, const struct ak_stack_action *, struct ak_stack_action *) __asm__("sigaction");
int ak_stack_sigaltstack(const struct ak_stack_alternate *, struct ak_stack_alternate *) __asm__("sigaltstack");
int ak_stack_getpagesize(void) __asm__("getpagesize");
long ak_stack_getrandom(void *, unsigned long, unsigned) __asm__("getrandom");
int ak_stack_raise(int) __asm__("raise");
long ak_stack_write(int, const void *, unsigned long) __asm__("write");
__attribute__((__noreturn__)) void ak_stack_abort(void) __asm__("abort");

__attribute__((__weak__)) void ak_stack_asan(void) __asm__("__asan_init");
__attribute__((__weak__)) void ak_stack_hwasan(void) __asm__("__hwasan_init");
__attribute__((__weak__)) void ak_stack_msan(void) __asm__("__msan_init");
__attribute__((__weak__)) void ak_stack_tsan(void) __asm__("__tsan_init");
extern __attribute__((__weak__)) char agentic_own_stack_off;

/// Calls `ak_body(ak_closure)` with the stack pointer at `ak_top`. All caller-saved registers hold bits of `ak_bits`
/// (ak_bits_kRegisters bytes) until the body loads the arguments; upper halves that make instructions slow are zero.
/// `ak_registers`: the kinds of registers there are (ak_bits_registers()).
__attribute__((__visibility__("hidden"))) void agentic_own_stack_switch(void *ak_closure, void (*ak_body)(void *),
                                                                        void *ak_top, const void *ak_bits,
                                                                        int ak_registers);
}

// The frame pointer stays in the old stack and the canonical frame address is found through it: unwinding works.
__asm__(".pushsection .text.agentic_own_stack_switch,\"axG\",%progbits,agentic_own_stack_switch,comdat\n"
        ".weak agentic_own_stack_switch\n"
        ".hidden agentic_own_stack_switch\n"
        ".type agentic_own_stack_switch, %function\n"
        ".balign 16\n"
        "agentic_own_stack_switch:\n"
        ".cfi_startproc\n"
#if defined(__x86_64__)
        "endbr64\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "movq %rdx, %rsp\n"
        "testl %r8d, %r8d\n"
        "je 2f\n"
        "cmpl $2, %r8d\n"
        "jb 1f\n"
        ".irp ak_n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "vmovdqu64 8*(\\ak_n-16)(%rcx), %zmm\\ak_n\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "kmovw 2*\\ak_n+192(%rcx), %k\\ak_n\n"
        ".endr\n"
        "1: vzeroupper\n" // else every following SSE instruction would have to keep upper halves
        "2:\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movups 8*\\ak_n+208(%rcx), %xmm\\ak_n\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n" // they share x87's registers, which must be empty at a call
        "movq 8*\\ak_n+32(%rcx), %mm\\ak_n\n"
        ".endr\n"
        "emms\n"
        "movq %rsi, %r11\n"
        "movq 340(%rcx), %rax\n"
        "movq 348(%rcx), %rdx\n"
        "movq 356(%rcx), %rsi\n"
        "movq 364(%rcx), %r8\n"
        "movq 372(%rcx), %r9\n"
        "movq 380(%rcx), %r10\n"
        "movq 388(%rcx), %rcx\n"
        "call *%r11\n"
        "movq %rbp, %rsp\n"
        "popq %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "ret\n"
#else
        "hint #34\n" // bti c
        "stp x29, x30, [sp, #-16]!\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset 29, -16\n"
        ".cfi_offset 30, -8\n"
        "mov x29, sp\n"
        ".cfi_def_cfa 29, 16\n"
        "mov sp, x2\n"
        ".irp ak_n, 0,2,4,6,16,18,20,22,24,26,28,30\n"
        "ldr q\\ak_n, [x3, #16*(\\ak_n/2)]\n"
        ".endr\n"
        ".irp ak_n, 1,3,5,7,17,19,21,23,25,27,29,31\n"
        "ldr q\\ak_n, [x3, #16*(\\ak_n/2+8)]\n"
        ".endr\n"
        ".irp ak_n, 8,9,10,11,12,13,14,15\n" // the lower halves are callee-saved
        "ldr x5, [x3, #8*\\ak_n]\n"
        "ins v\\ak_n\\().d[1], x5\n"
        ".endr\n"
        "cbz w4, 1f\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        ".inst 0x2518e400 + \\ak_n\n" // pfalse p<n>.b
        ".endr\n"
        ".inst 0x25289000\n" // wrffr p0.b
        "1: mov x17, x1\n"
        "ldp x1, x2, [x3, #272]\n"
        "ldp x4, x5, [x3, #288]\n"
        "ldp x6, x7, [x3, #304]\n"
        "ldp x8, x9, [x3, #320]\n"
        "ldp x10, x11, [x3, #336]\n"
        "ldp x12, x13, [x3, #352]\n"
        "ldp x14, x15, [x3, #368]\n"
        "ldp x16, x3, [x3, #384]\n"
        "blr x17\n"
        "mov sp, x29\n"
        ".cfi_def_cfa 31, 16\n"
        "ldp x29, x30, [sp], #16\n"
        ".cfi_restore 29\n"
        ".cfi_restore 30\n"
        ".cfi_def_cfa_offset 0\n"
        "ret\n"
#endif
        ".cfi_endproc\n"
        ".size agentic_own_stack_switch, .-agentic_own_stack_switch\n"
        ".popsection\n");

/// Bytes of the hook's stacks: one stack, the inaccessible memory below and above it, the alternate signal stack, the
/// largest signal frame.
enum {
  ak_stack_kBytes = 256 << 10,
  ak_stack_kBelow = 1 << 20,
  ak_stack_kAbove = 64 << 10,
  ak_stack_kAlternate = 64 << 10,
  ak_stack_kFrame = 16 << 10
};

/// One thread's stack: [below | stack, open from ak_low on | above]; ak_first: the place where calls begin. At another
/// place: [alternate signal stack | this struct].
struct ak_stack_thread {
  char *ak_region, *volatile ak_low, *ak_top, *ak_first, *ak_alternate;
  unsigned long ak_bytes, ak_alternateBytes, ak_page;
  int ak_ownsAlternate, ak_registers;
  volatile int ak_busy;
  struct ak_bits_pool *ak_pool;
};

/// The stack of a thread whose calls run directly.
static struct ak_stack_thread ak_stack_direct = {nullptr, nullptr, nullptr, nullptr, nullptr, 0,
                                                 0,       0,       0,       0,       1,       nullptr};
/// initial-exec, because the signal handler must not allocate.
static __thread struct ak_stack_thread *ak_stack_mine __attribute__((__tls_model__("initial-exec"))) = nullptr;
static struct ak_stack_action ak_stack_previous;
static int ak_stack_installation = 0; ///< 0 not begun, 1 going on, 2 done

template <unsigned long ak_size>
__attribute__((__noreturn__)) static void ak_stack_fail(const char (&ak_message)[ak_size]) {
  ak_stack_write(2, ak_message, ak_size - 1);
  ak_stack_abort();
}

/// Opens the pages from the page with `ak_address` on.
static void ak_stack_grow(struct ak_stack_thread *ak_t, unsigned long ak_address) {
  char *ak_low = reinterpret_cast<char *>(ak_address & ~(ak_t->ak_page - 1));
  const unsigned long ak_bytes = static_cast<unsigned long>(ak_t->ak_low - ak_low);
  if (ak_stack_mprotect(ak_low, ak_bytes, 3) != 0)
    ak_stack_fail("agentic-kernel: no memory for the stack of a kernel\n");
  ak_bits_fill(ak_t->ak_pool, ak_t->ak_pool->ak_state, ak_low, ak_low + ak_bytes);
  ak_t->ak_low = ak_low;
}

/// The data in the operating system's own siginfo_t and ucontext_t.
struct ak_stack_fault_place {
  int ak_code;
  unsigned long ak_address, ak_pointer;
};
static ak_stack_fault_place ak_stack_read_fault(const void *ak_info, const void *ak_context) {
#if defined(__x86_64__)
  const unsigned long ak_at = 160;
#else
  const unsigned long ak_at = 432;
#endif
  ak_stack_fault_place ak_place;
  __builtin_memcpy(&ak_place.ak_code, static_cast<const char *>(ak_info) + 8, sizeof ak_place.ak_code);
  __builtin_memcpy(&ak_place.ak_address, static_cast<const char *>(ak_info) + 16, sizeof ak_place.ak_address);
  __builtin_memcpy(&ak_place.ak_pointer, static_cast<const char *>(ak_context) + ak_at, sizeof ak_place.ak_pointer);
  return ak_place;
}

/// Returns whether the fault was the stack's growth. A signal frame that cannot be written is reported without an
/// address (code 128), as is a non-canonical address: after the frame's room has been opened it is the latter.
static bool ak_stack_resolve(struct ak_stack_thread *ak_t, const ak_stack_fault_place &ak_place) {
  if (!ak_t || ak_t == &ak_stack_direct || !ak_t->ak_busy)
    return false;
  const unsigned long ak_end = reinterpret_cast<unsigned long>(ak_t->ak_low);
  const unsigned long ak_region = reinterpret_cast<unsigned long>(ak_t->ak_region);
  const bool ak_isFrame = ak_place.ak_code == 128 && ak_place.ak_pointer - ak_region < ak_t->ak_bytes;
  const unsigned long ak_address = ak_isFrame ? ak_place.ak_pointer - ak_stack_kFrame : ak_place.ak_address;
  if (ak_address >= ak_end || ak_address < ak_region || (ak_place.ak_code <= 0))
    return false;
  if (ak_address - ak_region < ak_stack_kBelow)
    ak_stack_fail("agentic-kernel: a kernel used more than 256 KiB of stack; use less, or static or heap memory\n");
  ak_stack_grow(ak_t, ak_address);
  return true;
}

static void ak_stack_on_fault(int ak_signal, void *ak_info, void *ak_context) {
  const ak_stack_fault_place ak_place = ak_stack_read_fault(ak_info, ak_context);
  if (ak_stack_resolve(ak_stack_mine, ak_place))
    return;
  const struct ak_stack_action ak_previous = ak_stack_previous;
  const bool ak_isFunction = reinterpret_cast<unsigned long>(ak_previous.ak_handler) > 1; // neither SIG_DFL nor SIG_IGN
  if (!ak_isFunction || (ak_previous.ak_flags & static_cast<int>(0x80000000u)) != 0) {    // SA_RESETHAND
    struct ak_stack_action ak_next = ak_previous;
    if (ak_isFunction)
      ak_next.ak_handler = nullptr;
    ak_stack_sigaction(ak_signal, &ak_next, nullptr); // the instruction faults again, or:
    if (!ak_isFunction && ak_place.ak_code <= 0)
      ak_stack_raise(ak_signal);
  }
  if (ak_isFunction)
    ak_previous.ak_handler(ak_signal, ak_info, ak_context); // SA_SIGINFO or not: the first argument is the same
}

static void ak_stack_install(void) {
  int ak_none = 0;
  if (__atomic_compare_exchange_n(&ak_stack_installation, &ak_none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    struct ak_stack_action ak_mine;
    ak_stack_sigaction(11, nullptr, &ak_stack_previous);
    ak_mine = ak_stack_previous;
    ak_mine.ak_handler = &ak_stack_on_fault;
    // SA_SIGINFO, SA_ONSTACK; kept from the previous action: SA_NODEFER, SA_RESTART.
    ak_mine.ak_flags = 4 | 0x08000000 | (ak_stack_previous.ak_flags & 0x50000000);
    ak_stack_sigaction(11, &ak_mine, nullptr);
    __atomic_store_n(&ak_stack_installation, 2, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&ak_stack_installation, __ATOMIC_ACQUIRE) != 2) {
  }
}

/// Unmaps the thread's region when the thread ends, unless it ends on it.
struct ak_stack_end {
  bool ak_isArmed = false;
  ~ak_stack_end() {
    struct ak_stack_thread *ak_t = ak_stack_mine;
    if (!ak_isArmed || !ak_t || ak_t->ak_busy)
      return;
    struct ak_stack_alternate ak_now;
    if (ak_t->ak_ownsAlternate && ak_stack_sigaltstack(nullptr, &ak_now) == 0 &&
        ak_now.ak_begin == ak_t->ak_alternate) {
      ak_now.ak_flags = 2; // SS_DISABLE
      ak_stack_sigaltstack(&ak_now, nullptr);
    }
    ak_stack_mine = nullptr;
    ak_stack_munmap(ak_t->ak_region, ak_t->ak_bytes);
    ak_stack_munmap(ak_t->ak_alternate, ak_t->ak_alternateBytes);
  }
};

static unsigned long ak_stack_random(void) {
  unsigned long ak_value = 0;
  if (ak_stack_getrandom(&ak_value, sizeof ak_value, 1) != static_cast<long>(sizeof ak_value)) // GRND_NONBLOCK
    ak_value = reinterpret_cast<unsigned long>(&ak_value) * 0x9e3779b97f4a7c15ul; // randomized by the system
  return ak_value;
}

static void ak_stack_fill_pool(struct ak_bits_pool *ak_pool) {
  unsigned long long ak_x = ak_stack_random();
  for (unsigned long ak_i = 0; ak_i < ak_bits_kPool / 8; ++ak_i) { // splitmix64
    unsigned long long ak_word = (ak_x += 0x9e3779b97f4a7c15ull);
    ak_word = (ak_word ^ ak_word >> 30) * 0xbf58476d1ce4e5b9ull;
    ak_word = (ak_word ^ ak_word >> 27) * 0x94d049bb133111ebull;
    ak_pool->ak_words[ak_i] = ak_pool->ak_words[ak_i + ak_bits_kPool / 8] = ak_word ^ ak_word >> 31;
  }
  ak_pool->ak_state = ak_stack_random() | 1;
}

/// Maps inaccessible memory at a random place in the 46 bits of addresses that every system has, if that place is free.
static char *ak_stack_map(unsigned long ak_bytes, unsigned long ak_page) {
  const unsigned long ak_wish = (ak_stack_random() >> 18 | 1ul << 44) & ~(ak_page - 1);
  // PROT_NONE; MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
  char *ak_memory = static_cast<char *>(ak_stack_mmap(reinterpret_cast<void *>(ak_wish), ak_bytes, 0, 0x4022, -1, 0));
  if (ak_memory == reinterpret_cast<char *>(-1))
    ak_stack_fail("agentic-kernel: no memory for the stack of a kernel\n");
  return ak_memory;
}

__attribute__((__noinline__, __cold__)) static struct ak_stack_thread *ak_stack_begin(void) {
  if (&ak_stack_asan || &ak_stack_hwasan || &ak_stack_msan || &ak_stack_tsan || &agentic_own_stack_off)
    return ak_stack_mine = &ak_stack_direct;
  const unsigned long ak_page = static_cast<unsigned long>(ak_stack_getpagesize());
  const unsigned long ak_stackEnd = ak_stack_kBelow + ak_stack_kBytes, ak_bytes = ak_stackEnd + ak_stack_kAbove;
  char *ak_region = ak_stack_map(ak_bytes, ak_page);
  const unsigned long ak_own = sizeof(struct ak_stack_thread) + sizeof(struct ak_bits_pool);
  const unsigned long ak_alternateBytes = ak_stack_kAlternate + (ak_own + ak_page - 1) / ak_page * ak_page;
  char *ak_alternatePlace = ak_stack_map(ak_alternateBytes, ak_page);
  if (ak_stack_mprotect(ak_alternatePlace, ak_alternateBytes, 3) != 0 ||
      ak_stack_mprotect(ak_region + ak_stackEnd - 2 * ak_page, 2 * ak_page, 3) != 0)
    ak_stack_fail("agentic-kernel: no memory for the stack of a kernel\n");
  struct ak_stack_thread *ak_t = reinterpret_cast<struct ak_stack_thread *>(ak_alternatePlace + ak_stack_kAlternate);
  ak_t->ak_region = ak_region;
  ak_t->ak_alternate = ak_alternatePlace;
  ak_t->ak_top = ak_region + ak_stackEnd;
  ak_t->ak_low = ak_t->ak_top - 2 * ak_page;
  ak_t->ak_first = ak_t->ak_top - 16 * (ak_stack_random() >> 32 & 0xff);
  ak_t->ak_bytes = ak_bytes;
  ak_t->ak_alternateBytes = ak_alternateBytes;
  ak_t->ak_page = ak_page;
  ak_t->ak_registers = ak_bits_registers();
  ak_t->ak_pool = reinterpret_cast<struct ak_bits_pool *>(ak_t + 1);
  ak_stack_fill_pool(ak_t->ak_pool);
  struct ak_stack_alternate ak_alternate;
  if (ak_stack_sigaltstack(nullptr, &ak_alternate) == 0 && (ak_alternate.ak_flags & 2) != 0) {
    ak_alternate.ak_begin = ak_alternatePlace;
    ak_alternate.ak_flags = 0;
    ak_alternate.ak_bytes = ak_stack_kAlternate;
    ak_t->ak_ownsAlternate = ak_stack_sigaltstack(&ak_alternate, nullptr) == 0;
  }
  ak_stack_install();
  static thread_local ak_stack_end ak_end;
  ak_end.ak_isArmed = true;
  return ak_stack_mine = ak_t;
}

struct ak_stack_use {
  struct ak_stack_thread *ak_t;
  explicit ak_stack_use(struct ak_stack_thread *ak_thread) : ak_t(ak_thread) { ak_t->ak_busy = 1; }
  ~ak_stack_use() { ak_t->ak_busy = 0; }
};

static inline void agentic_on_own_stack(void (*ak_body)(void *ak_closure), void *ak_closure) {
  struct ak_stack_thread *ak_t = ak_stack_mine;
  if (__builtin_expect(!ak_t, 0))
    ak_t = ak_stack_begin();
  if (__builtin_expect(ak_t->ak_busy, 0)) {
    ak_body(ak_closure);
    return;
  }
  const ak_stack_use ak_inUse(ak_t);
  const unsigned long long ak_lot = ak_bits_next(ak_t->ak_pool);
  ak_bits_fill(ak_t->ak_pool, ak_lot, ak_t->ak_low, ak_t->ak_top);
  agentic_own_stack_switch(ak_closure, ak_body, ak_t->ak_first, ak_bits_from(ak_t->ak_pool, ak_lot >> 32),
                           ak_t->ak_registers);
}

#else

static inline void agentic_on_own_stack(void (*ak_body)(void *ak_closure), void *ak_closure) {
  ak_body(ak_closure);
}

#endif
