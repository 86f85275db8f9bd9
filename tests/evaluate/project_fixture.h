// A consumer project of these tests, configured by a real CMake.
#pragma once

#include "tests/known_compilers.h"
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/evaluate/pipeline/evaluator.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace agentic {

/// A copy of tests/evaluate/<folder> in a folder of its own.
class Project {
public:
  explicit Project(const std::string &folder, const std::vector<std::string> &options = {}) : scratch_(makeScratch()) {
    fs::copy(std::string(AGENTIC_TEST_DATA) + "/" + folder, source());
    ProcessSpec spec;
    spec.argv = {"cmake",
                 "-G",
                 "Ninja",
                 "-S",
                 source(),
                 "-B",
                 build(),
                 "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_CXX_COMPILER=" EVALUATE_COMPILER,
                 "-DAGENTIC_KERNEL_MODULE=" EVALUATE_MODULE,
                 "-DAGENTIC_KERNEL_TOOL=OFF"};
    spec.argv.insert(spec.argv.end(), options.begin(), options.end());
    test::knownCompilers().seed(spec.argv, build());
    Result<ProcessResult> configured = runProcess(spec);
    EXPECT_TRUE(configured && configured->ok()) << (configured ? configured->out + configured->err : "");
    test::knownCompilers().learn(spec.argv, build());
  }
  std::string source() const { return (scratch_.path() / "source").string(); }
  std::string build() const { return (scratch_.path() / "build").string(); }
  Result<std::unique_ptr<Evaluator>> open(const std::string &kernel) const {
    EvaluatorOptions options;
    options.buildDir = build();
    options.kernel = kernel;
    return Evaluator::open(options);
  }

private:
  static ScratchDirectory makeScratch() {
    return std::move(ScratchDirectory::create("/tmp", "agentic-evaluator-").value());
  }
  ScratchDirectory scratch_;
};

} // namespace agentic
