#include "tool/agent/role_models.h"

#include "tool/agent/agent.h"
#include "tool/base/text.h"
#include "tool/model/role.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

namespace agentic {
namespace {

constexpr const char *kRoleForm =
    "write --role planner=MODEL,fixer,judge: a role without a model asks the agent's own, "
    "and the model none turns one off";

bool isRole(std::string_view name) {
  return std::ranges::find(kRoleNames, name) != kRoleNames.end();
}

/// Returns whether `text` begins with a role, rather than with what follows a comma in a model's name.
bool beginsRole(std::string_view text) {
  const std::string_view piece = text.substr(0, text.find(','));
  return isRole(trim(piece.substr(0, piece.find('='))));
}

std::vector<std::string_view> rolePieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',', comma + 1)) {
    const bool isInModel = text.substr(begin, comma - begin).contains('=') && !beginsRole(text.substr(comma + 1));
    if (isInModel)
      continue;
    pieces.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

Result<void> checkRole(const std::string &name, const std::string &form) {
  if (isRole(name))
    return {};
  const std::vector<std::string> names(kRoleNames.begin(), kRoleNames.end());
  return userError("there is no role '" + name + "'" + orMeant(name, names),
                   "the roles are " + join(names, ", ") + "; " + form);
}

std::unexpected<Error> namedTwice(const std::string &role) {
  return userError("the role '" + role + "' is named twice", "name it once");
}

struct RoleNumberForm {
  const char *what;
  double most;
  const char *next; ///< what to write
};

Result<RoleNumbers> parseRoleNumbers(std::string_view text, const RoleNumberForm &form) {
  RoleNumbers all;
  for (const std::string &piece : split(text, ',')) {
    const std::size_t equals = piece.find('=');
    const std::string role(trim(piece.substr(0, equals)));
    TRY(checkRole(role, form.next));
    const std::string value(equals == std::string::npos ? "" : trim(std::string_view(piece).substr(equals + 1)));
    double number = -1;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool isNumber = error == std::errc() && end == value.data() + value.size();
    if (!isNumber || !(number >= 0 && number <= form.most))
      return userError(fmt::format("the role '{}' has the {} '{}', which is no number from 0 to {:g}", role, form.what,
                                   value, form.most),
                       form.next);
    if (!all.emplace(role, number).second)
      return namedTwice(role);
  }
  return all;
}

} // namespace

Result<RoleModels> parseRoles(std::string_view text) {
  RoleModels all;
  for (const std::string_view piece : rolePieces(text)) {
    const std::size_t equals = piece.find('=');
    const std::string role(trim(piece.substr(0, equals)));
    TRY(checkRole(role, kRoleForm));
    const std::string model(equals == std::string_view::npos ? "" : trim(piece.substr(equals + 1)));
    const bool isModel = equals == std::string_view::npos || model == "none" || asksModel(model);
    if (!isModel)
      return userError("the role '" + role + "' has the model '" + model + "', which is none", kRoleForm);
    if (!all.emplace(role, model).second)
      return namedTwice(role);
  }
  const std::string coder(roleName(Role::Coder));
  if (const auto found = all.find(coder); found != all.end() && found->second == "none")
    return userError("a run without a coder has no candidates", "leave coder=none out");
  std::erase_if(
      all, [&](const auto &role) { return role.second == "none" || (role.first == coder && role.second.empty()); });
  return all;
}

Result<void> checkParallel(int parallel, const RoleModels &roles) {
  std::vector<std::string> others, off;
  for (const auto &[role, model] : roles)
    if (role != roleName(Role::Coder)) {
      others.push_back(role);
      off.push_back(role + "=none");
    }
  if (parallel <= 1 || others.empty())
    return {};
  return userError(fmt::format("--parallel {} cannot be used with the roles {}: they are asked between two replies, so "
                               "no more than one call is in flight",
                               parallel, join(others, ", ")),
                   "take --parallel 1, or turn the roles off: --role " + join(off, ","));
}

std::string rolesText(const RoleModels &roles) {
  std::string text;
  for (const auto &[role, model] : roles)
    text += (text.empty() ? "" : ",") + role + (model.empty() ? "" : "=" + model);
  return text;
}

Result<RoleNumbers> parseRoleTemperatures(std::string_view text) {
  return parseRoleNumbers(text,
                          {"temperature", 2, "write --role-temperature planner=1.0,judge=0: numbers from 0 to 2"});
}

Result<RoleNumbers> parseMenuDropouts(std::string_view text) {
  constexpr const char *kForm = "write --menu-dropout planner=0.7,coder=0.5: numbers from 0 to 1";
  RoleNumbers all = TRY(parseRoleNumbers(text, {"menu dropout", 1, kForm}));
  for (const auto &[role, dropout] : all)
    if (role != roleName(Role::Planner) && role != roleName(Role::Coder))
      return userError("the role '" + role + "' has no menu of ideas", kForm);
  return all;
}

std::string roleNumbersText(const RoleNumbers &numbers) {
  std::string text;
  for (const auto &[role, number] : numbers)
    text += fmt::format("{}{}={:g}", text.empty() ? "" : ",", role, number);
  return text;
}

} // namespace agentic
