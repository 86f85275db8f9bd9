#include "tool/build/compile.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace agentic {
namespace {

constexpr std::size_t kFeedbackBytes = 4096;
constexpr std::size_t kRawBytes = 1024;

struct Diagnostic {
  std::string severity; ///< "error", "warning", "note", "fatal error"
  std::string text;     ///< with its source excerpt, ready to print
};

struct Header {
  std::string_view file;
  unsigned line = 0, column = 0;
  std::string_view severity, message;
};

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// Takes a number off the end of "text:12"; nullopt (and no change) when there is none.
std::optional<unsigned> takeNumber(std::string_view &text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  const auto value = number(text.substr(colon + 1));
  if (value)
    text = text.substr(0, colon);
  return value;
}

/// Splits "file:12:3: error: message" and "file:12: error: message"; also "g++: error: message" (no line).
std::optional<Header> parseHeader(std::string_view line) {
  std::optional<Header> header;
  for (std::string_view severity :
       {"fatal error", "error", "warning", "note", "sorry, unimplemented", "internal compiler error"}) {
    const std::string mark = ": " + std::string(severity) + ": ";
    const std::size_t position = line.find(mark);
    if (position != std::string_view::npos && (!header || position < header->file.size()))
      header = Header{line.substr(0, position), 0, 0, severity, line.substr(position + mark.size())};
  }
  if (!header)
    return header;
  if (const auto last = takeNumber(header->file)) {
    const auto first = takeNumber(header->file);
    header->line = first ? *first : *last;
    header->column = first ? *last : 0;
  }
  return header;
}

/// "   12 |   code" and "      |   ^~~": the text after the bar; nullopt for other lines.
std::optional<std::string_view> excerpt(std::string_view line) {
  const std::size_t bar = line.find(" | ");
  if (bar == std::string_view::npos || line.find_first_not_of(" 0123456789+") < bar)
    return std::nullopt;
  return line.substr(bar + 3);
}

std::string_view baseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

class Filter {
public:
  Filter(std::string_view unitFile, std::string_view candidateName, const PositionMap &map)
      : unitFile_(unitFile), candidateName_(candidateName), map_(map) {}

  void line(std::string_view text) {
    if (const auto header = parseHeader(text))
      return begin(*header);
    if (const auto source = excerpt(text); source && ownText_ && !groups_.empty())
      groups_.back().text += "    " + std::string(*source) + "\n";
  }

  std::string take() {
    std::string out;
    std::size_t left = groups_.size();
    for (const Diagnostic &group : errorsFirst()) {
      if (out.size() + group.text.size() > kFeedbackBytes - 64)
        return out.empty() ? group.text.substr(0, kFeedbackBytes - 64) + "…\n"
                           : out + "(" + std::to_string(left) + " more diagnostics)\n";
      out += group.text;
      --left;
    }
    return out;
  }

private:
  void begin(const Header &header) {
    std::string where(baseName(header.file));
    ownText_ = false;
    if (header.file == unitFile_) { // not by its last name: a line marker can point to another file of that name
      where = candidateName_;
      const LineColumn position =
          map_ && header.line ? map_(header.line, header.column) : LineColumn{header.line, header.column};
      ownText_ = position.line > 0;
      if (ownText_)
        where += ":" + std::to_string(position.line) +
                 (position.column ? ":" + std::to_string(position.column) : std::string());
    }
    std::string text = where + ": " + std::string(header.severity) + ": " + clean(header.message) + "\n";
    // A note belongs to the diagnostic before it and must stay with it when errors are moved to the front.
    if (header.severity == "note" && !groups_.empty())
      groups_.back().text += text;
    else
      groups_.push_back({std::string(header.severity), std::move(text)});
  }

  std::vector<Diagnostic> errorsFirst() const {
    std::vector<Diagnostic> out;
    for (const bool warnings : {false, true})
      std::copy_if(groups_.begin(), groups_.end(), std::back_inserter(out),
                   [&](const Diagnostic &group) { return (group.severity == "warning") == warnings; });
    return out;
  }

  std::string clean(std::string_view message) const {
    return replaceAll(std::string(message), unitFile_, candidateName_);
  }

  std::string_view unitFile_, candidateName_;
  const PositionMap &map_;
  bool ownText_ = false;
  std::vector<Diagnostic> groups_;
};

} // namespace

std::string filterDiagnostics(const std::string &diagnostics, const std::string &unitFile,
                              const std::string &candidateName, const PositionMap &map) {
  Filter filter(unitFile, candidateName, map);
  for (const std::string &line : split(diagnostics, '\n'))
    filter.line(line);
  const std::string out = filter.take();
  // A compiler that ran out of memory or crashed does not use the usual form; its last words are better than none.
  const std::string_view raw = trim(diagnostics);
  return out.empty() ? replaceAll(std::string(raw.substr(raw.size() - std::min(raw.size(), kRawBytes))), unitFile,
                                  candidateName)
                     : out;
}

} // namespace agentic
