// agentic-kernel doctor: finds problems of this machine, of the installed programs and of a build tree.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/base/version.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/doctor/bundle.h"
#include "tool/doctor/check.h"
#include "tool/evaluate/baseline/baseline_check.h"
#include "tool/evaluate/baseline/baseline_coverage.h"
#include "tool/evaluate/baseline/current_spec.h"
#include "tool/evaluate/baseline/facts.h"
#include "tool/evaluate/baseline/kept_callers.h"
#include "tool/run/calibrated.h"
#include "tool/search/run_directories.h"
#include "tool/source/parse/parse_arguments.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <pwd.h>
#include <unistd.h>

namespace agentic {
namespace {

constexpr int kNameColumns = 18;

/// Returns nothing for a kernel that cannot be read: other commands say why.
Result<std::vector<Permission>> permissionsOf(const Manifest &manifest) {
  const CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
  const Compiler compiler = TRY(compilerOf(manifest));
  if (const auto known = loadSpec(specFileOf(manifest), specKeyOf(manifest, command, compiler)))
    return known->permissions;
  const BaselineCheck check = TRY(checkBaseline(manifest, command, compiler)); // checkBaselineOnce() would write
  return check.spec.permissions;
}

std::vector<std::string> permissionLines(const std::string &buildDir) {
  std::vector<std::string> lines;
  const auto manifests = loadManifests(buildDir).value_or(std::vector<Manifest>());
  for (const Manifest &manifest : manifests) {
    if (interrupted())
      break;
    if (const auto permissions = permissionsOf(manifest))
      for (const Permission &permission : *permissions)
        lines.push_back(manifest.kernel + ", " + describe(permission));
  }
  return lines;
}

std::vector<std::string> uncoveredLines(const std::string &buildDir) {
  std::vector<std::string> lines;
  const auto manifests = loadManifests(buildDir).value_or(std::vector<Manifest>());
  for (const Manifest &manifest : manifests)
    if (const auto coverage = lastBaselineCoverage(manifest); coverage && !coverage->uncovered.empty())
      lines.push_back(manifest.kernel + ": " + uncoveredSentence(*coverage, manifest.sourceDir));
  return lines;
}

std::vector<std::string> callerLines(const std::string &buildDir) {
  std::vector<std::string> lines;
  const auto manifests = loadManifests(buildDir).value_or(std::vector<Manifest>());
  for (const Manifest &manifest : manifests)
    if (const std::string text = callersText(lastCallers(manifest).value_or(CallingThreads())); !text.empty())
      lines.push_back(manifest.kernel + ": " + text);
  return lines;
}

struct Looked {
  const DoctorCheck *check;
  Diagnosis diagnosis;
};

class DoctorCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.add_option("--build-dir,-B", buildDir_, "CMake build tree of the project")->capture_default_str();
    app.add_flag("--offline", isOffline_, "ask no server whether it is there");
    app.add_option("--bundle", bundle_, "write an archive (.tar.gz) for a bug report there: no sources, no keys");
    app.add_flag("--json", json_, "print the result as one line of JSON, the last on stdout");
  }

  int run(Console &console) override {
    const DoctorView view = surroundings();
    std::vector<Looked> all;
    for (const DoctorCheck &check : doctorChecks()) {
      console.progress("looking at " + std::string(check.name));
      all.push_back({&check, check.look(view)});
      if (interrupted()) {
        console.endProgress();
        return console.fail(interruptedError().error(), json_, nlohmann::json::object());
      }
    }
    console.endProgress();
    const nlohmann::json result = asJson(all);
    if (!json_)
      print(console, all); // first: it may say why the archive cannot be written
    if (auto bundled = bundle(console, result); !bundled)
      return console.fail(bundled.error(), json_, result);
    if (json_)
      console.json(result);
    return worst(all) == Health::Fail ? static_cast<int>(ErrorKind::User) : 0;
  }

private:
  DoctorView surroundings() const {
    const StoredCalibration stored = machineCalibrationNow(userCacheFile(kCalibrationFile, buildDir_));
    DoctorView view;
    view.buildDir = buildDir_;
    view.cacheDir = fs::path(userCacheFile(kCalibrationFile, buildDir_)).parent_path();
    view.clangHeaders = clangResourceDirectory();
    view.toolProgram = programPath();
    view.calibration = stored.calibration ? calibrationLine(stored) : std::string();
    view.calibrationNote = stored.note;
    view.permissions = [this] { return permissionLines(buildDir_); };
    view.uncovered = [this] { return uncoveredLines(buildDir_); };
    view.callers = [this] { return callerLines(buildDir_); };
    if (!isOffline_)
      view.agents = [] { return providerStates(environment, true, &interrupted()); };
    return view;
  }

  static Health worst(const std::vector<Looked> &all) {
    Health health = Health::Ok;
    for (const Looked &looked : all)
      health = std::max(health, looked.diagnosis.health);
    return health;
  }

  static nlohmann::json asJson(const std::vector<Looked> &all) {
    nlohmann::json checks = nlohmann::json::array();
    for (const auto &[check, diagnosis] : all) {
      const bool isOk = diagnosis.health == Health::Ok;
      checks.push_back({{"name", check->name},
                        {"topic", check->topic},
                        {"health", healthName(diagnosis.health)},
                        {"found", diagnosis.found},
                        {"consequence", isOk ? nlohmann::json() : nlohmann::json(diagnosis.consequence)},
                        {"remedy", isOk ? nlohmann::json() : nlohmann::json(diagnosis.remedy)}});
    }
    return {{"version", kVersion}, {"health", healthName(worst(all))}, {"checks", checks}};
  }

  static void print(Console &console, const std::vector<Looked> &all) {
    int warnings = 0, failures = 0;
    std::string_view topic;
    for (const auto &[check, diagnosis] : all) {
      if (check->topic != topic)
        console.out((topic.empty() ? "" : "\n") + console.bold(std::string(check->topic)));
      topic = check->topic;
      console.out(fmt::format("{:<4}  {:<{}}{}", healthName(diagnosis.health), check->name, kNameColumns,
                              printable(diagnosis.found)));
      warnings += diagnosis.health == Health::Warn;
      failures += diagnosis.health == Health::Fail;
      if (diagnosis.health == Health::Ok)
        continue;
      console.out(fmt::format("      {:<{}}{}", "", kNameColumns, printable(diagnosis.consequence)));
      console.out(fmt::format("      {:<{}}next: {}", "", kNameColumns, printable(diagnosis.remedy)));
    }
    console.out(fmt::format("\n{} checks: {} ok, {} warn, {} fail", all.size(), int(all.size()) - warnings - failures,
                            warnings, failures));
  }

  Result<void> bundle(Console &console, const nlohmann::json &result) const {
    if (bundle_.empty())
      return {};
    const std::vector<std::string> runs = listRuns(runsDirectory(buildDir_), "");
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    BundleRequest request{.file = bundle_,
                          .doctorJson = result.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                          .buildDir = buildDir_,
                          .runDir = runs.empty() ? std::string() : runs.back(),
                          .identity = {.environment = {}, .host = host, .user = {}, .home = {}}};
    if (const passwd *account = ::getpwuid(::getuid())) {
      request.identity.user = account->pw_name;
      request.identity.home = account->pw_dir;
    }
    for (char **variable = environ; *variable; ++variable)
      request.identity.environment.emplace_back(*variable);
    const auto names = TRY(writeBundle(request));
    console.note(fmt::format("wrote {} (files: {}): look through it before you send it", bundle_, names.size()));
    return {};
  }

  std::string buildDir_ = ".";
  std::string bundle_;
  bool json_ = false, isOffline_ = false;
};

} // namespace

extern const CommandRow kDoctorCommand = {
    .name = "doctor",
    .summary = "look for what stands in the way: machine, programs, build tree",
    .example = "-B build",
    .make = makeCommand<DoctorCommand>,
};

} // namespace agentic
