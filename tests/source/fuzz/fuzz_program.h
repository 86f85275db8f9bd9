// Programs that run random kernels and their transformed versions on the same inputs, under UBSan.
#pragma once

#include "tests/source/fuzz/maker.h"
#include "tool/source/transform/transform.h"

#include <string>
#include <vector>

namespace agentic::fuzz {

/// Variants are made for this level, or for none: programs are compiled for it, and run here.
#ifdef __x86_64__
constexpr const char *kLevel = "x86-64-v2";
#else
constexpr const char *kLevel = "";
#endif

struct Variant {
  Recipe recipe;
  std::string text;
};

struct Subject {
  unsigned seed = 0;
  Kernel kernel;
  std::vector<Variant> variants;
};

/// A variant that does not compile, does something undefined that the original does not do, or computes something else.
struct Finding {
  std::size_t subject = 0, variant = 0;
  std::string what;
};

struct Outcome {
  std::vector<Finding> findings;
  int compared = 0;       ///< pairs of runs
  int undefined = 0;      ///< originals that are undefined for some of the inputs, which were not compared
  std::string error = {}; ///< why the program could not be run at all
};

/// Compiles and runs one program; some 0.05 s for each variant. Thread-safe.
Outcome runProgram(const std::vector<Subject> &subjects);

} // namespace agentic::fuzz
