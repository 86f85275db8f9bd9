// Plans made by hand, run by the real runner on kernels that real compilers have compiled.
#pragma once

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/runner/wire.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace agentic::runner_test {

struct Argument {
  wire::Role role = wire::Role::Value;
  std::string payload;
  std::uint64_t address = 0;
};

template <class T> std::string bytesOf(const std::vector<T> &elements) {
  return {reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(T)};
}
template <class T> std::vector<T> elementsOf(std::string_view bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
  return elements;
}
template <class T> Argument value(T number) {
  return {wire::Role::Value, bytesOf(std::vector<T>{number})};
}

struct Patch {
  std::uint64_t argument, offset;
  std::string bytes;
};

class PlanBuilder {
public:
  wire::PlanHeader header;

  /// Adds a call, and returns its index.
  std::uint64_t addCall(const std::vector<Argument> &arguments);
  /// Adds a step of the call that was added last, if the step names none.
  wire::Step &addStep(wire::Step step = {}, const std::vector<Patch> &patches = {});
  std::string text() const;

private:
  std::vector<std::string> calls_;
  std::vector<std::pair<wire::Step, std::string>> steps_;
};

/// Makes a call of a `Map` kernel: x = 1, 2, …, n; y = -1, -2, …
std::vector<Argument> mapCall(long n, std::uint64_t x = 0, std::uint64_t y = 0);

struct Record {
  wire::StepResult result;
  std::string payload;
};

struct Outcome {
  ProcessResult process;
  std::vector<Record> steps; ///< without the end
  std::optional<wire::StepResult> end;

  /// Returns the first step's payload as floats.
  std::vector<float> floats(std::size_t step = 0) const;
  std::uint32_t disturbances(std::size_t step = 0) const;
};

/// Returns `compiler`'s object of tests/runner/data/<file>.cpp; compiled once per process.
const std::string &compiled(const std::string &file, const std::string &compiler);

/// The folder of this process's plans and results.
const fs::path &scratch();

Outcome runText(const std::string &kernel, const std::string &plan, const std::string &compiler = AGENTIC_TEST_CLANG);
inline Outcome run(const std::string &kernel, const PlanBuilder &plan,
                   const std::string &compiler = AGENTIC_TEST_CLANG) {
  return runText(kernel, plan.text(), compiler);
}
/// Runs one step.
Outcome runOnce(const std::string &kernel, const std::vector<Argument> &call, wire::Step step = {},
                const std::string &compiler = AGENTIC_TEST_CLANG);

} // namespace agentic::runner_test
