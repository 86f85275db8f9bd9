#include "tool/red_team/red_team_row.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <algorithm>
#include <functional>
#include <set>

namespace agentic {
namespace {

/// "const float *" → "const float"; nullopt if it is no pointer.
std::optional<std::string> pointee(const std::string &type) {
  const std::size_t star = type.rfind('*');
  if (star == std::string::npos || type.find('(') != std::string::npos)
    return std::nullopt;
  return std::string(trim(type.substr(0, star)));
}

bool isConst(const std::string &type) {
  return type.starts_with("const ") || type.ends_with(" const");
}

const Parameter *firstPointer(const KernelSpec &spec, bool toConst) {
  for (const Parameter &parameter : spec.parameters)
    if (const auto element = pointee(parameter.canonicalType); element && isConst(*element) == toConst)
      return &parameter;
  return nullptr;
}

bool isInteger(const std::string &canonicalType) {
  static const std::set<std::string> kTypes = {"int",       "unsigned int",       "long",  "unsigned long",
                                               "long long", "unsigned long long", "short", "unsigned short"};
  return kTypes.contains(canonicalType.starts_with("const ") ? canonicalType.substr(6) : canonicalType);
}

bool isFloating(const std::string &type) {
  return type == "float" || type == "double";
}

/// Returns the type of the output: the first output's elements, or the result.
std::string outputType(const KernelSpec &spec) {
  if (const Parameter *output = firstPointer(spec, false))
    return *pointee(output->canonicalType);
  return std::string(trim(spec.canonicalType.substr(0, spec.canonicalType.find('('))));
}

using Filling = std::expected<std::string, std::string>; // unexpected: why the kernel has no such thing

Filling extentFilling(const KernelSpec &spec, const std::string &pointer) {
  const Extent *extent = extentOf(spec.contract, pointer);
  if (!extent)
    return std::unexpected("the extent of '" + pointer + "' is not declared");
  return "(" + extent->text + ")";
}

Filling pointerFilling(const KernelSpec &spec, bool toConst, const std::string &what) {
  const Parameter *parameter = firstPointer(spec, toConst);
  if (!parameter || parameter->name.empty())
    return std::unexpected(toConst ? "it reads through no pointer" : "it writes through no pointer");
  if (what == "TYPE")
    return *pointee(parameter->canonicalType);
  return what == "EXTENT" ? extentFilling(spec, parameter->name) : parameter->name;
}

Filling argumentsFilling(const KernelSpec &spec) {
  std::vector<std::string> names;
  for (const Parameter &parameter : spec.parameters) {
    if (parameter.name.empty())
      return std::unexpected("it has a parameter without a name");
    names.push_back(parameter.name);
  }
  return join(names, ", ");
}

Filling countFilling(const KernelSpec &spec) {
  for (const Parameter &parameter : spec.parameters)
    if (isInteger(parameter.canonicalType) && !parameter.name.empty())
      return parameter.name;
  return std::unexpected("it has no integer parameter");
}

/// Returns the name of the pointer at `index` among the pointers, of any type.
Filling anyPointerFilling(const KernelSpec &spec, std::size_t index) {
  for (const Parameter &parameter : spec.parameters)
    if (pointee(parameter.canonicalType) && !parameter.name.empty() && index-- == 0)
      return parameter.name;
  return std::unexpected("it takes too few pointers");
}

std::string helperFilling(const KernelSpec &spec, const std::string &name) {
  std::string head = spec.signature;
  head.replace(spec.nameBegin, spec.nameEnd - spec.nameBegin, name);
  return spec.isStatic || spec.isExternC ? head : "static " + head;
}

Filling filling(const KernelSpec &spec, const std::string &placeholder) {
  if (placeholder == "SIGNATURE")
    return spec.signature;
  if (placeholder == "BODY")
    return spec.body;
  if (placeholder == "NAME")
    return spec.function;
  if (placeholder == "KERNEL")
    return spec.kernel;
  if (placeholder == "MANGLED")
    return spec.mangled;
  if (placeholder.starts_with("HELPER "))
    return helperFilling(spec, placeholder.substr(7));
  if (placeholder == "ARGUMENTS")
    return argumentsFilling(spec);
  if (placeholder == "COUNT")
    return countFilling(spec);
  if (placeholder == "FIRST" || placeholder == "SECOND")
    return anyPointerFilling(spec, placeholder == "FIRST" ? 0 : 1);
  if (placeholder == "FIRST_EXTENT") {
    const Filling first = anyPointerFilling(spec, 0);
    return first ? extentFilling(spec, *first) : first;
  }
  for (const auto &[prefix, toConst] : {std::pair("OUTPUT", false), std::pair("INPUT", true)})
    if (placeholder == prefix || placeholder.starts_with(std::string(prefix) + "_"))
      return pointerFilling(spec, toConst,
                            placeholder.substr(std::min(placeholder.size(), std::string(prefix).size() + 1)));
  return std::unexpected("the row has an unknown placeholder @" + placeholder + "@");
}

/// Returns why the kernel is not of this kind; empty if it is.
std::string unmet(const KernelSpec &spec, const std::string &condition) {
  if (condition == "floating-output")
    return isFloating(outputType(spec)) ? "" : "its results are not floating-point numbers";
  if (condition == "integer-output")
    return isInteger(outputType(spec)) ? "" : "its results are not integers of at least 16 bits";
  if (condition == "floating-input") {
    const Parameter *input = firstPointer(spec, true);
    return input && isFloating(std::string(trim(replaceAll(*pointee(input->canonicalType), "const", ""))))
               ? ""
               : "its input is not floating-point";
  }
  if (condition == "returns")
    return spec.canonicalType.starts_with("void (") ? "it returns nothing" : "";
  if (condition == "void")
    return spec.canonicalType.starts_with("void (") ? "" : "it returns a value";
  if (condition == "x86") {
#if defined(__x86_64__)
    return "";
#else
    return "it is for x86-64";
#endif
  }
  return "the row has an unknown condition '" + condition + "'";
}

Result<std::vector<ExpectedLayer>> parseLayers(const std::string &name, const std::string &words) {
  std::vector<ExpectedLayer> result;
  for (const std::string &word : split(words, ' ')) {
    if (word.empty())
      continue;
    const std::size_t colon = word.find(':');
    const std::string layer = word.substr(0, colon);
    const auto found = std::ranges::find_if(kLayers, [&](Layer one) { return layer == layerName(one); });
    if (found == kLayers.end())
      return userError("row '" + name + "' names a layer '" + layer + "' that there is not",
                       "use check, compile, audit, sandbox, test, differential, benchmark, sanitize or confirm");
    ExpectedLayer expected{.layer = *found, .checks = {}};
    if (colon != std::string::npos)
      expected.checks = split(word.substr(colon + 1), '|');
    result.push_back(std::move(expected));
  }
  return result;
}

/// The leading comment lines of the form "// key: value", and where they end.
struct Head {
  std::vector<std::pair<std::string, std::string>> lines; ///< key, whole line
  std::size_t end = 0;

  bool has(const std::string &key) const {
    return std::ranges::any_of(lines, [&](const auto &line) { return line.first == key; });
  }
  std::string value(const std::string &key) const {
    const auto found = std::ranges::find_if(lines, [&](const auto &line) { return line.first == key; });
    return found == lines.end() ? "" : std::string(trim(found->second.substr(key.size() + 5)));
  }
};

Head headOf(std::string_view text) {
  Head head;
  while (head.end < text.size()) {
    const std::size_t lineEnd = std::min(text.find('\n', head.end), text.size());
    const std::string_view line = text.substr(head.end, lineEnd - head.end);
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("// ") || colon == std::string_view::npos)
      break;
    head.lines.emplace_back(line.substr(3, colon - 3), line);
    head.end = std::min(lineEnd + 1, text.size());
  }
  return head;
}

/// A row of a theme: its own head, the lines of the theme's head that it does not replace, its code.
std::string textOfRow(const Head &theme, std::string_view part) {
  const Head own = headOf(part);
  std::string text(part.substr(0, own.end));
  for (const auto &[key, line] : theme.lines)
    if (key != "theme" && !own.has(key))
      text += line + "\n";
  return text + std::string(trim(part.substr(own.end))) + "\n";
}

} // namespace

const char *layerName(Layer layer) {
  switch (layer) {
  case Layer::Check:
    return "check";
  case Layer::Compile:
    return "compile";
  case Layer::Audit:
    return "audit";
  case Layer::Sandbox:
    return "sandbox";
  case Layer::Test:
    return "test";
  case Layer::Differential:
    return "differential";
  case Layer::Benchmark:
    return "benchmark";
  case Layer::Sanitize:
    return "sanitize";
  case Layer::Confirm:
    return "confirm";
  }
  return "";
}

bool RedTeamRow::names(Layer layer) const {
  return std::ranges::any_of(layers, [layer](const ExpectedLayer &one) { return one.layer == layer; });
}

Result<RedTeamRow> parseRedTeamRow(std::string name, std::string text) {
  const Head head = headOf(text);
  RedTeamRow row{.name = std::move(name), .text = std::move(text)};
  const std::string expect = head.value("expect");
  if (expect != "rejected" && expect != "valid")
    return userError("row '" + row.name + "' does not say what must become of it",
                     "begin it with \"// expect: rejected\" or \"// expect: valid\"");
  row.isHostile = expect == "rejected";
  row.trick = head.value(row.isHostile ? "trick" : "style");
  row.fault = head.value("fault");
  row.alone = head.value("alone");
  for (const std::string &condition : split(head.value("when"), ' '))
    if (!condition.empty())
      row.conditions.push_back(condition);
  std::vector<ExpectedLayer> layers = TRY(parseLayers(row.name, head.value("layers")));
  row.layers = std::move(layers);
  if (row.trick.empty() || row.isHostile == row.layers.empty())
    return userError("row '" + row.name + "' does not say " + (row.trick.empty() ? "what it does" : "who must see it"),
                     "a hostile row has \"// trick:\" and \"// layers:\", an honest one \"// style:\" alone");
  return row;
}

Result<std::vector<RedTeamRow>> parseRedTeamFile(const std::string &group, const std::string &file, std::string text) {
  constexpr std::string_view kMark = "\n// row: ";
  std::vector<RedTeamRow> rows;
  const Head theme = headOf(text);
  if (!theme.has("theme")) {
    rows.push_back(TRY(parseRedTeamRow(group + "/" + file, std::move(text))));
    return rows;
  }
  for (std::size_t begin = text.find(kMark); begin != std::string::npos;) {
    begin += kMark.size();
    const std::size_t nameEnd = std::min(text.find('\n', begin), text.size());
    const std::size_t end = text.find(kMark, nameEnd);
    const std::string_view part = std::string_view(text).substr(nameEnd, end - nameEnd);
    rows.push_back(TRY(parseRedTeamRow(group + "/" + std::string(trim(text.substr(begin, nameEnd - begin))),
                                       textOfRow(theme, part.substr(std::min<std::size_t>(1, part.size()))))));
    begin = end;
  }
  if (rows.empty())
    return userError("theme '" + group + "/" + file + "' has no row", "begin each with a line \"// row: NAME\"");
  return rows;
}

std::expected<std::string, std::string> redTeamCandidate(const RedTeamRow &row, const KernelSpec &spec) {
  for (const std::string &condition : row.conditions)
    if (std::string reason = unmet(spec, condition); !reason.empty())
      return std::unexpected(reason);
  std::string text;
  std::size_t at = 0;
  for (std::size_t open = row.text.find('@'); open != std::string::npos; open = row.text.find('@', at)) {
    const std::size_t close = row.text.find('@', open + 1);
    if (close == std::string::npos)
      return std::unexpected("the row has a placeholder without an end");
    Filling filled = filling(spec, row.text.substr(open + 1, close - open - 1));
    if (!filled)
      return std::unexpected(filled.error());
    text += row.text.substr(at, open - at) + *filled;
    at = close + 1;
  }
  return text + row.text.substr(at);
}

Result<std::vector<RedTeamRow>> loadRedTeam(const std::string &folder, const std::string &kernel) {
  std::vector<RedTeamRow> rows;
  for (const std::string &group : {std::string("any"), kernel}) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(fs::path(folder) / group, error))
      if (entry.path().extension() == ".cpp")
        files.push_back(entry.path());
    const std::size_t first = rows.size();
    for (const fs::path &file : files) {
      std::string text = TRY(readFile(file));
      for (RedTeamRow &row : TRY(parseRedTeamFile(group, file.stem().string(), std::move(text))))
        rows.push_back(std::move(row));
    }
    const auto own = std::ranges::subrange(rows.begin() + std::ptrdiff_t(first), rows.end());
    std::ranges::sort(own, {}, &RedTeamRow::name);
    if (const auto same = std::ranges::adjacent_find(own, {}, &RedTeamRow::name); same != own.end())
      return userError("row '" + same->name + "' is there twice in " + folder,
                       "give one of them another name; an earlier installation may have left files there");
  }
  if (rows.empty())
    return userError("there is no red team in " + folder + " for kernel '" + kernel + "'",
                     "give a folder with <kernel>/*.cpp or any/*.cpp to --rows");
  return rows;
}

} // namespace agentic
