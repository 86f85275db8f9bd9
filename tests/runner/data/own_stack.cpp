// A program that calls functions on a stack of their own; its argument says what else it does.
#include "tool/runner/own_stack.h"
#include "tests/runner/data/registers.h"

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
/// Their place, and where in its page a stack begins, are random: never the same distance twice.
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

/// Checks that no call finds in a register what an earlier one left in all, and that most find new values there.
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
