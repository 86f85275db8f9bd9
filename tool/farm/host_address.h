// One way to reach hosts, as --farm names it.
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
  std::string cores{};            ///< what the worker may use there, as taskset takes it: "2-5"; empty: all
  std::string folder{};           ///< for what is kept there, absolute; empty: the host's user cache
  double queueSeconds = 600;      ///< to wait at most until the worker runs
};

/// Returns whether the text begins with the name of an engine.
bool namesEngine(std::string_view text);

/// Reads "ssh:HOST,HOST…", "slurm:partition=P,nodes=N,…", "command:PROGRAM" or "local". `startDirectory` is where a
/// relative PROGRAM lies. Errors: there is no such engine; a host's name that a program could take for an option.
Result<std::vector<HostAddress>> parseAddress(std::string_view text, const std::string &startDirectory);

/// Returns "ssh:HOST,…, slurm:…": the forms of an address.
std::string addressForms();

} // namespace agentic
