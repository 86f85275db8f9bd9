// The level table: one row per ISA level. Adding a level = one row here + its tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct Level {
  std::string_view name;       ///< as users write it: "x86-64-v3"
  std::string_view identifier; ///< as it stands in C++ names: "x86_64_v3"
  int rank;                    ///< higher is better within one processor
  std::string_view processor;  ///< regex for CMAKE_SYSTEM_PROCESSOR
  std::string_view guard;      ///< preprocessor condition under which a variant of this level may be compiled
  std::string_view features;   ///< comma-separated `target` string, accepted alike by clang and gcc
  std::string_view macros;     ///< space-separated level-feature macros that are defined on this level and those below
};

std::span<const Level> levels();
const Level *findLevel(std::string_view name);
std::vector<std::string> levelNames();

} // namespace agentic
