#include "tool/evaluate/instruments/sanitize_report.h"

#include "tool/base/text.h"

#include <array>
#include <cctype>
#include <charconv>

namespace agentic {
namespace {

constexpr std::size_t kLongestSummary = 200, kMostFrames = 32, kMostReports = 1000;

bool isAlnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Replaces numbers outside quotes by '?': they are values of calls. Sizes in types stay ("32-bit type").
std::string withoutValues(std::string_view text) {
  std::string out;
  bool isQuoted = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\'')
      isQuoted = !isQuoted;
    const bool isNumber = !isQuoted && std::isdigit(static_cast<unsigned char>(c)) != 0 &&
                          (i == 0 || (!isAlnum(text[i - 1]) && text[i - 1] != '_'));
    if (!isNumber) {
      out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : ' ';
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (isAlnum(text[end]) || text[end] == '.' ||
                                 ((text[end] == '+' || text[end] == '-') && (text[end - 1] == 'e'))))
      ++end;
    const std::string_view behind = text.substr(end);
    const bool isSize = behind.starts_with("-bit") || behind.starts_with(" byte");
    if (!isSize && !out.empty() && out.back() == '-')
      out.pop_back();
    out += isSize ? text.substr(i, end - i) : std::string_view("?");
    i = end;
  }
  return out.substr(0, kLongestSummary);
}

unsigned numberAtEnd(std::string_view &text) {
  const std::size_t colon = text.rfind(':');
  unsigned value = 0;
  if (colon == std::string_view::npos ||
      std::from_chars(text.data() + colon + 1, text.data() + text.size(), value).ec != std::errc())
    return 0;
  text = text.substr(0, colon);
  return value;
}

/// "/tmp/unit.cpp:12:3: runtime error: …"
bool readUndefined(std::string_view line, SanitizerReport &report) {
  constexpr std::string_view kMark = ": runtime error: ";
  const std::size_t mark = line.find(kMark);
  if (mark == std::string_view::npos)
    return false;
  report.summary = withoutValues(trim(line.substr(mark + kMark.size())));
  std::string_view place = line.substr(0, mark);
  const unsigned last = numberAtEnd(place), first = numberAtEnd(place);
  report.line = first != 0 ? first : last;
  report.column = first != 0 ? last : 0;
  report.file = place.substr(place.rfind('/') + 1);
  return true;
}

/// "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x… at pc …",
/// "==7==WARNING: MemorySanitizer: use-of-uninitialized-value"
bool readAddress(std::string_view line, SanitizerReport &report) {
  for (const std::string_view mark :
       {"ERROR: AddressSanitizer: ", "WARNING: MemorySanitizer: ", "ERROR: MemorySanitizer: "})
    if (const std::size_t at = line.find(mark); at != std::string_view::npos) {
      const std::string_view what = line.substr(at + mark.size());
      report.summary = withoutValues(what.substr(0, what.find(' ')));
      return true;
    }
  return false;
}

/// "    #1 0x7f…  (/tmp/candidate.so+0x1234) (BuildId: …)"
void readFrame(std::string_view line, std::string_view sharedObject, SanitizerReport &report) {
  const std::string mark = "/" + std::string(sharedObject) + "+0x";
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos || !trim(line).starts_with('#') || report.frames.size() >= kMostFrames)
    return;
  std::uint64_t offset = 0;
  const std::string_view digits = line.substr(at + mark.size());
  if (std::from_chars(digits.data(), digits.data() + digits.size(), offset, 16).ec == std::errc())
    report.frames.push_back(offset);
}

} // namespace

std::vector<SanitizerReport> parseSanitizerReports(std::string_view log, std::string_view sharedObject) {
  std::vector<SanitizerReport> reports;
  bool isMemory = false, isStack = false; // inside AddressSanitizer's report, the last of its process
  while (!log.empty() && reports.size() < kMostReports) {
    const std::size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end), text = trim(line);
    log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
    if (!isMemory) {
      SanitizerReport report;
      isMemory = !readUndefined(line, report) && readAddress(line, report);
      if (!report.summary.empty())
        reports.push_back(std::move(report));
      continue;
    }
    SanitizerReport &memory = reports.back();
    if (!isStack && (text.starts_with("READ of size") || text.starts_with("WRITE of size")))
      memory.summary += text.starts_with("READ") ? " (a read)" : " (a write)";
    // Only the frames of the access count: those after an empty line show where the memory was allocated.
    if (isStack && text.empty())
      return reports;
    isStack = isStack || text.starts_with("#0");
    readFrame(line, sharedObject, memory);
  }
  return reports;
}

std::string sanitizerGroup(std::string_view summary) {
  struct Row {
    std::string_view words, group;
  };
  static constexpr std::array kRows = {
      Row{"signed integer overflow", "signed-integer-overflow"},
      Row{"negation of", "signed-integer-overflow"},
      Row{"division by zero", "integer-divide-by-zero"},
      Row{"division of", "signed-integer-overflow"},
      Row{"shift", "shift"},
      Row{"out of bounds for type", "bounds"},
      Row{"misaligned", "alignment"},
      Row{"null pointer of type", "null"},
      Row{"null pointer passed", "nonnull-attribute"},
      Row{"pointer", "pointer-overflow"},
      Row{"outside the range of representable", "float-cast-overflow"},
      Row{"not a valid value for type 'bool'", "bool"},
      Row{"not a valid value for type", "enum"},
      Row{"insufficient space", "object-size"},
      Row{"variable length array", "vla-bound"},
  };
  for (const Row &row : kRows)
    if (summary.find(row.words) != std::string_view::npos)
      return std::string(row.group);
  return {};
}

} // namespace agentic
