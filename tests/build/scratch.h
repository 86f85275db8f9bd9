// A folder of its own for each test, and helpers that the tests of this module share.
#pragma once

#include "tool/base/files.h"
#include "tool/base/process.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace agentic {

class ScratchTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = ScratchDirectory::create(testing::TempDir(), "agentic-build-");
    ASSERT_TRUE(made.has_value()) << made.error().message;
    scratch_ = std::move(*made);
  }
  std::string path(const std::string &name) const { return (scratch_->path() / name).string(); }
  std::string write(const std::string &name, const std::string &text) const {
    const auto written = writeFileAtomic(scratch_->path() / name, text);
    EXPECT_TRUE(written.has_value()) << written.error().message;
    return path(name);
  }
  /// Compiles `code` with `compiler` and returns the object's path; empty (and a failure) if it does not compile.
  std::string compile(const std::string &compiler, const std::string &code,
                      const std::vector<std::string> &flags = {"-O2"}) const {
    const std::string object = path("unit.o");
    ProcessSpec spec;
    spec.argv = {compiler};
    spec.argv.insert(spec.argv.end(), flags.begin(), flags.end());
    spec.timeoutSeconds = 300;
    spec.argv.insert(spec.argv.end(), {"-fPIC", "-w", "-c", write("unit.cpp", code), "-o", object});
    const auto result = runProcess(spec);
    if (!result || !result->ok()) {
      ADD_FAILURE() << compiler << ": " << (result ? result->err : result.error().message);
      return {};
    }
    return object;
  }

private:
  std::optional<ScratchDirectory> scratch_;
};

} // namespace agentic
