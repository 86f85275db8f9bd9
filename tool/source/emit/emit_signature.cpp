#include "tool/source/emit/emit_signature.h"

#include "tool/base/text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <regex>

namespace agentic {
namespace {

bool isSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Returns `text` with comments and the insides of literals blanked, so that brackets and commas can be trusted.
std::string masked(std::string text) {
  std::size_t i = 0;
  auto blankTo = [&](std::size_t end) {
    for (end = std::min(end, text.size()); i < end; ++i)
      if (text[i] != '\n')
        text[i] = ' ';
  };
  while (i < text.size()) {
    if (text.compare(i, 2, "//") == 0) {
      blankTo(text.find('\n', i));
    } else if (text.compare(i, 2, "/*") == 0) {
      std::size_t end = text.find("*/", i + 2);
      blankTo(end == std::string::npos ? end : end + 2);
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i])
        end += text[end] == '\\' ? 2 : 1;
      ++i;
      blankTo(end);
      ++i;
    } else {
      ++i;
    }
  }
  return text;
}

struct Range {
  std::size_t begin, end;
};

/// Returns the top-level parts of the parameter list that opens at `open`; empty if it never closes.
std::vector<Range> parameterRanges(const std::string &mask, std::size_t open) {
  std::vector<Range> ranges;
  int depth = 0, angles = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < mask.size(); ++i) {
    const char c = mask[i];
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    else if (c == '<')
      ++angles;
    else if (c == '>' && mask[i - 1] != '-')
      angles = std::max(0, angles - 1);
    if ((c == ',' && depth == 1 && angles == 0) || depth == 0) {
      ranges.push_back({begin, i});
      begin = i + 1;
    }
    if (depth == 0)
      return ranges;
  }
  return {};
}

/// Returns the place for the name of an unnamed parameter: inside `(*)` or `(&)`, before `[n]`, else after the type.
std::size_t namePosition(const std::string &mask, Range range) {
  std::size_t end = mask.find('=', range.begin);
  end = std::min(end, range.end);
  static const std::regex kPointerToFunctionOrArray(R"(\(\s*([A-Za-z_]\w*::)*[*&]+\s*)");
  std::smatch match;
  const std::string piece = mask.substr(range.begin, end - range.begin);
  if (std::regex_search(piece, match, kPointerToFunctionOrArray))
    return range.begin + static_cast<std::size_t>(match.position() + match.length());
  static const std::regex kArray(R"(\[[^\[])");
  static const std::regex kAttribute(R"(\[\[.*\]\])");
  if (std::regex_search(piece, match, kArray) && !std::regex_search(piece, kAttribute))
    return range.begin + static_cast<std::size_t>(match.position());
  while (end > range.begin && isSpace(mask[end - 1]))
    --end;
  return end;
}

/// Returns the definition with internal linkage, which C has by `static` alone. Standard attributes stay in front.
std::string baselineTextC(const KernelSpec &spec) {
  const WrittenText &written = spec.written;
  const std::string mask = masked(written.text);
  std::string specifiers = written.text.substr(0, written.nameBegin);
  std::size_t front = 0;
  for (std::size_t at; (at = mask.find_first_not_of(" \t\n", front)) != std::string::npos &&
                       mask.compare(at, 2, "[[") == 0 && mask.find("]]", at) < written.nameBegin;)
    front = mask.find("]]", at) + 2;
  if (!spec.isStatic) {
    static const std::regex kExtern(R"(\bextern\b[ \t]*)");
    std::smatch match;
    const std::string rest = mask.substr(front, written.nameBegin - front);
    if (std::regex_search(rest, match, kExtern))
      specifiers.erase(front + static_cast<std::size_t>(match.position()), static_cast<std::size_t>(match.length()));
    specifiers.insert(front, front == 0 ? "static " : " static ");
  }
  return specifiers + baselineName(spec.kernel) + written.text.substr(written.nameEnd);
}

std::string trimmedEnd(std::string text) {
  while (!text.empty() && isSpace(text.back()))
    text.pop_back();
  return text;
}

} // namespace

std::string baselineName(std::string_view kernel) {
  return "agentic_kernel_baseline_" + std::string(kernel);
}

std::string baselineText(const KernelSpec &spec) {
  if (spec.language == Language::C)
    return baselineTextC(spec);
  static const std::regex kExternC(R"re(\bextern\s*"C(\+\+)?"[ \t]*)re");
  const WrittenText &written = spec.written;
  const std::string specifiers = std::regex_replace(written.text.substr(0, written.nameBegin), kExternC, "");
  return specifiers + baselineName(spec.kernel) + written.text.substr(written.nameEnd);
}

std::vector<std::string> qualifyingNamespaces(const KernelSpec &spec) {
  std::string name;
  const WrittenText &written = spec.written;
  for (char c : written.text.substr(written.nameBegin, written.nameEnd - written.nameBegin))
    if (!isSpace(c))
      name += c;
  std::vector<std::string> parts;
  for (std::size_t at = 0, next; (next = name.find("::", at)) != std::string::npos; at = next + 2)
    if (next > at)
      parts.push_back(name.substr(at, next - at));
  parts.resize(parts.size() - std::min(parts.size(), spec.classes));
  // A namespace alias cannot be reopened under its alias, so the real names are taken, as many as were written.
  const auto known = [&](const std::string &part) { return std::ranges::count(spec.namespaces, part) > 0; };
  if (!std::ranges::all_of(parts, known) && parts.size() <= spec.namespaces.size())
    return {spec.namespaces.end() - static_cast<std::ptrdiff_t>(parts.size()), spec.namespaces.end()};
  return parts;
}

Result<Dispatcher> dispatcherSignature(const KernelSpec &spec) {
  const WrittenText &written = spec.written;
  Dispatcher result{trimmedEnd(written.text.substr(0, written.bodyBegin)), {}};
  const std::string mask = masked(result.signature);
  if (mask.find("...", written.nameEnd) != std::string::npos)
    return userError(fmt::format("kernel '{}': '{}' takes variable arguments, which cannot be passed on", spec.kernel,
                                 spec.function),
                     "move the hot loop into a function with fixed parameters and mark that one");
  for (const Parameter &parameter : spec.parameters)
    result.arguments.push_back(parameter.name);
  if (std::ranges::all_of(result.arguments, [](const std::string &name) { return !name.empty(); }))
    return result;

  const std::size_t open = mask.find('(', written.nameEnd);
  const std::vector<Range> ranges = open == std::string::npos ? std::vector<Range>{} : parameterRanges(mask, open);
  if (ranges.size() != spec.parameters.size())
    return userError(fmt::format("kernel '{}': a parameter of '{}' has no name and its place is not clear", spec.kernel,
                                 spec.function),
                     "give every parameter of the kernel a name");
  for (std::size_t i = ranges.size(); i-- > 0;) { // backwards, so that earlier positions stay valid
    if (!result.arguments[i].empty())
      continue;
    result.arguments[i] = fmt::format("agentic_kernel_argument_{}", i);
    result.signature.insert(namePosition(mask, ranges[i]), " " + result.arguments[i]);
  }
  return result;
}

} // namespace agentic
