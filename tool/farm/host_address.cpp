#include "tool/farm/host_address.h"

#include "tool/base/text.h"
#include "tool/base/user_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace agentic {
namespace {

using Hosts = Result<std::vector<HostAddress>>;

/// A name that starts like an option would be one.
bool isHostName(std::string_view name) {
  return !name.empty() && name[0] != '-' && std::ranges::all_of(name, [](char c) {
    return std::string_view(".-_@:[]%").find(c) != std::string_view::npos || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

/// No password is ever asked for, and no host is trusted that the user did not trust before: what else holds is in the
/// user's own configuration, which may share connections, too.
Hosts sshHosts(std::string_view rest, const std::string &) {
  std::vector<HostAddress> hosts;
  for (const std::string &name : split(rest, ',')) {
    if (!isHostName(name))
      return userError(fmt::format("'ssh:{}' has no host's name at '{}'", rest, name),
                       "write the names as in ~/.ssh/config, with commas between them: ssh:box1,box2");
    hosts.push_back(
        {.name = "ssh:" + name,
         .words = {"ssh", "-T", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-o", "ForwardAgent=no", "-o",
                   "ClearAllForwardings=yes", "-o", "ServerAliveInterval=15", "-o", "ConnectTimeout=20", name}});
  }
  return hosts;
}

/// One exclusive job a node, which takes all tasks until the run ends: submitting one takes a second.
Hosts slurmHosts(std::string_view rest, const std::string &) {
  int nodes = 1;
  std::vector<std::string> options;
  for (const std::string &part : split(rest, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals), value = equals == std::string::npos ? "" : part.substr(equals + 1);
    constexpr std::array kPassed = {"partition", "constraint", "account", "qos", "time", "reservation", "nodelist"};
    if (key == "nodes") {
      const auto end = std::from_chars(value.data(), value.data() + value.size(), nodes).ptr;
      if (value.empty() || end != value.data() + value.size() || nodes < 1 || nodes > 1000)
        return userError(fmt::format("'nodes={}' is no number of nodes", value), "write 1 to 1000");
    } else if (std::ranges::find(kPassed, key) != kPassed.end() && !value.empty()) {
      options.push_back(fmt::format("--{}={}", key, value));
    } else {
      return userError(fmt::format("slurm has no '{}'", part),
                       "write slurm:partition=P,nodes=N; constraint, account, qos, time, reservation and nodelist are "
                       "passed on");
    }
  }
  std::vector<HostAddress> hosts;
  for (int i = 1; i <= nodes; ++i) {
    HostAddress host{.name = fmt::format("slurm:{}", i),
                     .words = {"srun", "--exclusive", "--nodes=1", "--ntasks=1", "--export=HOME,XDG_CACHE_HOME",
                               "--unbuffered", "--quiet", "--job-name=agentic-kernel"}};
    host.words.insert(host.words.end(), options.begin(), options.end());
    host.words.insert(host.words.end(), {"/bin/sh", "-c"});
    hosts.push_back(std::move(host));
  }
  return hosts;
}

Hosts commandHosts(std::string_view rest, const std::string &startDirectory) {
  std::vector<std::string> words = userCommand(rest, startDirectory);
  if (words.empty())
    return userError("'command:' names no program", "write command:PROGRAM: it gets a shell command as its last "
                                                    "argument and runs that on its host");
  return std::vector{HostAddress{.name = "command:" + std::string(rest), .words = std::move(words)}};
}

Hosts localHosts(std::string_view, const std::string &) {
  return std::vector{HostAddress{.name = "local", .words = {"/bin/sh", "-c"}}};
}

struct Engine {
  std::string_view name, form;
  Hosts (*hosts)(std::string_view rest, const std::string &startDirectory);
};
constexpr Engine kEngines[] = {
    {"ssh", "ssh:HOST,HOST…", sshHosts},
    {"slurm", "slurm:partition=P,nodes=N", slurmHosts},
    {"command", "command:PROGRAM", commandHosts},
    {"local", "local", localHosts},
};

const Engine *engineOf(std::string_view text) {
  const Engine *engine = std::ranges::find(kEngines, text.substr(0, text.find(':')), &Engine::name);
  return engine == std::end(kEngines) ? nullptr : engine;
}

} // namespace

std::string addressForms() {
  std::vector<std::string> forms;
  for (const Engine &engine : kEngines)
    forms.emplace_back(engine.form);
  return join(forms, ", ");
}

bool namesEngine(std::string_view text) {
  return engineOf(text) != nullptr;
}

Hosts parseAddress(std::string_view text, const std::string &startDirectory) {
  const std::size_t colon = text.find(':');
  const Engine *engine = engineOf(text);
  if (!engine)
    return userError(fmt::format("there is no engine '{}'", text.substr(0, colon)), "write one of: " + addressForms());
  return engine->hosts(colon == std::string_view::npos ? "" : text.substr(colon + 1), startDirectory);
}

} // namespace agentic
