#include "tool/source/candidate/candidate_closure.h"

#include "tool/base/text.h"
#include "tool/source/parse/lexed_text.h"

#include <algorithm>

namespace agentic {
namespace {

using Path = std::vector<std::string>;

bool isCopy(const Fragment &fragment) {
  return !fragment.inSignature && fragment.kind != Fragment::Kind::Directive;
}

bool isMacro(const Fragment &fragment) {
  return fragment.kind == Fragment::Kind::Macro || fragment.kind == Fragment::Kind::Directive;
}

Path named(const Path &path) {
  Path result;
  std::ranges::copy_if(path, std::back_inserter(result), [](const std::string &name) { return !name.empty(); });
  return result;
}

/// Returns the namespaces below the unit's own that a copy needs, so that `detail::helper` still names it.
Path below(const Path &kernel, const Fragment &fragment) {
  const Path path = named(fragment.namespaces);
  std::size_t common = 0;
  while (common < path.size() && common < kernel.size() && path[common] == kernel[common])
    ++common;
  return Path(path.begin() + static_cast<std::ptrdiff_t>(common), path.end());
}

void addMacro(const Fragment &fragment, UnitText &unit) {
  unit.freshLine();
  unit.add("#undef " + fragment.name + "\n" + fragment.text + "\n");
}

bool usesQualified(std::string_view text, const std::set<std::string> &names) {
  const LexedText lexed = lexText(text);
  for (std::size_t i = 1; i < lexed.tokens.size(); ++i)
    if (lexed.is(i - 1, "::") && names.contains(std::string(lexed.spelling(i))))
      return true;
  return false;
}

} // namespace

std::string unqualified(const std::string &name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

bool hasCopies(const KernelSpec &spec) {
  return std::ranges::any_of(spec.closure, isCopy);
}

std::set<std::string> copiedNames(const KernelSpec &spec) {
  std::set<std::string> names;
  for (const Fragment &fragment : spec.closure)
    if (isCopy(fragment) && !isMacro(fragment) && !fragment.name.empty())
      names.insert(unqualified(fragment.name));
  return names;
}

void addSignatureTypes(const KernelSpec &spec, UnitText &unit) {
  for (const Fragment &fragment : spec.closure) {
    if (fragment.kind == Fragment::Kind::Macro &&
        std::ranges::any_of(spec.closure, [](const Fragment &other) { return other.inSignature; }))
      addMacro(fragment, unit);
    if (!fragment.inSignature || isMacro(fragment))
      continue;
    // A function with a body would be a second external symbol.
    const bool wrap = fragment.kind == Fragment::Kind::Function && fragment.text.ends_with('}') &&
                      !fragment.text.starts_with("extern");
    std::string opening, closing;
    for (const std::string &name : fragment.namespaces) {
      opening += name.empty() ? "namespace { " : "namespace " + name + " { ";
      closing += " }";
    }
    unit.freshLine();
    unit.add(opening + (wrap ? "namespace { " : "") + copyOf(fragment) + (wrap ? " }" : "") + closing + "\n");
  }
}

void addCopies(const KernelSpec &spec, UnitText &unit) {
  if (!hasCopies(spec))
    return;
  unit.freshLine();
  unit.add("namespace {\n");
  Path open;
  const auto enter = [&](const Path &path) {
    if (path == open)
      return;
    unit.freshLine();
    if (!open.empty())
      unit.add("} // namespace " + join(open, "::") + "\n");
    if (!path.empty())
      unit.add("namespace " + join(path, "::") + " {\n");
    open = path;
  };
  std::set<Path> entered;
  for (const Fragment &fragment : spec.closure) {
    if (!isCopy(fragment))
      continue;
    if (isMacro(fragment)) {
      addMacro(fragment, unit);
      continue;
    }
    const Path path = below(spec.namespaces, fragment);
    enter(path);
    // Headers' declarations in the namespace that this one replaces stay visible.
    if (!path.empty() && entered.insert(named(fragment.namespaces)).second)
      unit.add("using namespace ::" + join(named(fragment.namespaces), "::") + ";\n");
    unit.add(copyOf(fragment));
    unit.freshLine();
  }
  enter({});
  unit.freshLine();
  unit.add("} // namespace\n");
}

std::string reachQualified(const KernelSpec &spec, const std::string &inner, std::string_view text) {
  const std::set<std::string> names = copiedNames(spec);
  std::string result;
  std::set<Path> declared;
  for (const Fragment &fragment : spec.closure)
    if (isCopy(fragment) && !isMacro(fragment) && !below(spec.namespaces, fragment).empty() &&
        declared.insert(named(fragment.namespaces)).second)
      result += "namespace " + join(named(fragment.namespaces), "::") + " {}\n";
  const bool used = usesQualified(text, names) || std::ranges::any_of(spec.closure, [&](const Fragment &fragment) {
                      return usesQualified(fragment.text, names);
                    });
  if (!used)
    return result;
  Path path = spec.namespaces;
  path.push_back(inner);
  const std::string full = join(path, "::");
  result += "namespace " + full + " {}\n";
  Path enclosing;
  result += "using namespace ::" + full + ";\n";
  for (const std::string &name : spec.namespaces) {
    enclosing.push_back(name);
    result += "namespace " + join(enclosing, "::") + " { using namespace ::" + full + "; }\n";
  }
  for (const Path &place : declared) {
    Fragment fragment;
    fragment.namespaces = place;
    const std::string mirror = full + "::" + join(below(spec.namespaces, fragment), "::");
    // The path goes through an unnamed namespace: the mirror is in one, which `full` reaches by name.
    result +=
        "namespace " + full + " { namespace { namespace " + join(below(spec.namespaces, fragment), "::") + " {} } }\n";
    result += "namespace " + join(place, "::") + " { using namespace ::" + mirror + "; }\n";
  }
  return result;
}

} // namespace agentic
