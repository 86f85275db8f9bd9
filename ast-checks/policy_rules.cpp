#include "ast-checks/checks.h"
#include "ast-checks/known_functions.h"
#include "ast-checks/pragma_rules.h"
#include "tool/base/text.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

// These change when code runs, who sees it, or what the compiler may assume.
constexpr auto kAttributes = std::to_array<std::string_view>({"alias",
                                                              "asm",
                                                              "cleanup",
                                                              "const",
                                                              "constructor",
                                                              "destructor",
                                                              "ifunc",
                                                              "init_priority",
                                                              "init_seg",
                                                              "naked",
                                                              "no_sanitize",
                                                              "no_sanitize_address",
                                                              "no_sanitize_memory",
                                                              "no_sanitize_undefined",
                                                              "optimize",
                                                              "optnone",
                                                              "overloadable",
                                                              "pure",
                                                              "retain",
                                                              "section",
                                                              "target",
                                                              "target_clones",
                                                              "tls_model",
                                                              "used",
                                                              "visibility",
                                                              "weak",
                                                              "weakref"});
constexpr auto kPragmas = std::to_array<std::string_view>(
    {"GCC optimize", "GCC target", "GCC system_header", "GCC visibility", "GCC push_options", "GCC poison",
     "clang attribute", "clang system_header", "clang optimize", "clang section", "clang fp", "STDC FENV_ACCESS",
     "STDC FP_CONTRACT", "redefine_extname", "weak", "init_seg", "push_macro", "pop_macro", "include_alias"});

struct Problem {
  std::string what, next;
};
using Judge = Problem (*)(const std::string &name);

Problem unknownCheck(const std::string &name) {
  std::vector<std::string> names;
  for (const CheckInfo &check : allChecks())
    names.emplace_back(check.name);
  const std::string near = didYouMean(name, names);
  return {"there is no such check",
          near.empty() ? "'agentic-kernel check --list' names them" : "did you mean '" + near + "'?"};
}

const CheckInfo *findCheck(const std::string &name) {
  const auto checks = allChecks();
  const auto found = std::ranges::find(checks, name, &CheckInfo::name);
  return found == checks.end() ? nullptr : &*found;
}

Problem allowedCheck(const std::string &name) {
  const CheckInfo *check = findCheck(name);
  if (!check)
    return unknownCheck(name);
  if (check->kind == CheckKind::Note)
    return {"it makes notes only, which reject nothing", "remove it"};
  if (check->kind == CheckKind::UnlessAllowed)
    return {};
  return {"what it refuses makes results or measurements worthless, so no policy can allow it",
          "allow single functions, headers, attributes or pragmas by name"};
}

Problem forbiddenCheck(const std::string &name) {
  const CheckInfo *check = findCheck(name);
  if (!check)
    return unknownCheck(name);
  return check->kind == CheckKind::Note ? Problem{}
                                        : Problem{"it refuses already", "remove it; only notes can be made findings"};
}

Problem allowedFunction(const std::string &name) {
  if (name.find('*') < 2)
    return {"it stands for nearly everything", "write the beginning of the names"};
  const Known known = knownFunction(name.ends_with('*') ? name.substr(0, name.size() - 1) : name);
  if (known == Known::Unlisted || known == Known::Legal)
    return {};
  return {known == Known::Thread       ? "threads cannot be allowed"
          : known == Known::Allocation ? "memory from the heap cannot be allowed"
                                       : "input, output, clocks and process state cannot be allowed",
          "a kernel may only compute from its arguments"};
}

Problem allowedHeader(const std::string &name) {
  const bool isBracketed =
      name.size() > 2 && ((name.front() == '<' && name.back() == '>') || (name.front() == '"' && name.back() == '"'));
  if (!isBracketed)
    return {"it is no header as #include has it", "write <vendor/math.h> with its brackets"};
  if (name[1] == '/' || name.find("..") != std::string::npos || name.find('*') != std::string::npos)
    return {"it may name any file", "write the path below an include folder"};
  return {};
}

Problem allowedAttribute(const std::string &name) {
  const std::string plain = name.substr(name.rfind(':') + 1); // npos + 1 = 0
  const bool isNever = std::ranges::any_of(kAttributes, [&](std::string_view never) {
    return plain == never || (plain.ends_with('*') && never.starts_with(plain.substr(0, plain.size() - 1)));
  });
  return isNever ? Problem{"it changes when code runs, who sees it or what is measured, so no policy can allow it",
                           "remove it"}
                 : Problem{};
}

Problem allowedPragma(const std::string &name) {
  const bool isNever = std::ranges::any_of(kPragmas, [&](std::string_view never) {
    return name == never || (name.ends_with('*') && never.starts_with(name.substr(0, name.size() - 1)));
  });
  if (isNever || pragmaKind(name) == PragmaKind::Threads)
    return {"it changes what the compiler makes of all code, so no policy can allow it", "remove it"};
  return name == pragmaTitle(name) || name.ends_with('*')
             ? Problem{}
             : Problem{"it is more than the words that name a pragma", "write '" + pragmaTitle(name) + "'"};
}

Problem anything(const std::string &) {
  return {};
}

struct PolicyRow {
  const char *list;
  std::vector<std::string> PolicyRules::*names;
  Judge allowed, forbidden;
};
constexpr PolicyRow kPolicyRows[] = {{"checks", &PolicyRules::checks, allowedCheck, forbiddenCheck},
                                     {"functions", &PolicyRules::functions, allowedFunction, anything},
                                     {"headers", &PolicyRules::headers, allowedHeader, anything},
                                     {"attributes", &PolicyRules::attributes, allowedAttribute, anything},
                                     {"pragmas", &PolicyRules::pragmas, allowedPragma, anything}};

} // namespace

Result<void> verifyPolicy(const Policy &policy) {
  for (const PolicyRow &row : kPolicyRows)
    for (const bool isAllow : {true, false})
      for (const std::string &name : (isAllow ? policy.allow : policy.forbid).*row.names) {
        const Problem problem = (isAllow ? row.allowed : row.forbidden)(name);
        if (!problem.what.empty())
          return userError("the policy '" + std::string(kPolicyFile) + "' is wrong: '" + name + "' in " +
                               (isAllow ? "allow." : "forbid.") + row.list + ": " + problem.what,
                           problem.next);
      }
  return {};
}

} // namespace agentic::checks
