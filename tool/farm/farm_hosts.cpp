#include "tool/farm/farm_hosts.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;
using Hosts = Result<std::vector<HostAddress>>;

constexpr double kMostMinutes = 7 * 24 * 60;
constexpr const char *kExample = R"(write { "hosts": [ { "address": "ssh:box1,box2", "cores": "2-5" } ] })";

/// "2-5,8", as taskset takes it; nothing that a shell or taskset could take for something else.
bool isListOfCores(const std::string &text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9' &&
         text.find_first_not_of("0123456789,-") == std::string::npos;
}

bool isFolder(const std::string &text) {
  return text.starts_with('/') && std::ranges::all_of(text, [](char c) { return c >= ' ' && c != 0x7f; });
}

class FarmFile {
public:
  explicit FarmFile(fs::path file) : file_(std::move(file)) {}

  Hosts read() const {
    const std::string text = TRY(readFile(file_));
    const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (object.is_discarded())
      return wrong("it is not JSON", kExample);
    if (!object.is_object() || !object.contains("hosts") || !object["hosts"].is_array() || object["hosts"].empty())
      return wrong("it has no list of hosts", kExample);
    TRY(onlyKeys(object, std::array<std::string, 1>{"hosts"}));
    std::vector<HostAddress> all;
    for (const json &entry : object["hosts"]) {
      auto hosts = TRY(hostsOf(entry));
      all.insert(all.end(), hosts.begin(), hosts.end());
    }
    return all;
  }

private:
  Hosts hostsOf(const json &entry) const {
    if (!entry.is_object() || !entry.contains("address") || !entry["address"].is_string())
      return wrong("a host has no address", kExample);
    TRY(onlyKeys(entry, std::array<std::string, 4>{"address", "cores", "folder", "wait_minutes"}));
    HostAddress settings;
    settings.cores = TRY(checked(entry, "cores", isListOfCores, R"(write numbers as for taskset: "2-5,8")"));
    settings.folder = TRY(checked(entry, "folder", isFolder, "write an absolute path on the host"));
    if (const auto minutes = entry.find("wait_minutes"); minutes != entry.end()) {
      if (!minutes->is_number() || !(minutes->get<double>() > 0) || minutes->get<double>() > kMostMinutes)
        return wrong("'wait_minutes' is out of range", "give a number above 0, a week at most");
      settings.queueSeconds = minutes->get<double>() * 60;
    }
    auto hosts = parseAddress(entry["address"].get<std::string>(), file_.parent_path().string());
    if (!hosts)
      return wrong(hosts.error().message, hosts.error().next);
    for (HostAddress &host : *hosts) {
      host.cores = settings.cores;
      host.folder = settings.folder;
      host.queueSeconds = settings.queueSeconds;
    }
    return hosts;
  }

  /// Returns the text of a key; empty without it.
  Result<std::string> checked(const json &entry, const char *key, bool (*isRight)(const std::string &),
                              const char *next) const {
    const auto value = entry.find(key);
    if (value == entry.end())
      return std::string();
    if (!value->is_string() || !isRight(value->get<std::string>()))
      return wrong(fmt::format("'{}' is {}", key, value->dump(-1, ' ', true, json::error_handler_t::replace)), next);
    return value->get<std::string>();
  }

  Result<void> onlyKeys(const json &object, std::span<const std::string> known) const {
    for (const auto &[key, value] : object.items())
      if (std::ranges::find(known, key) == known.end())
        return wrong("unknown key '" + key + "'", meantOr(key, known, kExample));
    return {};
  }

  std::unexpected<Error> wrong(const std::string &what, const std::string &next) const {
    return userError(fmt::format("'{}' is wrong: {}", file_.string(), what), next);
  }

  fs::path file_;
};

} // namespace

std::string farmForms() {
  return addressForms() + ", or FILE.json with such addresses";
}

Hosts parseFarm(std::string_view text, const std::string &startDirectory) {
  std::vector<HostAddress> all;
  for (const std::string &one : split(text, ';')) {
    const bool isFile = !namesEngine(one) && one.ends_with(".json");
    auto hosts = isFile ? FarmFile(fs::path(startDirectory) / one).read() : parseAddress(one, startDirectory);
    if (!hosts)
      return userError("--farm: " + hosts.error().message, hosts.error().next);
    all.insert(all.end(), hosts->begin(), hosts->end());
  }
  for (std::size_t i = 0; i < all.size(); ++i) // two of one name are told apart
    if (const auto same = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const HostAddress &host) { return host.name == all[i].name; });
        same > 0)
      all[i].name += fmt::format("#{}", same + 1);
  return all;
}

} // namespace agentic
