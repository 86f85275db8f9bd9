// The level table: one row for each ISA level. Adding a level = one row here + its tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct Level {
  std::string_view name;       ///< as users write it: "x86-64-v3"
  std::string_view identifier; ///< as C++ names contain it: "x86_64_v3"
  int rank;                    ///< higher is better within one processor
  std::string_view processor;  ///< regex for CMAKE_SYSTEM_PROCESSOR
  std::string_view guard;      ///< preprocessor condition under which a variant of this level may be compiled
  std::string_view features;   ///< comma-separated; the dispatcher's probe asks the CPU for them (source/emit_cpu.cpp)
  std::string_view target;     ///< argument of `__attribute__((target("…")))`, accepted alike by clang and gcc
  std::string_view macros;     ///< space-separated level-feature macros that are defined on this level and those below
  bool onRequest = false;      ///< never a default: only if ARCHITECTURES or --level names it
};

std::span<const Level> levels();
const Level *findLevel(std::string_view name);
std::vector<std::string> levelNames();

/// Returns the levels that programs for a CMAKE_SYSTEM_PROCESSOR can hold, in the table's order: lowest first.
std::vector<const Level *> levelsOf(std::string_view processor);

} // namespace agentic
