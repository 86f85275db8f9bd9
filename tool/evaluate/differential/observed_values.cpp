#include "tool/evaluate/differential/observed_values.h"

#include "tool/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace agentic {
namespace {

constexpr std::size_t kMostValues = 8;
constexpr std::string_view kMark = "agentic-kernel observed ";

bool isInteger(const Parameter &parameter) {
  static constexpr std::array<std::string_view, 11> kTypes = {
      "char",         "signed char", "unsigned char", "short",     "unsigned short",    "int",
      "unsigned int", "long",        "unsigned long", "long long", "unsigned long long"};
  std::string_view type = parameter.canonicalType;
  if (type.starts_with("const "))
    type.remove_prefix(6);
  return !parameter.name.empty() && std::ranges::find(kTypes, type) != kTypes.end();
}

} // namespace

std::string observingBody(const KernelSpec &spec) {
  // Declared here under a name of its own, so that a header's dprintf cannot conflict. The benchmark's own output may
  // have left a line open.
  std::string body = "{\n  int agentic_kernel_say(int, const char *, ...) __asm__(\"dprintf\");\n";
  for (const Parameter &parameter : spec.parameters)
    if (isInteger(parameter))
      body += "  agentic_kernel_say(2, \"\\n" + std::string(kMark) + "%s %lld\\n\", \"" + parameter.name +
              (spec.language == Language::C ? "\", (long long)(" : "\", static_cast<long long>(") + parameter.name +
              "));\n";
  return body + "  __builtin_abort();\n}";
}

void addObserved(const KernelSpec &spec, std::string_view output, ObservedValues &values) {
  for (const std::string &line : split(output, '\n')) {
    if (!line.starts_with(kMark))
      continue;
    const std::vector<std::string> words = split(std::string_view(line).substr(kMark.size()), ' ');
    const auto isNamed = [&](const Parameter &parameter) { return isInteger(parameter) && parameter.name == words[0]; };
    if (words.size() != 2 || std::ranges::none_of(spec.parameters, isNamed))
      continue;
    std::int64_t value = 0;
    const char *end = words[1].data() + words[1].size();
    if (const auto parsed = std::from_chars(words[1].data(), end, value); parsed.ec != std::errc() || parsed.ptr != end)
      continue;
    std::vector<std::int64_t> &known = values[words[0]];
    if (known.size() < kMostValues && std::ranges::find(known, value) == known.end())
      known.push_back(value);
  }
}

} // namespace agentic
