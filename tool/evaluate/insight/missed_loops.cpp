#include "tool/evaluate/insight/missed_loops.h"

#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace agentic {
namespace {

constexpr std::size_t kReasonBytes = 240;

std::string reasonIn(std::string_view rest, Family family) {
  const std::string_view mark = family == Family::Clang ? "remark: " : "missed:";
  const std::size_t at = rest.find(mark);
  if (at == rest.npos)
    return {};
  std::string_view reason = trim(rest.substr(at + mark.size()));
  if (family == Family::Clang) {
    if (reason.find("-Rpass") == reason.npos)
      return {};
    reason = trim(reason.substr(0, reason.rfind(" [-Rpass")));
  } else if (!reason.starts_with("couldn't vectorize") && !reason.starts_with("not vectorized")) {
    return {}; // g++ lists everything that it tried; the rest is useless without its sources
  }
  std::string text(reason.substr(0, kReasonBytes));
  std::ranges::replace_if(text, [](unsigned char byte) { return byte < 0x20 || byte > 0x7e; }, ' ');
  return text;
}

} // namespace

std::vector<std::string> missedOptions(Family family) {
  if (family == Family::Clang)
    return {"-Rpass-missed=loop-vectorize", "-Rpass-analysis=loop-vectorize"};
  return {"-fopt-info-vec-missed"};
}

std::vector<MissedLoop> missedLoops(std::string_view diagnostics, Family family, std::string_view unitFile,
                                    const OwnLine &ownLine, std::size_t most) {
  std::vector<MissedLoop> missed;
  while (!diagnostics.empty()) {
    const std::size_t end = std::min(diagnostics.find('\n'), diagnostics.size());
    const std::string_view line = diagnostics.substr(0, end);
    diagnostics.remove_prefix(std::min(end + 1, diagnostics.size()));
    if (!line.starts_with(unitFile) || line.size() < unitFile.size() + 2 || line[unitFile.size()] != ':')
      continue;
    const std::string place(line.substr(unitFile.size() + 1, 24));
    char *rest = nullptr;
    const unsigned long number = std::strtoul(place.c_str(), &rest, 10);
    const unsigned long column = *rest == ':' ? std::strtoul(rest + 1, nullptr, 10) : 0;
    const std::string reason = reasonIn(line.substr(unitFile.size()), family);
    const unsigned own = reason.empty() ? 0 : ownLine(unsigned(number), unsigned(column));
    if (own)
      missed.push_back({own, reason});
    if (missed.size() > 10000)
      break;
  }
  const auto order = [](const MissedLoop &a, const MissedLoop &b) {
    return a.line != b.line ? a.line < b.line : a.reason < b.reason;
  };
  std::ranges::sort(missed, order);
  const auto twice = std::ranges::unique(missed);
  missed.erase(twice.begin(), twice.end());
  if (missed.size() > most)
    missed.resize(most);
  return missed;
}

std::string missedText(const std::vector<MissedLoop> &missed) {
  std::string text;
  for (const MissedLoop &loop : missed)
    text += fmt::format("line {}: {}\n", loop.line, loop.reason);
  return text;
}

} // namespace agentic
