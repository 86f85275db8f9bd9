// Random numbers of the system: a program under audit can neither foretell nor repeat them.
#pragma once

#include <cstdint>
#include <ctime>
#include <sys/random.h>

namespace agentic::recorder {

inline std::uint64_t randomWord() {
  std::uint64_t word = 0;
  if (::getrandom(&word, sizeof word, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof word)) {
    struct timespec now{}; // a young machine: nobody waits for it
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    word = static_cast<std::uint64_t>(now.tv_nsec) * 0x9e3779b97f4a7c15u ^ reinterpret_cast<std::uintptr_t>(&word);
  }
  return word;
}

} // namespace agentic::recorder
