#include "tool/evaluate/instruments/sanitized_tree.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/base/time_limit.h"
#include "tool/evaluate/instruments/sanitize_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

constexpr double kSlowerBuild = 2, kSlowerTests = 3, kForcedRuns = 2;
constexpr double kAgain = 0.25; // share of a build from scratch: a new configure, a compile of the variant, the links
constexpr double kSlowest = 10; // slowdown of tests up to which their usual limit does not apply
constexpr std::size_t kLogCap = 16u << 20;
constexpr const char *kNot = "not tested in a tree built with sanitizers throughout: ";

struct ForcedRun {
  TestOutcome tests;
  std::vector<SanitizerReport> reports;
  std::string logFile;
  bool ranChoice = false; ///< known from the dispatcher's own trace
};

/// Returns the line of a failed build that names the error.
std::string errorLine(const std::string &message) {
  const std::vector<std::string> lines = split(message, '\n');
  for (const char *mark : {"CMake Error", "error:", "undefined reference"})
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].find(mark) != std::string::npos) {
        // CMake prints the place first and the error below it.
        const bool isBelow = lines[i].starts_with("CMake Error") && i + 1 < lines.size();
        return lines[i] + (isBelow ? " " + std::string(trim(lines[i + 1])) : "");
      }
  return firstLine(message);
}

/// Returns the part of a report that is the same wherever in the file it happens.
std::string kindOf(const SanitizerReport &report) {
  const std::string group = sanitizerGroup(report.summary);
  return group.empty() ? report.summary : group;
}

class SanitizedTree {
public:
  explicit SanitizedTree(const SanitizedTreeRequest &request)
      : request_(request), start_(steadySeconds()),
        limit_(request.secondsLeft ? start_ + *request.secondsLeft : TimeLimit::kNever, request.context.cancelled) {}

  Result<SanitizedTreeOutcome> run() {
    Result<void> done = steps();
    if (!done && done.error().kind == ErrorKind::Interrupted && limit_.isUp())
      remark("the time was up");
    else if (!done)
      return std::unexpected(done.error());
    outcome_.seconds = steadySeconds() - start_;
    return std::move(outcome_);
  }

private:
  Result<void> steps() {
    double testSeconds = 0;
    for (const TestProgramFacts &program : *request_.tests)
      testSeconds += program.seconds;
    const bool wasBuilt = fs::exists(shadowFolder(*request_.manifest) + "/sanitized/build.ninja");
    const double estimate = sanitizedTreeSeconds((wasBuilt ? kAgain : 1) * request_.treeSeconds, testSeconds);
    if (request_.secondsLeft && estimate > *request_.secondsLeft) {
      remark(fmt::format("it takes about {:.0f} s, and {:.0f} s are left of --max-total-seconds", estimate,
                         std::max(0.0, *request_.secondsLeft)));
      return {};
    }
    const Result<ShadowTree> tree = build(*request_.files);
    if (!tree)
      return blame(tree.error());
    if (std::ranges::none_of(tree->command.arguments,
                             [](const std::string &a) { return a.starts_with("-fsanitize=address"); })) {
      remark("the project's own flags replace those of the sanitizers");
      return {};
    }
    return judge(*tree);
  }

  Result<void> judge(const ShadowTree &tree) {
    ForcedRun baseline = TRY(runForced(tree, "baseline"));
    if (!baseline.tests.passed) {
      outcome_.hint = "see " + baseline.logFile;
      remark("the unchanged kernel does not pass its tests there: " + whatOf(baseline, {}));
      return {};
    }
    ForcedRun variant = TRY(runForced(tree, request_.level));
    outcome_.hint = "see " + variant.logFile;
    const std::vector<SanitizerReport> own = reportsOfVariant(baseline, variant);
    outcome_.ran = true;
    if (variant.tests.passed && own.empty() && variant.ranChoice)
      return {};
    reject("with the variant forced: " + whatOf(variant, own));
    return {};
  }

  /// Handles a failed build: it is the variant's fault if the same tree without variants builds.
  Result<void> blame(const Error &error) {
    if (error.kind != ErrorKind::User)
      return std::unexpected(error);
    outcome_.hint = errorLine(error.message) + "; " + error.next;
    const Result<ShadowTree> plain = build(request_.withoutVariants);
    if (!plain && plain.error().kind != ErrorKind::User)
      return std::unexpected(plain.error());
    if (plain)
      reject("the variant does not compile there, although the unchanged kernel does");
    else
      remark("the project does not build that way");
    return {};
  }

  Result<ShadowTree> build(const std::vector<GeneratedFile> &files) const {
    ShadowRequest shadow;
    shadow.manifest = *request_.manifest;
    shadow.kind = ShadowKind::Sanitized;
    shadow.files = files;
    shadow.cancelled = limit_.flag();
    return prepareShadow(shadow);
  }

  Result<ForcedRun> runForced(const ShadowTree &tree, const std::string &choice) const {
    ReportFolder reports = TRY(ReportFolder::create(request_.context.scratchDirectory));
    RunContext context = request_.context;
    context.view.readOnly.push_back(tree.directory);
    context.cancelled = limit_.flag();
    TestFacts facts = *request_.tests;
    for (TestProgramFacts &program : facts)
      program.seconds *= kSlowest;
    ForcedRun forced;
    forced.logFile = tree.directory + "/forced-" + choice + ".log";
    TestRequest tests;
    tests.programs = &tree.tests;
    tests.isTraced = true;
    tests.filter = request_.manifest->testFilter;
    tests.sharedObject = choice;
    tests.added = reports.additions({});
    tests.logFile = forced.logFile;
    forced.tests = TRY(runTests(context, tests, facts));
    forced.reports = reports.reports("");
    // g++'s second runtime always writes to stderr.
    const std::string log = readUntrusted(forced.logFile, kLogCap).value_or(std::string());
    for (SanitizerReport &report : parseSanitizerReports(log, ""))
      forced.reports.push_back(std::move(report));
    forced.ranChoice = log.find(request_.manifest->kernel + " " + choice + "\n") != std::string::npos;
    if (const std::string raw = reports.text(); !raw.empty())
      TRY(writeFileAtomic(forced.logFile, log + raw));
    return forced;
  }

  /// Returns the reports that the unchanged kernel does not have as well, there or in its own file.
  std::vector<SanitizerReport> reportsOfVariant(const ForcedRun &baseline, const ForcedRun &variant) const {
    const std::string source = fs::path(request_.manifest->source).filename().string();
    std::set<std::pair<std::string, std::string>> known;
    for (const SanitizerReport &report : baseline.reports) {
      known.emplace(report.file, kindOf(report));
      if (report.file == source)
        known.emplace(request_.variantFile, kindOf(report));
    }
    std::vector<SanitizerReport> own;
    for (const SanitizerReport &report : variant.reports)
      if (!known.contains({report.file, kindOf(report)}))
        own.push_back(report);
    return own;
  }

  std::string whatOf(const ForcedRun &run, const std::vector<SanitizerReport> &own) const {
    const std::vector<SanitizerReport> &reports = own.empty() ? run.reports : own;
    if (!own.empty() || (!run.tests.passed && !reports.empty())) {
      // The error that ended a process is last in its log.
      const auto memory = std::ranges::find_if(reports, [](const SanitizerReport &r) { return r.file.empty(); });
      const SanitizerReport &report = memory == reports.end() ? reports.front() : *memory;
      return report.file.empty()
                 ? "memory error: " + report.summary
                 : fmt::format("undefined behaviour in {}:{}: {}", report.file, report.line, report.summary);
    }
    return run.tests.passed ? "it did not run" : firstLine(run.tests.detail);
  }

  void remark(const std::string &why) { outcome_.remark = kNot + why; }
  void reject(const std::string &why) {
    outcome_.passed = false;
    outcome_.detail = "in a tree built with sanitizers throughout, " + why;
  }

  const SanitizedTreeRequest &request_;
  double start_;
  TimeLimit limit_;
  SanitizedTreeOutcome outcome_;
};

} // namespace

double sanitizedTreeSeconds(double treeSeconds, double testSeconds) {
  return kSlowerBuild * treeSeconds + kForcedRuns * kSlowerTests * testSeconds;
}

Result<SanitizedTreeOutcome> runSanitizedTree(const SanitizedTreeRequest &request) {
  return SanitizedTree(request).run();
}

} // namespace agentic
