#include "tool/evaluate/insight/candidate_insight.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/code_hash.h"
#include "tool/build/elf.h"
#include "tool/build/instructions.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/insight/classification.h"
#include "tool/evaluate/insight/counters.h"
#include "tool/evaluate/insight/hot_loop.h"
#include "tool/evaluate/insight/instruction_mix.h"
#include "tool/evaluate/insight/limits.h"
#include "tool/evaluate/insight/mca.h"
#include "tool/evaluate/insight/missed_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <elf.h>

namespace agentic {
namespace {

constexpr std::size_t kMostRemarks = 12, kMostLoopLines = 120;
constexpr double kNearTheFloor = 20; // a physical floor that is further away bounds nothing

class Maker {
public:
  Maker(const InsightContext &context, const Candidate &candidate, const InsightRequest &request)
      : context_(context), candidate_(candidate), request_(request) {}
  Result<Insight> make();

private:
  Result<void> compile(const std::string &directory);
  Result<void> readObject();
  Result<void> runBenchmarks();
  void remarks();
  void loop();
  void mix();
  void mca();
  void counters();
  Result<void> roofline();
  void limits();
  void add(std::string title, std::string text, std::string note) {
    insight_.sections.push_back({std::move(title), std::move(text), std::move(note)});
  }

  const InsightContext &context_;
  const Candidate &candidate_;
  const InsightRequest &request_;
  CandidateUnit unit_;
  std::string unitFile_, objectFile_, diagnostics_;
  std::string disassembly_; ///< hot_ has views of it
  std::uint16_t machine_ = 0;
  std::size_t codeBytes_ = 0;
  HotLoop hot_;
  InstructionMix mix_;
  std::string mca_, notVectorized_, headroom_;
  Classification classification_;
  Counters counters_;
  CallWork work_;
  std::string runProblem_;
  Insight insight_;
};

Result<void> Maker::compile(const std::string &directory) {
  unit_ = buildCandidateUnit({*context_.build.spec, *context_.build.level, context_.build.compiler->family,
                              candidate_.id + fileEnding(context_.build.spec->language)},
                             candidate_.text);
  if (!unit_.findings.empty())
    return userError("candidate " + candidate_.id + " breaks a rule: " + unit_.findings.front().message,
                     "'agentic-kernel check' lists all of its findings");
  unitFile_ = directory + "/unit" + fileEnding(context_.build.spec->language);
  objectFile_ = directory + "/unit.o";
  TRY(writeFileAtomic(unitFile_, unit_.text));
  CompileRequest request = candidateCompile(context_.build, unitFile_, objectFile_, context_.build.cancelled);
  if (request_.wants("remarks"))
    for (const std::string &option : missedOptions(context_.build.compiler->family))
      request.more.push_back(option);
  auto compiled = TRY(compileUnit(request));
  if (!compiled.ok)
    return userError("candidate " + candidate_.id + " does not compile",
                     "'agentic-kernel evaluate' shows the compiler's diagnostics");
  diagnostics_ = std::move(compiled.diagnostics);
  return {};
}

Result<void> Maker::readObject() {
  auto file = TRY(readElf(objectFile_));
  machine_ = file.machine;
  codeBytes_ = codeBytes(file);
  disassembly_ = TRY(disassemble(objectFile_, machine_));
  hot_ = hotLoopOf(parseDisassembly(disassembly_), unit_.symbol);
  mix_ = mixOf(hot_.lines);
  insight_.figures.codeBytes = codeBytes_;
  if (machine_ == EM_X86_64)
    insight_.figures = {codeBytes_, mix_.instructions, mix_.widestVector, mix_.branches, mix_.bytes, mix_.flops};
  return {};
}

/// Runs one process with events of its own; the roofline uses its times.
Result<void> Maker::runBenchmarks() {
  const std::string shared = fs::path(objectFile_).parent_path().string() + "/candidate.so";
  auto linked = TRY(linkCandidateObject(context_.build, objectFile_, unit_.symbol, shared));
  if (!linked.ok) {
    runProblem_ = "its shared object does not link";
    return {};
  }
  if (context_.benchmarks.empty()) {
    runProblem_ = "there is no benchmark";
    return {};
  }
  BenchmarkProcessRequest request{
      .program = &context_.benchmarks.front(), .filter = context_.filter, .sharedObject = shared, .timeoutSeconds = 30};
  if (!context_.facts.empty()) {
    request.minTimeSuffix = context_.facts.front().minTimeSuffix;
    request.filter = filterFor(context_.facts.front(), context_.filter);
    request.byWallTime = context_.facts.front().byWallTime;
  }
  const LockFile lock = TRY(lockMeasuring({}, context_.run.cancelled));
  const auto kernel = linuxCounters();
  CounterSet set(*kernel);
  auto run = runBenchmark(context_.run, request);
  counters_ = set.take();
  if (!run)
    return std::unexpected(run.error());
  if (!*run) {
    runProblem_ = "its benchmark " + run->error().reason;
    return {};
  }
  for (const auto &[name, series] : (*run)->report)
    if (!series.cpuNs.empty())
      if (const double ns = *std::ranges::min_element(series.cpuNs); ns > work_.ns)
        work_ = {name, ns, series.bytesPerIteration, series.operationsPerIteration};
  return {};
}

void Maker::remarks() {
  std::vector<std::size_t> lines{0};
  for (std::size_t at = unit_.text.find('\n'); at != std::string::npos; at = unit_.text.find('\n', at + 1))
    lines.push_back(at + 1);
  const OwnLine own = [&](unsigned line, unsigned column) {
    if (line == 0 || line > lines.size())
      return 0u;
    return candidatePosition(unit_, lines[line - 1] + (column ? column - 1 : 0)).line;
  };
  const auto missed = missedLoops(diagnostics_, context_.build.compiler->family, unitFile_, own, kMostRemarks);
  const auto said = std::ranges::find_if(
      missed, [](const MissedLoop &loop) { return !loop.reason.starts_with("loop not vectorized"); });
  if (said != missed.end())
    notVectorized_ = said->reason;
  add("Loops that are not vectorized", missedText(missed),
      missed.empty() ? "the compiler reports none" : "lines of the kernel's own text; the compiler's words");
}

void Maker::loop() {
  if (hot_.lines.empty())
    return add("Hot loop", "", "there is no loop in the object code");
  add("Hot loop", annotatedLoop(hot_, kMostLoopLines),
      fmt::format("of {}, {} loop{} around it; chosen by structure, not by measurement", hot_.function, hot_.depth,
                  hot_.depth == 1 ? "" : "s"));
}

void Maker::mix() {
  const std::string size = fmt::format("code and constants: {} bytes\n", codeBytes_);
  if (machine_ != EM_X86_64)
    return add("Instruction mix", size, "instructions are told apart on x86-64 alone");
  add("Instruction mix", (hot_.lines.empty() ? "" : mixText(mix_)) + size,
      hot_.lines.empty() ? "there is no loop in the object code" : "of the hot loop, as it is written");
}

void Maker::mca() {
  const McaEstimate result = machine_ == EM_X86_64 ? estimate(hot_, context_.build.level->name)
                                                   : McaEstimate{{}, "llvm-mca is asked on x86-64 alone"};
  mca_ = result.text;
  add("llvm-mca", result.text,
      result.text.empty() ? result.reason
                          : "an estimate for " + mcaProcessor(context_.build.level->name) +
                                ", all data in the nearest cache: it was 3.4 times off in one measured case");
}

void Maker::counters() {
  if (!runProblem_.empty())
    return add("Hardware counters", "", runProblem_);
  add("Hardware counters", countersText(counters_),
      "of one whole benchmark process, its start and the sandbox's included");
}

Result<void> Maker::roofline() {
  auto machine = measuredRoofline(request_.rooflineFile, context_.run.cancelled);
  if (!machine) {
    if (machine.error().kind == ErrorKind::Interrupted)
      return std::unexpected(machine.error());
    add("Roofline", "", machine.error().message);
    return {};
  }
  if (!runProblem_.empty()) {
    add("Roofline", "", runProblem_);
    return {};
  }
  classification_ = classify(*machine, work_, mix_.flops, mix_.bytes);
  const std::optional<Headroom> headroom = headroomOf(context_.calls, *machine);
  if (headroom && headroom->largestSpeedup < kNearTheFloor)
    headroom_ = headroomText(headroom);
  add("Roofline", classificationText(classification_, work_) + headroomText(headroom) + "\n",
      "of one core, single precision; " +
          (work_.benchmark.empty() ? std::string("nothing was measured") : "the longest call: " + work_.benchmark));
  return {};
}

/// It comes first: the other sections are its grounds.
void Maker::limits() {
  const LimitFacts facts{.mix = mix_, .mca = mca_, .classification = classification_, .notVectorized = notVectorized_};
  insight_.bounds = boundsOf(facts);
  std::vector<std::string> found = limitsOf(facts);
  if (!headroom_.empty())
    found.push_back(headroom_);
  insight_.sections.insert(insight_.sections.begin(),
                           {std::string(kLimitsTitle), join(found, "\n"),
                            found.empty() ? "nothing stands out" : "guesses; their grounds are below"});
}

Result<Insight> Maker::make() {
  auto scratch = TRY(ScratchDirectory::create(context_.run.scratchDirectory, "insight-"));
  insight_.title = candidate_.origin == "baseline" ? "baseline" : candidate_.id;
  TRY(compile(scratch.path().string()));
  TRY(readObject());
  if (request_.wants("counters") || request_.wants("roofline"))
    TRY(runBenchmarks());
  if (request_.wants("remarks"))
    remarks();
  if (request_.wants("loop"))
    loop();
  if (request_.wants("mix"))
    mix();
  if (request_.wants("mca"))
    mca();
  if (request_.wants("counters"))
    counters();
  if (request_.wants("roofline"))
    TRY(roofline());
  if (machine_ == EM_X86_64 && request_.wants("limits"))
    limits();
  return std::move(insight_);
}

} // namespace

Result<Insight> insightOf(const InsightContext &context, const Candidate &candidate, const InsightRequest &request) {
  return Maker(context, candidate, request).make();
}

} // namespace agentic
