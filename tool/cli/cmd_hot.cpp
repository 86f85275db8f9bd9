// agentic-kernel hot: samples programs, and says which of their functions are worth being a kernel.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/hot/hot.h"
#include "tool/report/table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr std::size_t kFunctionColumns = 48;
constexpr std::size_t kMostPasted = 3;
constexpr double kWorthPasting = 0.05; ///< share

/// Returns the path as a person in this folder writes it.
std::string shortPath(const std::string &path) {
  std::error_code ignored;
  const fs::path relative = fs::path(path).lexically_proximate(fs::current_path(ignored));
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

std::string placeOf(const HotEntry &entry) {
  const auto &[function, judgement] = entry;
  if (judgement.file.empty() || judgement.kind == Judgement::Kind::NotProject)
    return function.module.empty() ? "?" : fs::path(function.module).filename().string();
  return shortPath(judgement.file) + (judgement.line > 0 ? ":" + std::to_string(judgement.line) : "");
}

std::string shownName(const HotFunction &function) {
  return function.name.empty() ? "(code without a symbol)" : function.name;
}

class HotCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("program", program_, "after --: the program and its arguments; none = the project's benchmarks");
  }

  int run(Console &console) override {
    HotRequest request{.buildDir = common_.buildDir,
                       .config = common_.config,
                       .kernel = common_.kernel,
                       .program = program_,
                       .preload = environment("LD_PRELOAD").value_or(""),
                       .cancelled = &interrupted(),
                       .progress = [&](const std::string &line) { console.progress(line); }};
    const Result<HotResult> found = findHot(request);
    console.endProgress();
    if (!found)
      return console.fail(found.error(), common_.json, nlohmann::json::object());
    if (!common_.json)
      print(console, *found);
    for (const std::string &note : found->notes)
      console.warn(note);
    if (common_.json)
      console.json(asJson(*found));
    return interrupted() ? static_cast<int>(ErrorKind::Interrupted) : 0;
  }

private:
  static nlohmann::json asJson(const HotResult &result) {
    nlohmann::json runs = nlohmann::json::array(), functions = nlohmann::json::array();
    for (const HotRun &run : result.runs)
      runs.push_back({{"program", run.argv},
                      {"status", run.status},
                      {"samples", std::llround(run.samples)},
                      {"cpu_seconds", run.cpuSeconds}});
    for (const HotEntry &entry : result.functions)
      functions.push_back(asJson(entry));
    return {{"samples", std::llround(result.samples)},
            {"enough", result.samples >= kEnoughSamples},
            {"runs", runs},
            {"functions", functions},
            {"notes", result.notes}};
  }

  static nlohmann::json asJson(const HotEntry &entry) {
    const auto &[function, judgement] = entry;
    const double gain = bestGain(function.share);
    nlohmann::json object = {{"name", function.name},
                             {"share", function.share},
                             {"best_gain", std::isfinite(gain) ? nlohmann::json(gain) : nlohmann::json()},
                             {"file", judgement.file},
                             {"line", judgement.line},
                             {"module", function.module},
                             {"inlined_in", function.holder},
                             {"judgement", judgementName(judgement.kind)},
                             {"kernel", judgement.kernel},
                             {"reason", judgement.reason},
                             {"next", judgement.next}};
    const PasteLines &paste = judgement.paste;
    if (hasLines(entry))
      object["paste"] = {{"marker_file", paste.markerFile},   {"marker_line", paste.markerLine},
                         {"marker_lines", paste.markerLines}, {"marker_column", paste.markerColumn},
                         {"cmake_file", paste.cmakeFile},     {"cmake_lines", paste.cmakeLines},
                         {"command", paste.command}};
    return object;
  }

  static void print(Console &console, const HotResult &result) {
    std::vector<Cells> table = {{"share", "at most", "function", "where", "kernel"}};
    for (const HotEntry &entry : result.functions)
      table.push_back({fmt::format("{:.1f} %", 100 * entry.function.share), bestGainText(entry.function.share),
                       fitted(printable(shortNameOf(shownName(entry.function))), kFunctionColumns),
                       printable(placeOf(entry)), judgementText(entry.judgement)});
    console.out(alignedTable(table, "rrlll"));
    console.out(fmt::format("{:.0f} samples of CPU time. 'at most': the gain end to end if the function took no time.",
                            result.samples));
    printInlined(console, result);
    std::size_t pasted = 0;
    for (const HotEntry &entry : result.functions)
      if (hasLines(entry) && !isPartOfAnother(entry, result) && pasted < kMostPasted &&
          (pasted == 0 || entry.function.share >= kWorthPasting)) {
        printPaste(console, entry);
        ++pasted;
      } else if (!hasLines(entry) && entry.function.share >= kWorthPasting && !entry.judgement.reason.empty()) {
        printReason(console, entry);
      }
  }

  static bool hasLines(const HotEntry &entry) { return !entry.judgement.paste.cmakeLines.empty(); }

  /// Whether all of it is inlined in a function with lines of its own: as a kernel, that saves a call for each use.
  static bool isPartOfAnother(const HotEntry &entry, const HotResult &result) {
    return std::ranges::any_of(result.functions, [&](const HotEntry &other) {
      return !entry.function.holder.empty() && other.function.name == entry.function.holder && hasLines(other);
    });
  }

  static void printInlined(Console &console, const HotResult &result) {
    const auto isInlined = [](const HotEntry &entry) { return !entry.function.holder.empty(); };
    if (std::ranges::none_of(result.functions, isInlined))
      return;
    console.out("Inlined functions count for those that hold them, too:");
    for (const HotEntry &entry : result.functions)
      if (isInlined(entry))
        console.out("  " + printable(shortNameOf(shownName(entry.function))) + " in " +
                    printable(shortNameOf(entry.function.holder)));
  }

  static void printReason(Console &console, const HotEntry &entry) {
    console.out("\n" + console.bold(printable(shownName(entry.function))) + " " + judgementText(entry.judgement) +
                ": " + printable(entry.judgement.reason));
    if (!entry.judgement.next.empty())
      console.out("  next: " + printable(entry.judgement.next));
  }

  static void printPaste(Console &console, const HotEntry &entry) {
    const PasteLines &paste = entry.judgement.paste;
    console.out("\n" + console.bold(printable(shownName(entry.function))) + " " + judgementText(entry.judgement) +
                (entry.judgement.reason.empty() ? "" : ": " + printable(entry.judgement.reason)));
    const std::string place = printable(shortPath(paste.markerFile)) + ", ";
    if (!paste.markerLines.empty())
      console.out(fmt::format("  {}in front of line {}:", place, paste.markerLine));
    for (const std::string &line : paste.markerLines)
      console.out("    " + line);
    if (paste.markerColumn > 0)
      console.out(fmt::format("  {}in line {}, in front of column {}:\n    AGENTIC_KERNEL", place, paste.markerLine,
                              paste.markerColumn));
    console.out("  " + printable(shortPath(paste.cmakeFile)) + ", at its end:");
    for (const std::string &line : paste.cmakeLines)
      console.out("    " + printable(line));
    console.out("  then configure and build, and: " + printable(paste.command));
  }

  CommonOptions common_;
  std::vector<std::string> program_;
};

} // namespace

extern const CommandRow kHotCommand = {
    .name = "hot",
    .summary = "sample a benchmark or your program: which functions take the time, and which can be a kernel",
    .example = "-B build -- build/app --its-options",
    .make = makeCommand<HotCommand>,
};

} // namespace agentic
