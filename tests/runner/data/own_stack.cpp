// A program that calls functions on a stack of their own; its argument says what else it does.
#include "tool/runner/own_stack.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <unistd.h>

#define CHECK(CONDITION)                                                                                               \
  ((CONDITION) ? void() : (std::printf("line %d: %s\n", __LINE__, #CONDITION), std::fflush(stdout), ::_exit(1)))

namespace {

template <class F> struct Body {
  static void run(void *closure) { (*static_cast<F *>(closure))(); }
};
template <class F> void onOwnStack(F function) {
  agentic_on_own_stack(&Body<F>::run, &function);
}

__attribute__((noinline)) unsigned long stackAddress() {
  return reinterpret_cast<unsigned long>(__builtin_frame_address(0));
}
bool isNear(unsigned long a, unsigned long b) {
  return (a > b ? a - b : b - a) < (512 << 10);
}
template <int bytes> __attribute__((noinline)) int touch() {
  volatile char local[bytes];
  for (int i = bytes - 1; i >= 0; i -= 512) // from the top, as nested calls would
    local[i] = 1;
  return local[bytes - 1];
}
__attribute__((noinline)) bool findMemo() {
  volatile unsigned memo[64];
  volatile unsigned *at = memo;
  const bool isThere = at[7] == 0xc0ffee && at[9] == 0xc0ffee;
  at[7] = at[9] = 0xc0ffee;
  return isThere;
}
struct Count {
  int &count;
  ~Count() { ++count; }
};
__attribute__((noinline)) void throwDeep(int depth, int &destroyed) {
  const Count one = {destroyed};
  if (depth == 0)
    throw std::runtime_error("deep");
  throwDeep(depth - 1, destroyed);
}
int mappings() {
  std::ifstream file("/proc/self/maps");
  std::string line;
  int count = 0;
  while (std::getline(file, line))
    ++count;
  return count;
}

void values() {
  const unsigned long ordinary = stackAddress();
  unsigned long first = 0, second = 0, inner = 0;
  onOwnStack([&] { first = stackAddress(); });
  onOwnStack([&] {
    second = stackAddress();
    onOwnStack([&] { inner = stackAddress(); });
  });
  CHECK(!isNear(first, ordinary));
  CHECK(isNear(first, second));
  CHECK(isNear(inner, second)); // directly, on the stack in use
}
void memo() {
  for (int i = 0; i < 10; ++i) {
    bool isThere = true;
    onOwnStack([&] { isThere = findMemo(); });
    CHECK(!isThere);
  }
  bool isThere = false; // and without a stack of its own the trick works: the test would notice
  for (int i = 0; i < 2; ++i)
    isThere = findMemo();
  CHECK(isThere);
}
void memoDeep() {
  for (int i = 0; i < 10; ++i) {
    bool isThere = true;
    onOwnStack([&] {
      volatile char room[50000];
      room[0] = 1;
      isThere = findMemo() && room[0];
    });
    CHECK(!isThere);
  }
}
void exceptions() {
  int destroyed = 0;
  for (int i = 0; i < 100; ++i) {
    bool isCaught = false;
    try {
      onOwnStack([&] { throwDeep(20, destroyed); });
    } catch (const std::runtime_error &error) {
      isCaught = std::string(error.what()) == "deep";
    }
    CHECK(isCaught);
  }
  CHECK(destroyed == 2100);
  values();
}
void grows() {
  int sum = 0;
  onOwnStack([&] { sum += touch<(100 << 10)>(); });
  onOwnStack([&] { sum += touch<(200 << 10)>(); });
  onOwnStack([&] { sum += touch<(10 << 10)>(); });
  CHECK(sum == 3);
}
void overflows() {
  onOwnStack([] { touch<(300 << 10)>(); });
}
void *callOften(void *) {
  for (int i = 0; i < 200; ++i)
    onOwnStack([=] { i % 3 ? touch<2000>() : touch<(60 << 10)>(); });
  return nullptr;
}
void threads() {
  const auto round = [] {
    pthread_t all[8];
    for (pthread_t &one : all)
      CHECK(pthread_create(&one, nullptr, &callOften, nullptr) == 0);
    for (pthread_t one : all)
      pthread_join(one, nullptr);
  };
  round();
  const int before = mappings();
  for (int i = 0; i < 20; ++i)
    round();
  CHECK(mappings() < before + 20); // regions are given back
}
struct Places {
  unsigned long stack, alternate;
};
void *findPlaces(void *at) {
  onOwnStack([=] {
    stack_t alternate;
    sigaltstack(nullptr, &alternate);
    *static_cast<Places *>(at) = {stackAddress(), reinterpret_cast<unsigned long>(alternate.ss_sp)};
  });
  return nullptr;
}
/// Where they lie, and where in its page a stack begins, is drawn by lot: never the same distance twice.
void lots() {
  constexpr int kThreads = 16;
  pthread_t all[kThreads];
  Places places[kThreads];
  for (int i = 0; i < kThreads; ++i)
    CHECK(pthread_create(&all[i], nullptr, &findPlaces, &places[i]) == 0);
  for (pthread_t one : all)
    pthread_join(one, nullptr);
  int sameOffset = 0;
  for (const Places &one : places) {
    CHECK(one.alternate != 0);
    sameOffset += one.stack % 4096 == places[0].stack % 4096;
    for (const Places &other : places)
      CHECK(&one == &other || one.alternate - one.stack != other.alternate - other.stack);
  }
  CHECK(sameOffset < 8);
}
void onWild(int, siginfo_t *info, void *) {
  const char text[] = "handled\n";
  if (info->si_addr == nullptr && ::write(1, text, sizeof text - 1) > 0)
    ::_exit(42);
  ::_exit(43);
}
void installOwn() {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_sigaction = &onWild;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}
void fault() {
  onOwnStack([] {
    volatile int *nowhere = nullptr;
    *nowhere = 1;
  });
}
void handlerBefore() {
  installOwn();
  grows();
  fault();
}
void handlerAfter() {
  values();
  installOwn();
  values();
  *static_cast<volatile int *>(nullptr) = 1;
}
void exitsInside() {
  onOwnStack([] { std::exit(7); });
}
volatile int ticks = 0;
void onTick(int) {
  volatile char room[6000]; // more than what is left of the first page
  room[0] = 1;
  ticks = ticks + room[0];
}
void timer() {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = &onTick;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, nullptr);
  onOwnStack([] {
    volatile char rest[2500]; // a signal's frame no longer fits into the page
    rest[0] = rest[2499] = 0;
    while (ticks < 20 + rest[0]) {
    }
  });
}

/// What a call finds in registers that nobody has set for it, and a call that leaves something in all of them.
struct Registers {
  unsigned long general[16], vectors[32][8];
  unsigned long masks[8], mmx[8];
};
constexpr unsigned long kMemo = 0xc0ffeec0ffeec0ff;
extern "C" void findRegisters(void *registers);
extern "C" void leaveRegisters(void *registers);
extern "C" void findWideRegisters(void *registers);
extern "C" void leaveWideRegisters(void *registers);
#if defined(__x86_64__)
constexpr int kGeneral = 7, kVectors = 16, kWords = 2, kMmx = 8; // rdi is the closure's, r11 the body's
__asm__(".pushsection .text\n"
        "findRegisters:\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "movq %mm\\ak_n, 2240+8*\\ak_n(%rdi)\n"
        ".endr\n"
        "emms\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movups %xmm\\ak_n, 128+64*\\ak_n(%rdi)\n"
        ".endr\n"
        "movq %rax, (%rdi)\n"
        "movq %rdx, 8(%rdi)\n"
        "movq %rsi, 16(%rdi)\n"
        "movq %r8, 24(%rdi)\n"
        "movq %r9, 32(%rdi)\n"
        "movq %r10, 40(%rdi)\n"
        "movq %rcx, 48(%rdi)\n"
        "ret\n"
        "leaveRegisters:\n"
        "movabsq $0xc0ffeec0ffeec0ff, %rax\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "movq %rax, %mm\\ak_n\n"
        ".endr\n"
        "emms\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movq %rax, %xmm\\ak_n\n"
        "punpcklqdq %xmm\\ak_n, %xmm\\ak_n\n"
        ".endr\n"
        "movq %rax, %rdx\n"
        "movq %rax, %rsi\n"
        "movq %rax, %r8\n"
        "movq %rax, %r9\n"
        "movq %rax, %r10\n"
        "movq %rax, %rcx\n"
        "ret\n"
        "findWideRegisters:\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "vmovdqu64 %zmm\\ak_n, 128+64*\\ak_n(%rdi)\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "kmovw %k\\ak_n, 2176+8*\\ak_n(%rdi)\n"
        ".endr\n"
        "vzeroupper\n"
        "ret\n"
        "leaveWideRegisters:\n"
        "movl $-1, %eax\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "kmovw %eax, %k\\ak_n\n"
        ".endr\n"
        "movabsq $0xc0ffeec0ffeec0ff, %rax\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "vpbroadcastq %rax, %zmm\\ak_n\n"
        ".endr\n"
        "ret\n"
        ".popsection\n");
#else
constexpr int kGeneral = 16, kVectors = 32, kWords = 2, kMmx = 0; // x1 to x16
__asm__(".pushsection .text\n"
        "findRegisters:\n"
        ".irp ak_n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n"
        "str x\\ak_n, [x0, #8*(\\ak_n-1)]\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "str q\\ak_n, [x0, #128+64*\\ak_n]\n"
        ".endr\n"
        ".irp ak_n, 8,9,10,11,12,13,14,15\n"
        "umov x9, v\\ak_n\\().d[1]\n"
        "str x9, [x0, #128+64*\\ak_n]\n"
        "str x9, [x0, #136+64*\\ak_n]\n"
        ".endr\n"
        "ret\n"
        "leaveRegisters:\n"
        "ldr x1, =0xc0ffeec0ffeec0ff\n"
        ".irp ak_n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n"
        "mov x\\ak_n, x1\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "dup v\\ak_n\\().2d, x1\n"
        ".endr\n"
        ".irp ak_n, 8,9,10,11,12,13,14,15\n"
        "ins v\\ak_n\\().d[1], x1\n"
        ".endr\n"
        "ret\n"
        ".ltorg\n"
        "findWideRegisters: ret\n"
        "leaveWideRegisters: ret\n"
        ".popsection\n");
#endif
/// Whether no call finds in a register what an earlier one left in all, and most find there what none did before.
class Fresh {
public:
  void see(const unsigned long *words, int count) {
    for (int i = 0; i < count; ++i, ++at_) {
      CHECK(words[i] != kMemo);
      repeated_[at_] += calls_ > 0 && words[i] == last_[at_];
      last_[at_] = words[i];
    }
  }
  void nextCall() { at_ = 0, ++calls_; }
  ~Fresh() {
    for (const int repeated : repeated_)
      CHECK(repeated <= calls_ / 2); // once in 256 calls by chance
  }

private:
  unsigned long last_[300] = {};
  int repeated_[300] = {}, at_ = 0, calls_ = 0;
};
void registers() {
  static Registers now;
  Fresh usual, wide;
  for (int call = 0; call < 20; ++call, usual.nextCall()) {
    agentic_on_own_stack(&leaveRegisters, &now);
    agentic_on_own_stack(&findRegisters, &now);
    usual.see(now.general, kGeneral);
    usual.see(now.mmx, kMmx);
    for (int i = 0; i < kVectors; ++i)
      usual.see(now.vectors[i], kWords);
  }
  leaveRegisters(&now); // and without a stack of its own the trick works: the test would notice
  findRegisters(&now);
  CHECK(now.vectors[0][0] == kMemo && now.general[5] == kMemo);
  if (ak_bits_registers() < 2)
    return;
  for (int call = 0; call < 20; ++call, wide.nextCall()) {
    agentic_on_own_stack(&leaveWideRegisters, &now);
    agentic_on_own_stack(&findWideRegisters, &now);
    int masks = 0;
    for (int i = 0; i < 8; ++i)
      masks += now.masks[i] == 0xffff;
    CHECK(masks < 4);
    for (int i = 0; i < 32; ++i)
      wide.see(now.vectors[i], i < 16 ? kWords : 8);
    for (int i = 0; i < 16; ++i)
      for (int word = kWords; word < 8; ++word)
        CHECK(now.vectors[i][word] == 0); // the others' cost nothing
  }
}
double seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
void cost() {
  double best = 1;
  int count = 0;
  for (int batch = 0; batch < 50; ++batch) {
    const double begin = seconds();
    for (int i = 0; i < 2000; ++i)
      onOwnStack([&] { ++count; });
    const double time = (seconds() - begin) / 2000;
    best = time < best ? time : best;
  }
  std::printf("%.1f ns per call\n", best * 1e9);
}
void ordinary() { // where it is switched off
  unsigned long inside = 0;
  onOwnStack([&] { inside = stackAddress(); });
  CHECK(isNear(inside, stackAddress()));
}

} // namespace

int main(int, char **arguments) {
  const struct {
    const char *name;
    void (*run)();
  } scenarios[] = {{"values", &values},
                   {"memo", &memo},
                   {"memo-deep", &memoDeep},
                   {"registers", &registers},
                   {"exceptions", &exceptions},
                   {"grows", &grows},
                   {"overflows", &overflows},
                   {"threads", &threads},
                   {"handler-before", &handlerBefore},
                   {"handler-after", &handlerAfter},
                   {"fault", &fault},
                   {"exits", &exitsInside},
                   {"timer", &timer},
                   {"lots", &lots},
                   {"cost", &cost},
                   {"ordinary", &ordinary}};
  for (const auto &scenario : scenarios)
    if (std::strcmp(scenario.name, arguments[1]) == 0) {
      scenario.run();
      return 0;
    }
  return 99;
}
