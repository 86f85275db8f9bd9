// Shared by the tests of the stages: a context with the real sandbox, and the programs built beside them.
#pragma once

#include "tool/base/files.h"
#include "tool/evaluate/programs/program_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace agentic {

class StageTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create("/tmp", "agentic-stage-");
    ASSERT_TRUE(scratch) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    context_.kernel = "square";
    context_.sandbox = &sandbox_;
    context_.view.readOnly = {EVALUATE_PROGRAMS, EVALUATE_BIN};
    context_.scratchDirectory = scratch_->path().string() + "/runs";
  }

  static std::string library(const std::string &kind) {
    return std::string(EVALUATE_PROGRAMS) + "/square_" + kind + ".so";
  }
  static std::vector<TestProgram> program(const std::string &name) {
    TestProgram result;
    result.target = name;
    result.file = std::string(EVALUATE_BIN) + "/" + name;
    result.workingDirectory = EVALUATE_BIN;
    return {result};
  }

  Sandbox sandbox_ = Sandbox::probe();
  std::optional<ScratchDirectory> scratch_;
  RunContext context_;
};

} // namespace agentic
