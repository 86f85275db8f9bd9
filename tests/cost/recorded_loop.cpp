#include "tests/cost/recorded_loop.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/llm/cassette.h"
#include "tool/llm/chat_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

namespace agentic::cost {
namespace {

const fs::path kKernel = fs::path(AGENTIC_REPOSITORY) / "kernels" / "binary_gemm";

template <class T> T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message + "\n" + result.error().next);
  return std::move(*result);
}

/// Returns a checked-in variant's own text.
std::string variantText(const std::string &family) {
  const std::string text = must(readFile(kKernel / "generated" / ("binary_gemm.x86-64-v4." + family + ".cpp")));
  const std::size_t guard = text.find("\n#if defined("), begin = text.find('\n', guard + 1);
  if (guard == std::string::npos || begin == std::string::npos)
    throw std::runtime_error("the checked-in variant of binary_gemm for " + family + " has another form");
  return replaceAll(text.substr(begin + 1), "agentic_kernel_binary_gemm__x86_64_v4__" + family, "matmul");
}

/// Changes every constant of its own text, so that no two candidates are the same.
std::string candidateText(int index) {
  std::string text = variantText(index % 2 == 0 ? "clang" : "gcc");
  const std::string mark = index % 2 == 0 ? "kDepth = 64;" : "kBlockJ = 32;";
  const std::string changed = replaceAll(text, mark, fmt::format("{}= {};", mark.substr(0, mark.find('=')), 8 + index));
  if (changed == text)
    throw std::runtime_error("the checked-in variant of binary_gemm has no " + mark);
  return changed;
}

constexpr const char *kProse =
    "The best so far spends most of its time in the loop over p: each step loads one word of B, spreads its bits over "
    "a register and adds or subtracts one element of A. The number of additions is what the next file lowers.\n\n"
    "What I change:\n\n"
    "- sums of four rows at a time come from a table, so that one look-up replaces four additions;\n"
    "- {} rows of A share the bits of one word of B, which are then shifted once for all of them;\n"
    "- the depth of a block is {}, so that its tables stay in the first-level cache next to the sums.\n\n"
    "K is a multiple of 32, which the contract says, so there is no remainder in j. M need not be a multiple of the "
    "rows in a block: what is left over goes through the same code with one row. The order of additions changes "
    "within a group of four, which the tolerance allows.\n\n";

constexpr const char *kCompilerSays =
    "{0}.cpp:41:26: error: no matching function for call to 'makeTables'\n"
    "{0}.cpp:21:20: note: candidate function not viable: requires 3 arguments, but 4 were provided\n"
    "{0}.cpp:58:9: error: use of undeclared identifier 'kRowsOfTables'; did you mean 'kRowsOfTable'?\n"
    "{0}.cpp:12:23: note: 'kRowsOfTable' declared here\n"
    "{0}.cpp:63:31: error: cannot initialize a variable of type '__m512i' with an rvalue of type '__m512' (vector of "
    "16 'float' values)\n"
    "{0}.cpp:77:5: error: static assertion failed due to requirement 'kDepth % 32 == 0'\n"
    "{0}.cpp:77:26: note: expression evaluates to '{1} == 0'\n";

Measurement measurementOf(double ratio, Comparison comparison) {
  Measurement measurement{.comparison = comparison,
                          .speedup = {ratio, ratio * 0.98, ratio * 1.02, true},
                          .referenceNs = 437.5e6,
                          .candidateNs = 437.5e6 / ratio};
  for (const char *name : {"BM_Matmul/64/1024", "BM_Matmul/7/4096"}) {
    BenchmarkMeasurement &one = measurement.benchmarks.emplace_back();
    one = {name, comparison, measurement.speedup, measurement.referenceNs, measurement.candidateNs, {}};
    for (int pair = 0; pair < 12; ++pair)
      one.pairs.push_back({Repetitions(5, one.referenceNs + 1000.25 * pair), Repetitions(5, one.candidateNs + pair)});
  }
  return measurement;
}

Evaluation rejected(Stage stage, std::string detail) {
  Evaluation evaluation;
  evaluation.stage = stage;
  evaluation.detail = std::move(detail);
  return evaluation;
}

/// A fifth leads, two fifths are rejected, each for another reason; the others are correct and slower.
Evaluation verdictOn(const Candidate &candidate, int index) {
  if (index % 10 == 1)
    return rejected(Stage::Compile, fmt::format(kCompilerSays, candidate.id, index));
  if (index % 10 == 4)
    return rejected(Stage::Test, "Shapes/Matmul.IsTheSum/M7_K96: 672 failed assertions, largest difference 3.5\n"
                                 "Shapes/Matmul.IsTheSum/M1_K32: 32 failed assertions, largest difference 1.25\n");
  if (index % 10 == 7)
    return rejected(Stage::Differential, "call 17 of 41 (M = 7, K = 4096): C differs from the baseline's at 28672 "
                                         "places, first at index 0, by up to 0.75 (allowed: 0.01)\n");
  Evaluation evaluation;
  evaluation.stage = Stage::Benchmark;
  if (index % 10 == 9) {
    evaluation.stage = Stage::Check;
    evaluation.findings = {{"state-outlives-call", candidate.id + ".cpp", 14, 1,
                            "static variable 'tables' keeps values between calls; use a local array of at most 64 KiB"},
                           {"unknown-pragma-or-attribute", candidate.id + ".cpp", 31, 1,
                            "'#pragma unroll_all' has no meaning; remove it"}};
    return evaluation;
  }
  const bool leads = index % 5 == 0;
  evaluation.verdict = leads ? Verdict::Accepted : Verdict::NotFaster;
  const double ratio = 2 + index * 2.25;
  evaluation.againstIncumbent = measurementOf(leads ? 1.25 : 0.875, leads ? Comparison::Faster : Comparison::Slower);
  if (leads)
    evaluation.measurement = measurementOf(ratio, Comparison::Faster);
  return evaluation;
}

class FixedEvaluator : public Evaluator {
public:
  explicit FixedEvaluator(const LoopSettings &settings) : settings_(settings) {
    compiler_.family = Family::Clang;
    spec_.kernel = "binary_gemm";
    spec_.function = "bmm::matmul";
    spec_.identifier = "matmul";
    spec_.signature = "void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K)";
    spec_.text = must(readFile(kKernel / "binary_gemm.cpp"));
    calibration_.baselineNs = 437.5e6;
    calibration_.observed = {{"K", {1024, 4096}}, {"M", {7, 64}}};
  }
  const Manifest &manifest() const override { return manifest_; }
  const KernelSpec &spec() const override { return spec_; }
  const Level &level() const override { return *findLevel("x86-64-v4"); }
  const Compiler &compiler() const override { return compiler_; }
  const Calibration &calibration() const override { return calibration_; }
  const std::vector<std::string> &compileFlags() const override { return flags_; }
  const std::vector<StageTime> &preparationTimes() const override { return times_; }
  std::string costEstimate() const override { return {}; }
  Result<void> recheckInputs() override { return {}; }
  Result<Adequacy> adequacy(const AdequacyRequest &) override { return Adequacy{}; }
  StageFacts stageFacts() const override { return {}; }
  Result<std::string> replayShipped(const std::string &, const CompileCommand &) override { return std::string(); }
  Result<Evaluation> inspect(const Candidate &) override { return Evaluation{}; }
  Result<Evaluation> examine(const Candidate &) override { return Evaluation{}; }
  Result<Evaluation> duel(const Candidate &, const Candidate &) override { return Evaluation{}; }

  Result<Evaluation> evaluate(const Candidate &candidate, const Candidate *, double) override {
    if (settings_.stageBegins)
      settings_.stageBegins();
    Evaluation evaluation = verdictOn(candidate, next_++);
    evaluation.kernel = spec_.kernel;
    evaluation.candidate = candidate.id;
    if (settings_.verdictIs)
      settings_.verdictIs();
    return evaluation;
  }

  Result<Evaluation> confirm(const Candidate &candidate, int) override {
    Evaluation evaluation;
    evaluation.candidate = candidate.id;
    evaluation.verdict = Verdict::Accepted;
    evaluation.stage = Stage::Confirm;
    evaluation.measurement = measurementOf(113.5, Comparison::Faster);
    return evaluation;
  }

private:
  const LoopSettings &settings_;
  int next_ = 0;
  Manifest manifest_;
  KernelSpec spec_;
  Compiler compiler_;
  Calibration calibration_;
  std::vector<std::string> flags_;
  std::vector<StageTime> times_;
};

class ReplyModel : public ChatModel {
public:
  const std::string &name() const override { return name_; }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *) override { return ModelFacts{}; }
  std::string requestBody(const ChatRequest &request) const override { return dumpLine(requestJson(request)); }
  ChatResult<ChatReply> complete(const ChatRequest &, const std::atomic<bool> *,
                                 const std::function<void(std::string_view)> &) override {
    if (next_ >= kTries)
      return std::unexpected(ChatError{ChatErrorKind::Missing, "all replies were given", "", std::nullopt, false});
    ChatReply reply;
    reply.message.role = ChatRole::Assistant;
    reply.message.text = replyText(next_++);
    return reply;
  }

private:
  std::string name_ = "replies";
  int next_ = 0;
};

/// Passes everything on, and counts the requests.
class CountingModel : public ChatModel {
public:
  CountingModel(std::unique_ptr<ChatModel> model, Sent &sent) : model_(std::move(model)), sent_(sent) {}
  const std::string &name() const override { return model_->name(); }
  ChatResult<ModelFacts> discover(const std::atomic<bool> *cancelled) override { return model_->discover(cancelled); }
  std::string requestBody(const ChatRequest &request) const override { return model_->requestBody(request); }
  ChatResult<ChatReply> complete(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                 const std::function<void(std::string_view)> &onText) override {
    std::size_t tokens = 0;
    for (const ChatMessage &message : request.messages)
      tokens += tokenCount(message.text);
    sent_.tokens.push_back(tokens);
    sent_.bytes.push_back(model_->requestBody(request).size());
    return model_->complete(request, cancelled, onText);
  }

private:
  std::unique_ptr<ChatModel> model_;
  Sent &sent_;
};

enum class Kind { Word, Number, Space, Other };

Kind kindOf(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) || byte >= 0x80 ? Kind::Word
         : std::isdigit(byte)               ? Kind::Number
         : std::isspace(byte)               ? Kind::Space
                                            : Kind::Other;
}

} // namespace

std::string replyText(int index) {
  return fmt::format("Idea {}: tables of sums for groups of four rows, with blocks of {}.\n\n", index + 1, 8 + index) +
         fmt::format(fmt::runtime(kProse), 4 + index % 8, 8 + index) +
         fmt::format("```cpp tables_{}.cpp\n", index + 1) + candidateText(index) + "```\n";
}

std::unique_ptr<ChatModel> modelOfReplies() {
  return std::make_unique<ReplyModel>();
}

std::size_t tokenCount(std::string_view text) {
  constexpr std::size_t kMostDigits = 3;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    if (text[i] == ' ' && i + 1 < text.size() && kindOf(text[i + 1]) != Kind::Space)
      ++i; // the space before a word belongs to it
    const std::size_t begin = i;
    const Kind kind = kindOf(text[i++]);
    while (i < text.size() && kindOf(text[i]) == kind && (kind != Kind::Number || i - begin < kMostDigits))
      ++i;
  }
  return count;
}

static RecordAnswer recordTo(const std::string &file) {
  auto recorder = std::make_shared<Recorder>(must(Recorder::open(file, "some:model", {})));
  return [recorder](const ChatRequest &request, const ChatResult<ChatReply> &answer) {
    if (const auto added = recorder->add(request, answer); !added)
      throw std::runtime_error(added.error().message);
  };
}

LoopRun runLoopWith(std::unique_ptr<ChatModel> model, const LoopSettings &settings) {
  LoopRun run;
  RunRequest request;
  request.config.agent = model->name();
  request.config.maxIterations = kTries;
  request.config.maxSeconds = 0;
  request.config.model.history = settings.history;
  request.config.model.budgetUsd = 0;
  const RunIdentity identity{"binary_gemm", "x86-64-v4", "clang", "kernel", "flags", "compiler", ""};
  Journal journal = must(Journal::create(settings.folder, identity, request.config));
  AgentSettings agentSettings{.name = "command:replies",
                              .model = std::make_unique<CountingModel>(std::move(model), run.sent)};
  agentSettings.llm.label = "some:model";
  agentSettings.llm.config = request.config.model;
  agentSettings.llm.runDirectory = journal.directory();
  agentSettings.llm.machine = {"some CPU", {{"L1", 48 << 10}, {"L2", 2 << 20}}, "clang 19.1.7", "-O3 -march=native"};
  agentSettings.llm.prices = pricesOf(ModelFacts{.isLocal = true});
  agentSettings.llm.isLocal = true;
  agentSettings.llm.energy = {.packages = {}, .gpus = {}};
  if (!settings.recording.empty())
    agentSettings.llm.record = recordTo(settings.recording);
  const std::unique_ptr<Agent> agent = must(makeAgent(std::move(agentSettings)));
  FixedEvaluator evaluator(settings);
  run.outcome = must(runLoop(evaluator, *agent, journal, request, {}));
  return run;
}

} // namespace agentic::cost
