// The content of one add_agentic_kernel() call, written by CMake at generate time to
// <build>/_agentic/manifests/<kernel>-<config>.json. The file's field names are the member names here.
#pragma once

#include <string>
#include <vector>

namespace agentic {

struct ProgramTarget {
  std::string target; ///< CMake target
  std::string file;   ///< absolute path of the executable in that build tree; empty: `target` is the name of a test
                      ///< that add_test() registered
};

struct Manifest {
  int schema = 1;
  std::string kernel;
  std::string source;               ///< absolute
  std::string compiledSource;       ///< absolute: the dispatch unit if one replaces SOURCE, else SOURCE
  std::string function;             ///< as given; empty = the only marked function
  std::vector<std::string> targets; ///< the targets that compile SOURCE
  std::vector<ProgramTarget> tests;
  std::string testFilter;
  std::vector<std::string> testArgs;
  std::vector<std::string> testData; ///< absolute
  std::vector<ProgramTarget> benchmarks;
  std::string benchmarkFilter;
  std::vector<std::string> benchmarkArgs;
  std::vector<std::string> benchmarkMetric; ///< pattern and unit of what BENCHMARKS print; empty = Google Benchmark
  std::vector<std::string> endToEnd;        ///< command of the application, its programs by path; empty = none
  std::vector<std::string> endToEndMetric;  ///< pattern and unit of what it prints
  std::string endToEndDirectory;            ///< in which it runs
  std::vector<std::string> architectures;   ///< empty = the level of this machine
  std::vector<std::string> families;        ///< empty = the family of the compiler in use
  std::string variantDir;                   ///< absolute
  std::string dispatch = "RUNTIME";         ///< RUNTIME | STATIC
  std::vector<std::string> runner;
  std::string onStale = "BASELINE"; ///< BASELINE | ERROR
  std::string mode = "AUTO";
  std::string state;     ///< "active", "baseline", "stale: <reason>": what the build compiles now
  std::string config;    ///< build type; empty if none
  std::string sourceDir; ///< CMAKE_SOURCE_DIR
  std::string buildDir;  ///< CMAKE_BINARY_DIR
  std::string generator;
  std::string makeProgram;
  std::string cmakeCommand;
  std::string language = "CXX"; ///< of SOURCE, as CMake calls it: CXX or C
  std::string compiler;         ///< CMAKE_CXX_COMPILER; CMAKE_C_COMPILER if SOURCE is C
  std::string compilerId;       ///< Clang | GNU | AppleClang | …
  std::string compilerVersion;
  std::string processor; ///< CMAKE_SYSTEM_PROCESSOR
  std::string clang;     ///< Clang that FAMILIES tunes with besides `compiler`; empty: the newest found in PATH
  std::string gcc;
  std::vector<std::string> labels;   ///< the sets that it belongs to
  std::vector<std::string> licences; ///< of which code may be copied, beside the project's own: SPDX identifiers
  std::string agent = "builtin";
  std::string strategy = "linear"; ///< of agents that ask a model (search/ask_strategy.h)
  std::string memory = "project";  ///< ModelConfig::memory
  bool shorten = true;             ///< RunConfig::shorten
  double budgetUsd = 5;
  int maxIterations = 50;
  double maxSeconds = 0;      ///< 0 = the agent's default (builtin 180, models unlimited)
  double maxTotalSeconds = 0; ///< 0 = three times maxSeconds
};

} // namespace agentic
