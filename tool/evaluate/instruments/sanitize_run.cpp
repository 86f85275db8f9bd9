#include "tool/evaluate/instruments/sanitize_run.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/evaluate/instruments/sanitize_reports.h"
#include "tool/runner/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sys/utsname.h>

namespace agentic {
namespace {

constexpr std::uint64_t kStackBytes = 4u << 20;                 // redzones make frames many times larger
constexpr double kSanitizedSlower = 10, kLeastTestSeconds = 20; // slowdown by sanitizers; a test program's limit
constexpr double kUsualLimit = 10;                              // limit / usual time of a test program

/// Returns where the compiler keeps one of its libraries; "" if it has none of that name.
Result<std::string> libraryFile(const Compiler &compiler, const std::string &name) {
  ProcessSpec spec;
  spec.argv = {compiler.path, "-print-file-name=" + name};
  spec.addedEnvironment = {{"LC_ALL", "C"}};
  ProcessResult asked = TRY(runProcess(spec));
  const std::string file(trim(asked.out));
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return asked.ok() && file.starts_with('/') && !error ? real.string() : std::string();
}

std::string machine() {
  utsname name{};
  return ::uname(&name) == 0 ? name.machine : "";
}

/// Writes the same plan with more stack.
Result<std::string> roomyPlan(const Expectation &expectation, const std::string &directory) {
  std::string plan = TRY(readFile(expectation.planFile));
  constexpr std::size_t kAt = sizeof(wire::FileHeader) + offsetof(wire::PlanHeader, stackBytes);
  if (plan.size() < kAt + sizeof kStackBytes)
    return userError("'" + expectation.planFile + "' is damaged", "remove it; it is made again");
  std::memcpy(plan.data() + kAt, &kStackBytes, sizeof kStackBytes);
  const std::string file = directory + "/sanitized.plan";
  TRY(writeScratch(file, plan));
  return file;
}

struct UnitPlace {
  unsigned line = 0, column = 0;
};

/// "/tmp/unit.cpp:12:3" or "/tmp/unit.cpp:12 (discriminator 3)".
UnitPlace placeInUnit(std::string_view line, std::string_view unitFile) {
  UnitPlace place;
  const std::string mark = std::string(unitFile.substr(unitFile.rfind('/') + 1)) + ":";
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos)
    return place;
  const char *end = line.data() + line.size();
  const auto first = std::from_chars(line.data() + at + mark.size(), end, place.line);
  if (first.ec == std::errc() && first.ptr < end && *first.ptr == ':')
    (void)std::from_chars(first.ptr + 1, end, place.column);
  return place;
}

/// Returns the symbolizer's output for the frames, innermost first, inlined ones included: one line with the function,
/// one with the place.
Result<std::vector<std::string>> symbolized(const std::vector<std::uint64_t> &frames, const InstrumentedBuild &build,
                                            const Sandbox &sandbox) {
  ProcessSpec spec;
  if (const auto symbolizer = findProgram("llvm-symbolizer"))
    spec.argv = {*symbolizer, "--inlines", "--obj=" + build.sharedObject};
  else if (const auto addr2line = findProgram("addr2line"))
    spec.argv = {*addr2line, "-f", "-C", "-i", "-e", build.sharedObject};
  else
    return std::vector<std::string>();
  for (const std::uint64_t frame : frames)
    spec.argv.push_back(fmt::format("{:#x}", frame));
  spec.environment = std::vector<std::string>();
  spec.timeoutSeconds = 20;
  Sandbox::View view;
  view.readOnly = {fs::path(build.sharedObject).parent_path().string()};
  ProcessResult printed = TRY(sandbox.run(std::move(spec), view));
  return split(printed.out, '\n');
}

Result<std::vector<UnitPlace>> symbolize(const std::vector<std::uint64_t> &frames, const InstrumentedBuild &build,
                                         const Sandbox &sandbox) {
  const std::vector<std::string> lines = TRY(symbolized(frames, build, sandbox));
  std::vector<UnitPlace> places;
  for (const std::string &line : lines)
    if (const UnitPlace place = placeInUnit(line, build.unitFile); place.line != 0)
      places.push_back(place);
  return places;
}

LineColumn ownPlace(UnitPlace place, const CandidateUnit &unit) {
  std::size_t begin = 0;
  for (unsigned line = 1; line < place.line && begin != std::string::npos; ++line)
    if (begin = unit.text.find('\n', begin); begin != std::string::npos)
      ++begin;
  if (place.line == 0 || begin == std::string::npos)
    return {0, 0};
  // Without a column, the place is the first of the line that is own text.
  const std::size_t end = std::min(unit.text.find('\n', begin), unit.text.size());
  const std::size_t first = begin + (place.column != 0 ? place.column - 1 : 0);
  for (std::size_t at = first; at <= (place.column != 0 ? first : end); ++at)
    if (const CandidatePosition own = candidatePosition(unit, at); own.line != 0)
      return {own.line, place.column != 0 ? own.column : 0};
  return {0, 0};
}

/// Only the first of two runtimes in a process finds its log, so the constructor tells the second one.
constexpr std::string_view kTellSecond = R"(
extern "C" char *agentic_sanitize_getenv(const char *) __asm__("getenv");
extern "C" void *agentic_sanitize_dlopen(const char *, int) __asm__("dlopen");
extern "C" void *agentic_sanitize_dlsym(void *, const char *) __asm__("dlsym");
__attribute__((__constructor__)) static void agentic_sanitize_begin() {
  const char *library = agentic_sanitize_getenv("AGENTIC_KERNEL_SANITIZER");
  const char *log = agentic_sanitize_getenv("AGENTIC_KERNEL_REPORT");
  void *runtime = library && log ? agentic_sanitize_dlopen(library, 1) : nullptr;
  void *tell = runtime ? agentic_sanitize_dlsym(runtime, "__sanitizer_set_report_path") : nullptr;
  if (tell)
    reinterpret_cast<void (*)(const char *)>(tell)(log);
}
)";

} // namespace

CandidateUnit withReports(CandidateUnit unit, const std::vector<std::string> &runtimes) {
  if (runtimes.size() > 1)
    unit.text += kTellSecond;
  return unit;
}

Result<SanitizerRuntimes> findSanitizerRuntimes(const Compiler &compiler) {
  const bool isClang = compiler.family == Family::Clang;
  // Clang has both sanitizers in one runtime.
  const std::vector<std::vector<std::string>> alternatives =
      isClang
          ? std::vector<std::vector<std::string>>{{"libclang_rt.asan-" + machine() + ".so"}, {"libclang_rt.asan.so"}}
          : std::vector<std::vector<std::string>>{{"libasan.so", "libubsan.so"}};
  SanitizerRuntimes runtimes;
  for (const std::vector<std::string> &names : alternatives) {
    runtimes.libraries.clear();
    for (const std::string &name : names) {
      std::string file = TRY(libraryFile(compiler, name));
      if (!file.empty())
        runtimes.libraries.push_back(std::move(file));
    }
    if (runtimes.libraries.size() == names.size())
      return runtimes;
  }
  runtimes.libraries.clear();
  runtimes.problem =
      "the sanitizers did not run: " + compiler.path + " has no " + alternatives.front().front() + "; install " +
      (isClang ? fmt::format("libclang-rt-{}-dev", compiler.major) : fmt::format("libgcc-{}-dev", compiler.major));
  return runtimes;
}

Result<SanitizedRun> runSanitizedCalls(const InstrumentedContext &context, const std::vector<std::string> &runtimes,
                                       const std::string &sharedObject) {
  ReportFolder reports = TRY(ReportFolder::create(context.directory));
  Expectation expectation = *context.expectation;
  expectation.planFile = TRY(roomyPlan(expectation, context.directory));
  expectation.seconds *= kSanitizedSlower;
  if (expectation.exactness.kind == Exactness::Kind::Strict) // this code may contract elsewhere, and it does not ship
    expectation.exactness.kind = Exactness::Kind::Reassociate;
  ReplayContext replay = context.replay;
  replay.added = reports.additions(runtimes);
  DifferentialOutcome judged = TRY(judge(replay, expectation, sharedObject));
  return SanitizedRun{judged.passed, !judged.passed, std::move(judged.detail), reports.report(kInstrumentedObject),
                      judged.seconds};
}

Result<SanitizedRun> runSanitizedTests(const InstrumentedContext &context, const std::vector<std::string> &runtimes,
                                       const std::string &sharedObject) {
  ReportFolder reports = TRY(ReportFolder::create(context.directory));
  TestFacts facts = *context.tests;
  TestRequest request;
  request.secondsLimit = kLeastTestSeconds;
  for (const TestProgramFacts &program : facts)
    request.secondsLimit = std::max(request.secondsLimit, kSanitizedSlower * kUsualLimit * program.seconds);
  for (TestProgramFacts &program : facts)
    program.seconds = request.secondsLimit; // so that `secondsLimit` applies: its end sets outOfTime
  request.programs = context.programs;
  request.filter = context.filter;
  request.sharedObject = sharedObject;
  request.added = reports.additions(runtimes);
  TestOutcome tested = TRY(runTests(context.run, request, facts));
  return SanitizedRun{tested.passed, !tested.passed && !tested.outOfTime, std::move(tested.detail),
                      reports.report(kInstrumentedObject), tested.seconds};
}

Result<ReportPlace> placeOf(const SanitizerReport &report, const InstrumentedBuild &build, const CandidateUnit &unit,
                            const Sandbox &sandbox) {
  std::vector<UnitPlace> places;
  if (build.unitFile.ends_with("/" + report.file) && !report.file.empty())
    places.push_back({report.line, report.column});
  if (!report.frames.empty()) {
    std::vector<UnitPlace> found = TRY(symbolize(report.frames, build, sandbox));
    places.insert(places.end(), found.begin(), found.end());
  }
  for (const UnitPlace &place : places)
    if (const LineColumn own = ownPlace(place, unit); own.line != 0)
      return ReportPlace{own.line, own.column};
  return ReportPlace{};
}

Result<bool> isAtIntrinsic(const SanitizerReport &report, const InstrumentedBuild &build, const CandidateUnit &unit,
                           const Sandbox &sandbox) {
  if (report.frames.empty())
    return false;
  const std::vector<std::string> lines = TRY(symbolized({report.frames.front()}, build, sandbox));
  const auto says = [](std::string_view line, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
  };
  if (lines.size() < 2)
    return false;
  if (says(lines[1], {"intrin.h:", "arm_neon.h:", "arm_sve.h:"}))
    return !says(lines[0], {"load", "store", "stream", "gather", "scatter"});
  // Intrinsics with constant operands are macros.
  const unsigned line = placeInUnit(lines[1], build.unitFile).line;
  const std::vector<std::string> text = split(unit.text, '\n');
  return line > 0 && line <= text.size() && says(text[line - 1], {"_mm", "__builtin_"});
}

} // namespace agentic
