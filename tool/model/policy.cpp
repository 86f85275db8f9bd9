#include "tool/model/policy.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace agentic {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = 1u << 20; // far above any list that a person wrote
constexpr int kMostDepth = 8;                // the format has three levels
constexpr const char *kFormat = "write it like { \"allow\": { \"functions\": [\"my_log2f\"] } }";

struct List {
  const char *name;
  std::vector<std::string> PolicyRules::*names;
};
constexpr List kLists[] = {{"checks", &PolicyRules::checks},
                           {"functions", &PolicyRules::functions},
                           {"headers", &PolicyRules::headers},
                           {"attributes", &PolicyRules::attributes},
                           {"pragmas", &PolicyRules::pragmas}};
struct Part {
  const char *name;
  PolicyRules Policy::*rules;
};
constexpr Part kParts[] = {{"allow", &Policy::allow}, {"forbid", &Policy::forbid}};
constexpr const char *kLimits = "limits";

/// Makes a text printable: a policy is written by hand, and its bytes may be anything.
std::string shown(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, 60))
    out += c >= ' ' && c <= '~' ? c : '?';
  return out;
}

std::string notJson(std::string_view text) {
  try {
    [[maybe_unused]] const json parsed = json::parse(text);
  } catch (const json::parse_error &error) {
    const auto line = 1 + std::ranges::count(text.substr(0, error.byte), '\n');
    return "it is not JSON from line " + std::to_string(line) + " on";
  }
  return "it is not JSON";
}

class PolicyReader {
public:
  explicit PolicyReader(std::string_view file) : file_(file) {}

  Result<Policy> read(std::string_view text) {
    if (text.size() > kMostBytes)
      return wrong("it is larger than 1 MiB", "keep the names that matter");
    const json object = parse(text);
    if (!repeated_.empty())
      return wrong("key '" + repeated_ + "' is there twice", "keep one");
    if (object.is_discarded())
      return isTooDeep_ ? wrong("it is nested too deeply", kFormat) : wrong(notJson(text), kFormat);
    if (!object.is_object())
      return wrong("it is not an object", "begin with { \"allow\": { ... } }");
    Policy policy;
    for (const auto &[key, value] : object.items()) {
      const auto *part = std::ranges::find(kParts, key, &Part::name);
      if (part == std::end(kParts) && key != kLimits)
        return unknown(key, {"allow", "forbid", kLimits});
      TRY(key == kLimits ? readLimits(value, policy.limits) : readRules(value, part->name, policy.*part->rules));
    }
    return policy;
  }

private:
  json parse(std::string_view text) {
    std::vector<std::set<std::string>> keys;
    const auto watch = [&](int depth, json::parse_event_t event, json &value) {
      isTooDeep_ = isTooDeep_ || depth > kMostDepth;
      if (event == json::parse_event_t::object_start)
        keys.emplace_back();
      else if (event == json::parse_event_t::object_end && !keys.empty())
        keys.pop_back();
      else if (event == json::parse_event_t::key && !keys.empty())
        if (const auto &name = value.get_ref<const std::string &>(); !keys.back().insert(name).second)
          repeated_ = shown(name);
      return true;
    };
    // The parser does not recurse, but destroying a value of a million levels would.
    if (std::ranges::count_if(text, [](char c) { return c == '[' || c == '{'; }) > 1000) {
      isTooDeep_ = true;
      return json(json::value_t::discarded);
    }
    json object = json::parse(text, watch, /*allow_exceptions=*/false);
    return isTooDeep_ ? json(json::value_t::discarded) : object;
  }

  Result<void> readRules(const json &value, const std::string &part, PolicyRules &rules) const {
    if (!value.is_object())
      return wrong("'" + part + "' is not an object", R"(write { "checks": [ ... ], "functions": [ ... ] })");
    for (const auto &[key, names] : value.items()) {
      const auto *list = std::ranges::find(kLists, key, &List::name);
      if (list == std::end(kLists))
        return unknown(key, {"checks", "functions", "headers", "attributes", "pragmas"});
      if (!names.is_array())
        return wrong("'" + part + "." + key + "' is not a list", "write the names in brackets: [ \"...\" ]");
      for (const json &name : names) {
        if (!name.is_string() || name.get_ref<const std::string &>().empty())
          return wrong("'" + part + "." + key + "' holds something that is no name", "write every name in quotes");
        (rules.*list->names).push_back(name);
      }
    }
    return {};
  }

  Result<void> readLimits(const json &value, PolicyLimits &limits) const {
    if (!value.is_object())
      return wrong("'limits' is not an object", R"(write { "min_speedup": 1.1, "max_code_bytes": 65536 })");
    for (const auto &[key, number] : value.items()) {
      const double least = key == "min_speedup" ? 1 : 0;
      if (key != "min_speedup" && key != "max_code_bytes" && key != "max_levels")
        return unknown(key, {"min_speedup", "max_code_bytes", "max_levels"});
      if (!number.is_number() || !(number.get<double>() > least) || number.get<double>() > 1e9 ||
          (key != "min_speedup" && !number.is_number_integer()))
        return wrong("'limits." + key + "' is out of range",
                     key == "min_speedup" ? "give a ratio above 1, as 1.1" : "give a whole number above 0");
      if (key == "min_speedup")
        limits.minSpeedup = number;
      else if (key == "max_code_bytes")
        limits.maxCodeBytes = number;
      else
        limits.maxLevels = number;
    }
    return {};
  }

  std::unexpected<Error> wrong(const std::string &what, const std::string &next) const {
    return userError("the policy '" + std::string(file_) + "' is wrong: " + what, next);
  }
  std::unexpected<Error> unknown(const std::string &key, const std::vector<std::string> &known) const {
    return wrong("unknown key '" + shown(key) + "'", meantOr(key, known, "known are " + join(known, ", ")));
  }

  std::string_view file_;
  std::string repeated_;
  bool isTooDeep_ = false;
};

} // namespace

bool isListed(std::span<const std::string> names, std::string_view name) {
  return std::ranges::any_of(names, [&](std::string_view entry) {
    return entry.ends_with('*') ? name.starts_with(entry.substr(0, entry.size() - 1)) : entry == name;
  });
}

Result<Policy> parsePolicy(std::string_view text, std::string_view file) {
  Result<Policy> policy = PolicyReader(file).read(text);
  if (policy)
    policy->hash = sha256(text);
  return policy;
}

Result<Policy> readPolicy(const std::string &sourceDir) {
  const fs::path file = fs::path(sourceDir) / kPolicyFile;
  std::error_code error;
  if (fs::symlink_status(file, error).type() == fs::file_type::not_found)
    return Policy();
  const std::string text = TRY(readFile(file));
  return parsePolicy(text, file.string());
}

} // namespace agentic
