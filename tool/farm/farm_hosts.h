// The hosts of a farm: what --farm names, or a file that a project keeps.
#pragma once

#include "tool/base/error.h"
#include "tool/farm/host_address.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Reads addresses (host_address.h) and files FILE.json, several with ';' between them. A file is
/// { "hosts": [ { "address": "ssh:box1,box2", "cores": "2-5", "folder": "/scratch/kernels", "wait_minutes": 60 } ] }:
/// all but the address may be missing. A relative file lies in `startDirectory`, and relative programs of its addresses
/// beside it. Two hosts of one name get numbers. Errors: parseAddress()'s; a file that is missing or wrong, with what
/// is wrong in it.
Result<std::vector<HostAddress>> parseFarm(std::string_view text, const std::string &startDirectory);

/// Returns the forms of --farm for a help text.
std::string farmForms();

} // namespace agentic
