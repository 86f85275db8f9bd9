#include "tool/source/emit/emit_glue_c.h"

#include "tool/base/text.h"

#include <algorithm>
#include <regex>
#include <vector>

namespace agentic {
namespace {

std::vector<std::string> namesIn(const std::string &text) {
  static const std::regex kName(R"([A-Za-z_]\w*)");
  return {std::sregex_token_iterator(text.begin(), text.end(), kName), std::sregex_token_iterator()};
}

bool isBuiltin(const std::string &word) {
  return isOneOf(word, {"unsigned", "signed", "char", "short", "int", "long", "float", "double", "void", "const",
                        "volatile", "restrict", "_Bool", "_Complex", "__int128", "_Float16", "sizeof"});
}

/// Returns whether the type and the contract's expressions use names of SOURCE or its headers.
bool needsHeaders(const KernelSpec &spec) {
  const auto isForeign = [&](const std::string &text) {
    return std::ranges::any_of(namesIn(text), [&](const std::string &word) {
      return !isBuiltin(word) &&
             std::ranges::none_of(spec.parameters, [&](const Parameter &p) { return p.name == word; });
    });
  };
  return !std::ranges::all_of(namesIn(spec.canonicalType), isBuiltin) ||
         std::ranges::any_of(spec.contract.extents, [&](const Extent &extent) { return isForeign(extent.text); }) ||
         std::ranges::any_of(spec.contract.requirements, isForeign);
}

/// Returns the directives and types of SOURCE, in its order.
std::string surroundings(const KernelSpec &spec) {
  std::string text;
  for (const std::string &directive : spec.prelude)
    text += directive + "\n";
  for (const Fragment &fragment : spec.closure)
    if (fragment.kind == Fragment::Kind::Macro)
      text += "#undef " + fragment.name + "\n" + fragment.text + "\n";
    else if (fragment.kind == Fragment::Kind::Type || fragment.kind == Fragment::Kind::Using)
      text += copyOf(fragment) + "\n";
  return text;
}

/// Puts a name before the parameter list of a function's type.
std::string declared(const std::string &type, const std::string &name) {
  int depth = 0;
  for (std::size_t i = type.size(); i-- > 0;) {
    depth += type[i] == ')' ? 1 : type[i] == '(' ? -1 : 0;
    if (depth == 0 && type[i] == '(')
      return type.substr(0, i) + name + type.substr(i);
  }
  return type + " " + name;
}

} // namespace

std::string typeInCxx(const KernelSpec &spec) {
  // An array of a length that a parameter gives: C++ has none.
  static const std::regex kVariable(R"(\[[^\]]*[A-Za-z_*])");
  if (std::regex_search(spec.canonicalType, kVariable))
    return "#error \"the type '" + replaceAll(spec.canonicalType, "\"", "'") + "' has no spelling in C++\"\n";
  static const std::regex kRestrict(R"(\brestrict\b)"), kBool(R"(\b_Bool\b)");
  const std::string type =
      std::regex_replace(std::regex_replace(spec.canonicalType, kRestrict, "__restrict"), kBool, "bool");
  return (needsHeaders(spec) ? surroundings(spec) : std::string()) + "typedef " + declared(type, "agentic_type") +
         ";\n";
}

} // namespace agentic
