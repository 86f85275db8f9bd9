#include "tool/source/emit/emit.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLockSchema = 1;

/// Rounds a measured number to hide the noise of its last digits, so that a reviewer can read a difference.
double rounded(double value, double step) {
  return std::isfinite(value) ? std::round(value / step) * step : 0;
}
double ratioValue(double value) {
  return std::strtod(fmt::format("{:.4f}", value).c_str(), nullptr);
}
double timeValue(double value) {
  return std::strtod(fmt::format("{:.1f}", rounded(value, 0.1)).c_str(), nullptr);
}

Json variantJson(const Lock::Variant &variant) {
  const Provenance &p = variant.provenance;
  Json json;
  json["level"] = p.level;
  json["family"] = p.family;
  if (!p.isTuned)
    json["tuned"] = false;
  json["processor"] = variant.processor;
  json["file"] = variant.file.path;
  json["sha256"] = variant.file.sha256;
  json["symbol"] = variant.symbol;
  json["compiler"] = p.compiler;
  json["compiler_version"] = p.compilerVersion;
  json["compiler_major"] = std::atoi(p.compilerVersion.c_str());
  json["ratio"] = ratioValue(p.ratio);
  json["low"] = ratioValue(p.low);
  json["high"] = ratioValue(p.high);
  json["baseline_ns"] = timeValue(p.baselineNs);
  json["variant_ns"] = timeValue(p.variantNs);
  json["cpu"] = p.cpu;
  json["flags"] = p.flags;
  json["agent"] = p.agent;
  json["origin"] = p.origin;
  json["candidate"] = p.candidate;
  json["date"] = p.date;
  json["tool"] = p.toolVersion;
  json["assumptions"] = p.assumptions;
  json["own"] = variant.own;
  return json;
}

template <class T> T get(const Json &json, const char *key) {
  (void)json.get_ref<const Json::object_t &>(); // throws for any other type, where find() would find nothing
  auto it = json.find(key);
  return it == json.end() ? T{} : it->template get<T>();
}
std::string text(const Json &json, const char *key) {
  return get<std::string>(json, key);
}

Lock::Variant readVariant(const Json &json) {
  Lock::Variant variant;
  Provenance &p = variant.provenance;
  p.level = text(json, "level");
  p.family = text(json, "family");
  p.isTuned = !json.contains("tuned") || get<bool>(json, "tuned");
  p.agent = text(json, "agent");
  p.origin = text(json, "origin");
  p.candidate = text(json, "candidate");
  p.ratio = get<double>(json, "ratio");
  p.low = get<double>(json, "low");
  p.high = get<double>(json, "high");
  p.baselineNs = get<double>(json, "baseline_ns");
  p.variantNs = get<double>(json, "variant_ns");
  p.cpu = text(json, "cpu");
  p.compiler = text(json, "compiler");
  p.compilerVersion = text(json, "compiler_version");
  p.flags = text(json, "flags");
  p.date = text(json, "date");
  p.toolVersion = text(json, "tool");
  p.assumptions = get<std::vector<std::string>>(json, "assumptions");
  variant.processor = text(json, "processor");
  variant.symbol = text(json, "symbol");
  variant.file = {text(json, "file"), text(json, "sha256")};
  variant.own = get<OwnSpans>(json, "own");
  return variant;
}

Lock readLock(const Json &json) {
  Lock lock;
  lock.kernel = text(json, "kernel");
  lock.function = text(json, "function");
  lock.tool = text(json, "tool");
  lock.fingerprint = text(json, "fingerprint");
  lock.kernelText = text(json, "kernel_text");
  lock.directives = text(json, "directives");
  for (const Json &fragment : get<Json>(json, "fragments"))
    lock.fragments.push_back({text(fragment, "name"), text(fragment, "text")});
  for (const Json &header : get<Json>(json, "headers"))
    lock.headers.push_back({text(header, "path"), text(header, "sha256")});
  for (const Json &guard : get<Json>(json, "guards"))
    lock.guards.push_back({text(guard, "what"), {}, text(guard, "value")});
  const Json dispatch = get<Json>(json, "dispatch");
  if (dispatch.is_object())
    lock.dispatch = {text(dispatch, "file"), text(dispatch, "sha256")};
  for (const Json &variant : get<Json>(json, "variants"))
    lock.variants.push_back(readVariant(variant));
  return lock;
}

} // namespace

std::string directivesHash(std::string_view sourceText, std::string_view kernelText) {
  std::string text = normalizeLineEnds(sourceText);
  if (text.starts_with("\xef\xbb\xbf"))
    text.erase(0, 3);
  const std::size_t kernel = text.find(kernelText);
  if (kernel == std::string::npos)
    return {};
  text = replaceAll(replaceAll("\n" + text.substr(0, kernel), ";", ""), "\\\n", "");
  std::string directives;
  for (const std::string &line : split(text, '\n'))
    if (const std::size_t at = line.find_first_not_of(" \t"); at != std::string::npos && line[at] == '#')
      directives += "\n" + line;
  return sha256(directives);
}

std::string dumpLock(const Lock &lock) {
  Json json;
  json["schema"] = kLockSchema;
  json["kernel"] = lock.kernel;
  json["function"] = lock.function;
  json["tool"] = lock.tool;
  json["kernel_text"] = lock.kernelText;
  json["directives"] = lock.directives;
  json["fragments"] = Json::array();
  for (const Lock::Fragment &fragment : lock.fragments)
    json["fragments"].push_back({{"name", fragment.name}, {"text", fragment.text}});
  json["headers"] = Json::array();
  for (const Lock::File &header : lock.headers)
    json["headers"].push_back({{"path", header.path}, {"sha256", header.sha256}});
  json["guards"] = Json::array();
  for (const Guard &guard : lock.guards)
    json["guards"].push_back({{"what", guard.what}, {"value", guard.value}});
  json["dispatch"] = {{"file", lock.dispatch.path}, {"sha256", lock.dispatch.sha256}};
  json["variants"] = Json::array();
  for (const Lock::Variant &variant : lock.variants)
    json["variants"].push_back(variantJson(variant));
  json["fingerprint"] = lock.fingerprint;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Lock> parseLock(std::string_view text, std::string_view what) {
  const std::string next = "build the kernel's optimize target to write it again, or delete it";
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || get<int>(json, "schema") != kLockSchema)
      return userError(
          fmt::format("{} is no lock of schema {}: another version of agentic-kernel wrote it", what, kLockSchema),
          next);
    return readLock(json);
  } catch (const Json::exception &error) {
    return userError(fmt::format("{} cannot be read: {}", what, error.what()), next);
  }
}

} // namespace agentic
