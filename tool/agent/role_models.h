// Which roles a run has, and the model of each: "planner=openai:gpt-5,fixer,judge=none"; and numbers of roles:
// temperatures, shares of ideas that are left out.
#pragma once

#include "tool/base/error.h"

#include <map>
#include <string>
#include <string_view>

namespace agentic {

/// Model of each role, "" = the agent's own; roles that are not there are off. The coder is always on, and here only
/// if it has a model of its own.
using RoleModels = std::map<std::string, std::string>;

/// Reads "role=model" and "role", with commas between them; a model may hold commas. "none" turns a role off. Errors:
/// there is no such role, it is named twice, or the model is none.
Result<RoleModels> parseRoles(std::string_view text);

/// Refuses more than one call in flight beside roles other than the coder: they are asked between two replies, in the
/// loop's thread.
Result<void> checkParallel(int parallel, const RoleModels &roles);

/// Returns the text that parseRoles() reads; empty without roles.
std::string rolesText(const RoleModels &roles);

/// Numbers of roles that have one of their own.
using RoleNumbers = std::map<std::string, double>;

/// Reads "planner=1.0,judge=0". Errors: there is no such role, it is named twice, or no number from 0 to 2 follows.
Result<RoleNumbers> parseRoleTemperatures(std::string_view text);

/// Reads "planner=0.7,coder=0.5": of the roles that are asked for ideas, how much of what they are told each question
/// leaves out. Errors: as above; the role is neither; no number from 0 to 1.
Result<RoleNumbers> parseMenuDropouts(std::string_view text);

/// Returns the text that both read; empty without any.
std::string roleNumbersText(const RoleNumbers &numbers);

} // namespace agentic
