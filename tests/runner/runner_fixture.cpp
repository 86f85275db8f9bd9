#include "tests/runner/runner_fixture.h"

namespace agentic::runner_test {
namespace {

template <class T> void append(std::string &text, const T &record) {
  text.append(reinterpret_cast<const char *>(&record), sizeof record);
}

void appendPadded(std::string &text, const std::string &payload) {
  text += payload;
  text.append((8 - payload.size() % 8) % 8, '\0');
}

/// Returns why the process failed; "" if it succeeded.
std::string mustRun(const ProcessSpec &spec) {
  const auto result = runProcess(spec);
  if (!result)
    return result.error().message;
  return result->ok() ? "" : result->describe() + "\n" + result->err;
}

std::string compile(const std::string &file, const std::string &compiler) {
  const fs::path object = scratch() / (file + "." + fs::path(compiler).filename().string() + ".so");
  ProcessSpec spec;
  spec.argv = {compiler,
               "-std=c++17",
               "-O2",
               "-w",
               "-fPIC",
               "-shared",
               std::string("-I") + AGENTIC_REPOSITORY,
               std::string(AGENTIC_TEST_DATA) + "/data/" + file + ".cpp",
               "-o",
               object.string()};
  const std::string problem = mustRun(spec);
  EXPECT_EQ(problem, "");
  return object.string();
}

void readResult(const std::string &text, Outcome &outcome) {
  std::size_t at = sizeof(wire::FileHeader);
  if (text.size() < at || text.compare(0, 8, wire::kResultMagic) != 0)
    return;
  while (text.size() - at >= sizeof(wire::StepResult)) {
    Record record;
    std::memcpy(&record.result, text.data() + at, sizeof record.result);
    at += sizeof record.result;
    if (record.result.status == wire::StepStatus::End) {
      outcome.end = record.result;
      EXPECT_EQ(at, text.size()) << "something follows the end";
      return;
    }
    ASSERT_LE(record.result.bytes, text.size() - at);
    record.payload = text.substr(at, record.result.bytes);
    at += record.result.bytes;
    EXPECT_EQ(record.result.step, outcome.steps.size());
    outcome.steps.push_back(std::move(record));
  }
  EXPECT_EQ(at, text.size()) << "the result ends within a record";
}

} // namespace

std::uint64_t PlanBuilder::addCall(const std::vector<Argument> &arguments) {
  std::string body;
  for (const Argument &argument : arguments) {
    wire::Argument header;
    header.role = argument.role;
    header.address = argument.address;
    header.bytes = argument.payload.size();
    append(body, header);
    appendPadded(body, argument.payload);
  }
  wire::Call call;
  call.argumentCount = static_cast<std::uint32_t>(arguments.size());
  call.bytes = body.size();
  std::string text;
  append(text, call);
  calls_.push_back(text + body);
  return calls_.size() - 1;
}

wire::Step &PlanBuilder::addStep(wire::Step step, const std::vector<Patch> &patches) {
  if (step.call == 0)
    step.call = calls_.size() - 1;
  step.patchCount = static_cast<std::uint32_t>(patches.size());
  std::string text;
  for (const Patch &patch : patches) {
    append(text, wire::Patch{patch.argument, patch.offset, patch.bytes.size()});
    appendPadded(text, patch.bytes);
  }
  return steps_.emplace_back(step, text).first;
}

std::string PlanBuilder::text() const {
  wire::FileHeader file = {};
  std::memcpy(file.magic, wire::kPlanMagic, sizeof file.magic);
  file.count = steps_.size();
  wire::PlanHeader plan = header;
  plan.callCount = calls_.size();
  std::string text;
  append(text, file);
  append(text, plan);
  for (const std::string &call : calls_)
    text += call;
  for (const auto &[step, patches] : steps_) {
    append(text, step);
    text += patches;
  }
  return text;
}

std::vector<Argument> mapCall(long n, std::uint64_t x, std::uint64_t y) {
  std::vector<float> in, out;
  for (long i = 1; i <= n; ++i) {
    in.push_back(static_cast<float>(i));
    out.push_back(static_cast<float>(-i));
  }
  return {{wire::Role::In, bytesOf(in), x}, {wire::Role::Out, bytesOf(out), y}, value(n)};
}

std::vector<float> Outcome::floats(std::size_t step) const {
  return step < steps.size() ? elementsOf<float>(steps[step].payload) : std::vector<float>();
}

std::uint32_t Outcome::disturbances(std::size_t step) const {
  return step < steps.size() ? steps[step].result.disturbances : ~0u;
}

const fs::path &scratch() {
  static const auto directory = ScratchDirectory::create(fs::temp_directory_path(), "runner-test-");
  return directory->path();
}

const std::string &compiled(const std::string &file, const std::string &compiler) {
  static std::map<std::pair<std::string, std::string>, std::string> objects;
  std::string &object = objects[{file, compiler}];
  if (object.empty())
    object = compile(file, compiler);
  return object;
}

Outcome runText(const std::string &kernel, const std::string &plan, const std::string &compiler) {
  Outcome outcome;
  const fs::path planFile = scratch() / "plan", resultFile = scratch() / "result";
  fs::remove(resultFile);
  EXPECT_TRUE(writeFileAtomic(planFile, plan));
  ProcessSpec spec;
  spec.argv = {AGENTIC_TEST_RUNNER, compiled("glue", compiler), compiled("kernels", compiler), kernel,
               planFile.string(),   resultFile.string()};
  spec.timeoutSeconds = 300; // for a kernel that never ends
  spec.limits.addressSpaceBytes = 1ull << 30;
  auto process = runProcess(spec);
  EXPECT_TRUE(process);
  outcome.process = *process;
  if (const auto text = readFile(resultFile))
    readResult(*text, outcome);
  return outcome;
}

Outcome runOnce(const std::string &kernel, const std::vector<Argument> &call, wire::Step step,
                const std::string &compiler) {
  PlanBuilder plan;
  plan.addCall(call);
  plan.addStep(step);
  return run(kernel, plan, compiler);
}

} // namespace agentic::runner_test
