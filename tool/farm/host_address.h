// The hosts that --farm names.
//
// Adding an engine = one row of the table in host_address.cpp: the words before a shell command that run it on a host,
// with its standard input and output connected to ours. Queues, places and restarts are the engine's affair.
#pragma once

#include "tool/base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct HostAddress {
  std::string name;               ///< "ssh:zen4-box", as reports name it
  std::vector<std::string> words; ///< a shell command becomes the last word
};

/// Reads "ssh:HOST,HOST…", "slurm:partition=P,nodes=N,…", "command:PROGRAM" or "local", several with ';' between them.
/// `startDirectory` is where a relative PROGRAM lies. Errors: there is no such engine; a host's name that a program
/// could take for an option.
Result<std::vector<HostAddress>> parseFarm(std::string_view text, const std::string &startDirectory);

/// Returns "ssh:HOST,…, slurm:…": the forms of --farm.
std::string farmForms();

} // namespace agentic
