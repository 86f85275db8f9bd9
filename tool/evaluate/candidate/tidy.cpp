#include "tool/evaluate/candidate/tidy.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/build/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace agentic {
namespace {

constexpr std::size_t kMostNotes = 5;
constexpr double kSeconds = 30;
constexpr const char *kPrograms[] = {"clang-tidy", "clang-tidy-19", "clang-tidy-18", "clang-tidy-17", "clang-tidy-16"};
constexpr std::string_view kWarning = " warning: ";

std::optional<std::string> installedTidy() {
  for (const char *name : kPrograms)
    if (auto found = findProgram(name))
      return found;
  return std::nullopt;
}

/// Those of Clang as a library, without what belongs to its own version.
std::vector<std::string> parseArguments(const std::vector<std::string> &ours) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (ours[i] == "-resource-dir")
      ++i;
    else if (!ours[i].starts_with("-resource-dir="))
      arguments.push_back(ours[i]);
  return arguments;
}

unsigned numberAt(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

} // namespace

std::string tidyFileFor(const std::string &source) {
  return nearestAbove(source, ".clang-tidy");
}

std::vector<std::string> tidyNotes(std::string_view output, const BuiltCandidate &built) {
  std::vector<std::size_t> lines{0};
  for (std::size_t at = built.unit.text.find('\n'); at != std::string::npos; at = built.unit.text.find('\n', at + 1))
    lines.push_back(at + 1);
  std::vector<std::string> notes;
  std::size_t more = 0;
  const std::string place = built.unitFile + ":";
  for (const std::string &line : split(output, '\n')) {
    const std::size_t message = line.find(kWarning);
    if (!line.starts_with(place) || message == std::string::npos)
      continue;
    const std::string_view position = std::string_view(line).substr(place.size());
    const unsigned row = numberAt(position);
    const std::size_t colon = position.find(':');
    const unsigned column = colon == position.npos ? 0 : numberAt(position.substr(colon + 1));
    if (row == 0 || row > lines.size())
      continue;
    const CandidatePosition own = candidatePosition(built.unit, lines[row - 1] + (column ? column - 1 : 0));
    if (own.line == 0)
      continue;
    if (notes.size() < kMostNotes)
      notes.push_back(fmt::format("clang-tidy, line {}: {}", own.line, line.substr(message + kWarning.size())));
    else
      ++more;
  }
  if (more > 0)
    notes.push_back(fmt::format("clang-tidy: {} more", more));
  return notes;
}

Result<std::vector<std::string>> tidyNotes(const BuildContext &context, const BuiltCandidate &built) {
  const std::string config = tidyFileFor(context.spec->source);
  const auto program = config.empty() ? std::nullopt : installedTidy();
  if (!program)
    return std::vector<std::string>();
  ProcessSpec spec;
  spec.argv = {*program, "--quiet", "--config-file=" + config, built.unitFile, "--"};
  std::vector<std::string> arguments = parseArguments(context.spec->parseArguments);
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.workingDirectory = context.command.directory;
  spec.environment = std::vector<std::string>();
  spec.timeoutSeconds = kSeconds;
  spec.cancelled = context.cancelled;
  arguments.insert(arguments.begin(), *program);
  Sandbox::View view = compileView(arguments, spec.workingDirectory, {});
  view.readOnly.push_back(config);
  view.readOnly.push_back(built.unitFile);
  const Sandbox none = Sandbox::none();
  auto result = TRY((context.sandbox ? *context.sandbox : none).run(std::move(spec), view));
  if (result.end == ProcessResult::End::Cancelled)
    return interruptedError();
  return tidyNotes(result.out, built);
}

} // namespace agentic
