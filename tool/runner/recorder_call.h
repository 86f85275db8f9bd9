// A call through the glue: makes it, times it, and computes the shape that distinguishes it from others.
#pragma once

#include "tool/runner/glue_abi.h"
#include "tool/runner/wire.h"

#include <cstdint>
#include <ctime>

namespace agentic::recorder {

inline void callThrough(const agentic_glue *glue, void *function, void *const *arguments, void *result) {
  (glue->invoke ? glue->invoke : glue->forward)(function, arguments, result);
}

inline double secondsNow() {
  struct timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Hashes the numbers in an object whose members are unknown; leaves out values that look like addresses.
inline std::uint64_t numbersIn(const void *object, std::uint64_t bytes) {
  constexpr std::uint64_t kMostBytes = 256, kLeastAddress = std::uint64_t{1} << 40,
                          kMostAddress = std::uint64_t{1} << 47;
  std::uint64_t hash = bytes;
  for (std::uint64_t at = 0; at + 8 <= bytes && at < kMostBytes; at += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, static_cast<const unsigned char *>(object) + at, sizeof word);
    if (word < kLeastAddress || word >= kMostAddress)
      hash = (hash ^ word) * 0x9e3779b97f4a7c15u ^ hash >> 29;
  }
  return hash;
}

/// Hashes everything that a call's cost and course usually depend on.
inline std::uint64_t shapeOf(const agentic_glue *glue, void *const *arguments) {
  std::uint64_t hash = 1;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15u ^ hash >> 29; };
  for (unsigned i = 0; i < glue->parameterCount; ++i) {
    const agentic_parameter &parameter = glue->parameters[i];
    if (parameter.kind == AGENTIC_SCALAR && parameter.element != AGENTIC_FLOATING)
      add(wire::hashBytes(arguments[i], parameter.size));
    if (parameter.kind == AGENTIC_POINTER)
      add(*static_cast<void *const *>(arguments[i]) == nullptr ? 0
          : parameter.extent                                   ? static_cast<std::uint64_t>(parameter.extent(arguments))
                                                               : 1);
    if (parameter.kind == AGENTIC_RANGE) {
      const void *elements = nullptr;
      unsigned long count = 0;
      parameter.view(arguments[i], &elements, &count);
      add(count);
    }
    if (parameter.kind == AGENTIC_OPAQUE || parameter.kind == AGENTIC_OBJECT)
      add(numbersIn(arguments[i], parameter.size));
  }
  return hash;
}

} // namespace agentic::recorder
