#include "tool/evaluate/adequacy/adequacy.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/code_hash.h"
#include "tool/evaluate/adequacy/adequacy_cache.h"
#include "tool/source/mutants/mutants.h"

#include <algorithm>
#include <deque>
#include <future>
#include <set>
#include <thread>

namespace agentic {
namespace {

using State = MutantOutcome::State;

// Most faults end a test soon or never: the limit is shorter than the test stage's, so that endless ones cost little.
constexpr double kShortestLimit = 3, kSlowestFactor = 10;

class TestJudge {
public:
  TestJudge(const Prepared &prepared, const EvaluatorOptions &options, const AdequacyRequest &request)
      : prepared_(prepared), options_(options), request_(request), build_(prepared.buildContext(options)),
        file_(prepared.cacheDirectory + "/adequacy-" + std::string(prepared.level->name) + ".json") {}

  Result<Adequacy> run() {
    cache_ = loadAdequacy(file_, prepared_.factsKey);
    const bool isComplete = cache_.mostMutants == request_.mostMutants && cache_.report.notTried == 0;
    if (isComplete || request_.onlyKnown)
      return std::move(cache_.report);
    TRY(prepare());
    const Result<void> judged = judgeAll();
    // An interrupted process keeps its outcomes, too, but no report.
    cache_.mostMutants = judged ? request_.mostMutants : 0;
    cache_.report = report_;
    const Result<void> saved = saveAdequacy(file_, prepared_.factsKey, cache_);
    if (!judged)
      return std::unexpected(judged.error());
    if (!saved)
      return std::unexpected(saved.error());
    return std::move(report_);
  }

private:
  struct Built {
    std::string hash, sharedObject; ///< empty sharedObject: it does not compile
  };
  /// A mutant whose outcome is known, or that is being compiled.
  struct Pending {
    const Mutant *mutant = nullptr;
    std::string textHash;
    std::optional<MutantOutcome> known;
    std::future<Result<Built>> built;
  };

  Result<void> prepare();
  Result<void> preparePrefix();
  Result<void> judgeAll();
  Result<void> judge(Pending &pending);
  Pending begin(const Mutant &mutant);
  Result<Built> build(const Mutant &mutant, const std::string &directory) const;
  Result<std::optional<MutantOutcome>> test(const std::string &sharedObject) const;
  void count(const Mutant &mutant, const MutantOutcome &outcome);

  double secondsLeft() const { return request_.secondsLimit - (steadySeconds() - start_); }
  bool isTimeUp() const { return request_.secondsLimit > 0 && secondsLeft() <= 0; }
  bool isFull() const { return report_.total() >= request_.mostMutants; }

  const Prepared &prepared_;
  const EvaluatorOptions &options_;
  const AdequacyRequest &request_;
  BuildContext build_;
  std::string file_;
  double start_ = steadySeconds();
  AdequacyCache cache_;
  Adequacy report_;
  std::vector<Mutant> mutants_;
  std::vector<TestProgram> programs_;
  std::optional<ScratchDirectory> scratch_;
  std::optional<PrecompiledPrefix> prefix_;
  std::set<std::string> codes_; ///< hashes of the baseline's and all earlier mutants' code
};

Result<void> TestJudge::prepare() {
  mutants_ = TRY(makeMutants(prepared_.spec, {.observed = prepared_.facts.calibration.observed}));
  scratch_ = TRY(ScratchDirectory::create(prepared_.workRoot, "mutants-"));
  programs_ = prepared_.shadow.tests;
  for (TestProgram &program : programs_)
    program.environment.push_back("GTEST_FAIL_FAST=1"); // the first failure suffices; older GoogleTest ignores this
  codes_.insert(prepared_.facts.objectHash);
  report_.kernel = prepared_.spec.kernel;
  report_.source = prepared_.spec.source;
  return isTimeUp() ? Result<void>() : preparePrefix();
}

/// Two dozen mutants include the same headers, which take most of the compile time.
Result<void> TestJudge::preparePrefix() {
  const CandidateUnit unit = buildCandidateUnit(
      {prepared_.spec, *prepared_.level, prepared_.compiler.family, "baseline"}, baselineCandidate(prepared_.spec));
  std::optional<PrecompiledPrefix> prefix =
      TRY(precompilePrefix(build_, unit.text, prepared_.facts.objectHash, (scratch_->path() / "prefix").string()));
  prefix_ = std::move(prefix);
  build_.prefix = prefix_ ? &*prefix_ : nullptr;
  return {};
}

Result<TestJudge::Built> TestJudge::build(const Mutant &mutant, const std::string &directory) const {
  TRY(createDirectories(directory));
  BuildOutcome outcome = TRY(buildTrusted(build_, makeCandidate(mutant.text, "mutant"), directory));
  if (!outcome.built)
    return Built{};
  ElfFile object = TRY(readElf(outcome.built->objectFile));
  return Built{codeHash(object), outcome.built->sharedObject};
}

TestJudge::Pending TestJudge::begin(const Mutant &mutant) {
  Pending pending{.mutant = &mutant, .textHash = sha256(mutant.text), .known = {}, .built = {}};
  if (const auto known = cache_.outcomes.find(pending.textHash); known != cache_.outcomes.end()) {
    pending.known = known->second;
    return pending;
  }
  const std::string directory = (scratch_->path() / pending.textHash.substr(0, 16)).string();
  pending.built = std::async(std::launch::async, [this, &mutant, directory] { return build(mutant, directory); });
  return pending;
}

/// nullopt: the time was up before the tests ended.
Result<std::optional<MutantOutcome>> TestJudge::test(const std::string &sharedObject) const {
  TestRequest request;
  request.programs = &programs_;
  request.filter = prepared_.manifest.testFilter;
  request.sharedObject = sharedObject;
  double slowest = 0;
  for (const TestProgramFacts &program : prepared_.facts.tests)
    slowest = std::max(slowest, program.seconds);
  request.secondsLimit = std::max(kShortestLimit, kSlowestFactor * slowest);
  const bool isCutShort = request_.secondsLimit > 0 && secondsLeft() < request.secondsLimit;
  if (isCutShort)
    request.secondsLimit = std::max(0.1, secondsLeft());
  const RunContext context = prepared_.runContext(options_, scratch_->path().string());
  TestOutcome outcome = TRY(runTests(context, request, prepared_.facts.tests));
  if (outcome.outOfTime && isCutShort)
    return std::optional<MutantOutcome>();
  if (outcome.passed)
    return std::optional(MutantOutcome{State::Survived, {}});
  const std::string &detail = outcome.detail;
  return std::optional(
      MutantOutcome{State::Killed, outcome.failed.empty() ? firstLine(detail) : outcome.failed.front()});
}

void TestJudge::count(const Mutant &mutant, const MutantOutcome &outcome) {
  report_.equivalent += outcome.state == State::Equivalent;
  report_.invalid += outcome.state == State::Invalid;
  if (outcome.state == State::Killed || outcome.state == State::Survived)
    report_.mutants.push_back({.kind = mutantKindName(mutant.kind),
                               .line = mutant.line,
                               .column = mutant.column,
                               .change = mutant.change,
                               .advice = mutant.advice,
                               .killed = outcome.state == State::Killed,
                               .killedBy = outcome.killedBy});
}

Result<void> TestJudge::judge(Pending &pending) {
  if (pending.known) {
    count(*pending.mutant, *pending.known);
    return {};
  }
  Built built = TRY(pending.built.get());
  MutantOutcome outcome;
  if (built.sharedObject.empty()) {
    if (isTimeUp()) { // the time limit may have stopped the compiler
      ++report_.notTried;
      return {};
    }
    outcome.state = State::Invalid;
  } else if (!codes_.insert(built.hash).second) {
    outcome.state = State::Equivalent;
  } else {
    std::optional<MutantOutcome> tested = TRY(test(built.sharedObject));
    if (!tested) {
      ++report_.notTried;
      return {};
    }
    outcome = std::move(*tested);
  }
  count(*pending.mutant, outcome);
  cache_.outcomes[pending.textHash] = std::move(outcome);
  return {};
}

/// Compiles ahead of the tests, which run one after the other: they may share files or ports.
Result<void> TestJudge::judgeAll() {
  const std::size_t ahead = std::max(1u, std::thread::hardware_concurrency());
  std::deque<Pending> pending;
  std::size_t next = 0;
  const std::size_t wanted = std::min(mutants_.size(), static_cast<std::size_t>(request_.mostMutants));
  while (!isFull() && !isTimeUp() && (next < mutants_.size() || !pending.empty())) {
    while (pending.size() < ahead && next < mutants_.size())
      pending.push_back(begin(mutants_[next++]));
    TRY(judge(pending.front()));
    pending.pop_front();
    if (request_.progress)
      request_.progress(report_.total(), static_cast<int>(wanted));
  }
  if (options_.cancelled && *options_.cancelled)
    return interruptedError();
  const int left = static_cast<int>(mutants_.size() - next + pending.size()) + report_.notTried;
  report_.notTried = std::min(left, std::max(0, static_cast<int>(wanted) - report_.total()));
  return {};
}

} // namespace

int Adequacy::killed() const {
  return static_cast<int>(std::ranges::count_if(mutants, &JudgedMutant::killed));
}

double Adequacy::percent() const {
  return mutants.empty() ? 100 : 100.0 * killed() / total();
}

std::vector<JudgedMutant> Adequacy::survivors() const {
  std::vector<JudgedMutant> list;
  std::ranges::remove_copy_if(mutants, std::back_inserter(list), &JudgedMutant::killed);
  return list;
}

Result<Adequacy> judgeTests(const Prepared &prepared, const EvaluatorOptions &options, const AdequacyRequest &request) {
  return TestJudge(prepared, options, request).run();
}

} // namespace agentic
