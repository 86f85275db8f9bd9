// Works in spin() alone, in ways that a sampler must stand: threads, children, handlers and timers of its own.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <string_view>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

volatile sig_atomic_t ownTicks = 0;
volatile unsigned sink = 1;

/// An amount of CPU time, not of rounds: a tick of any length comes in it. The clock is asked seldom.
__attribute__((noinline)) void spin(double seconds = 0.15) {
  const std::clock_t end = std::clock() + std::clock_t(seconds * CLOCKS_PER_SEC);
  while (std::clock() < end)
    for (int i = 0; i < 1000000; ++i)
      sink = sink * 3 + 1;
}

void profilesItself() {
  struct sigaction action = {};
  action.sa_handler = [](int) { ownTicks = ownTicks + 1; };
  sigaction(SIGPROF, &action, nullptr);
  const itimerval period = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &period, nullptr);
  spin();
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view way = argc > 1 ? argv[1] : "plain";
  if (way == "plain") {
    spin();
  } else if (way == "threads") {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr); // threads inherit it
    std::thread([] { spin(); }).join();
  } else if (way == "fork") {
    if (const pid_t child = fork(); child == 0) {
      spin();
      _exit(0);
    } else {
      waitpid(child, nullptr, 0);
    }
  } else if (way == "exec") {
    spin();
    execl(argv[0], argv[0], "plain", nullptr);
  } else if (way == "abort") {
    spin();
    std::abort();
  } else if (way == "defaults") { // as daemons do
    for (int number = 1; number < NSIG; ++number)
      std::signal(number, SIG_DFL);
    spin();
  } else if (way == "takes") {
    spin();
    struct sigaction action = {};
    action.sa_handler = [](int) { std::abort(); };
    sigaction(SIGRTMAX - 4, &action, nullptr); // the sampler's
    spin();
  } else if (way == "loads") {
    void *library = dlopen(HOT_LIBRARY, RTLD_NOW);
    if (!library)
      return 5;
    reinterpret_cast<void (*)()>(dlsym(library, "spinInLibrary"))();
  } else if (way == "profiles") {
    profilesItself();
    return ownTicks > 0 ? 0 : 4;
  }
  return 0;
}
