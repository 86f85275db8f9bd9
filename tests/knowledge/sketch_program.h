// One program that holds many sketches of one level, compares `before` with `after` of each, and is compiled and run by
// real compilers.
#pragma once

#include "tests/knowledge/pattern_text.h"
#include "tool/model/level.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic::test {

/// A translation unit: the includes of all sketches, each sketch in a namespace of its own, and the comparisons.
std::string programOf(const std::vector<PatternText> &patterns);

struct SketchCompiler {
  std::string name;                  ///< "clang++-19", "g++"
  std::vector<std::string> command;  ///< with the processor's own compiler where it is another one
  std::vector<std::string> emulator; ///< starts a program of another processor; empty: of this one
  bool canRun = true;                ///< otherwise the program is only compiled
  std::string whyNot;                ///< it is not run, or not even compiled
};

/// The compiler for a level (nullptr: any), or why there is none.
SketchCompiler sketchCompiler(const std::string &name, const Level *level);

struct SketchOutcome {
  bool isRight = false;
  bool hasRun = false;
  std::string output; ///< of the compiler or the program
};

SketchOutcome compileAndRun(const std::string &program, const SketchCompiler &compiler);

} // namespace agentic::test
