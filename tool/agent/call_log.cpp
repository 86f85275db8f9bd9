#include "tool/agent/call_log.h"

#include "tool/base/append.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/money.h"
#include "tool/llm/chat_json.h"
#include "tool/llm/retry.h"
#include "tool/model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

json settlementJson(const CallRecord &record, const json &more) {
  json body = {
      {"call", record.call},         {"attempt", record.attempt},         {"outcome", record.outcome},
      {"cost_usd", record.cost.usd}, {"cost_source", record.cost.source}, {"watt_hours", record.cost.wattHours},
      {"seconds", record.seconds}};
  if (record.usage.isReported)
    body["usage"] = usageJson(record.usage);
  body.update(more);
  return body;
}

void applySettlement(CallRecord &record, const json &entry) {
  record.outcome = entry.value("outcome", "");
  record.cost = {roundedUpUsd(entry.value("cost_usd", 0.0)), entry.value("cost_source", ""),
                 entry.value("watt_hours", 0.0)};
  record.seconds = entry.value("seconds", 0.0);
  if (const auto usage = entry.find("usage"); usage != entry.end())
    record.usage = usageFrom(*usage);
}

/// Reads a reply's file; nullopt if it is missing or another call's.
std::optional<json> replyFile(const std::string &directory, const CallRecord &record) {
  const auto text = readFile(CallLog::fileOf(directory, record.call, record.attempt) + ".reply.json");
  if (!text)
    return std::nullopt;
  json file = json::parse(*text, nullptr, false);
  if (!file.is_object() || !file.contains("request_hash") || file["request_hash"] != record.requestHash ||
      !file.contains("settlement") || !file["settlement"].is_object())
    return std::nullopt;
  return file;
}

/// Adds one attempt. `known`: the calls that were counted. Their first attempts cannot be counted instead: the line of
/// one may be damaged, and is then passed over.
void add(CallTotals &totals, std::set<int> &known, const CallRecord &record) {
  totals.calls += known.insert(record.call).second ? 1 : 0;
  totals.answered += record.isAnswered() ? 1 : 0;
  totals.usd = sumUsd(totals.usd, record.cost.usd);
  if (totals.unforeseenUsd > 0 || record.cost.usd > record.worstUsd)
    totals.unforeseenUsd = std::max(totals.unforeseenUsd, record.cost.usd);
  totals.wattHours += record.cost.wattHours;
  totals.seconds += record.seconds;
  totals.inputTokens += record.usage.input();
  totals.cachedInputTokens += record.usage.cachedInput;
  totals.outputTokens += record.usage.output;
}

/// The record's last end counts: it is now the latest of all.
void moveToEnd(std::vector<std::size_t> &ended, std::size_t i) {
  std::erase(ended, i);
  ended.push_back(i);
}

/// Applies one line; `ended` has the records in the order in which they ended, at first by their reservations.
void apply(std::vector<CallRecord> &calls, std::vector<std::size_t> &ended, const json &entry) {
  const std::string event = entry.value("event", "");
  const int call = entry.value("call", 0), attempt = entry.value("attempt", 0);
  if (event == "reserved") {
    const double worst = roundedUpUsd(entry.value("worst_usd", 0.0));
    calls.push_back({.call = call,
                     .attempt = attempt,
                     .agent = entry.value("agent", ""),
                     .purpose = {entry.value("role", ""), entry.value("about", ""), entry.value("told", "")},
                     .requestHash = entry.value("request_hash", ""),
                     .worstUsd = worst,
                     .cost = {worst, "reserved, and never settled"}});
    if (const auto ask = entry.find("ask"); ask != entry.end())
      calls.back().ask = ask->get<Ask>();
    ended.push_back(calls.size() - 1);
  } else if (event == "settled") {
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (calls[i].call == call && calls[i].attempt == attempt) {
        applySettlement(calls[i], entry);
        moveToEnd(ended, i);
      }
  }
}

} // namespace

std::string CallLog::fileOf(const std::string &runDirectory, int call, int attempt) {
  return fmt::format("{}/calls/{:04}-{}", runDirectory, call, attempt);
}

Result<CallLog> CallLog::open(const std::string &runDirectory, Redact redact) {
  CallLog log(runDirectory, std::move(redact));
  TRY(log.load());
  for (CallRecord &record : log.calls_) {
    if (!TRY(log.readReply(record)))
      continue;
    // The process died before it could record that.
    TRY(log.append("settled", dumpLine(settlementJson(record, json::object()))));
    moveToEnd(log.ended_, static_cast<std::size_t>(&record - log.calls_.data()));
  }
  return log;
}

Result<std::vector<CallRecord>> CallLog::read(const std::string &runDirectory) {
  CallLog log(runDirectory, {});
  TRY(log.load());
  for (CallRecord &record : log.calls_)
    TRY(log.readReply(record));
  return std::move(log.calls_);
}

Result<void> CallLog::load() {
  const std::string path = directory_ + "/calls.jsonl";
  if (!fs::exists(path))
    return {};
  auto text = TRY(readFile(path));
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos)
      break; // torn: the process died while writing it
    const json entry = json::parse(std::string_view(text).substr(begin, end - begin), nullptr, false);
    begin = end + 1;
    if (entry.is_discarded())
      continue; // torn in the middle and continued after a resume
    try {
      if (entry.value("v", 0) != kVersion)
        return userError(path + " was written by another version of agentic-kernel",
                         "start a new run without --resume");
      apply(calls_, ended_, entry);
    } catch (const json::exception &error) {
      return userError(path + " line " + std::to_string(number) + " is damaged: " + error.what(),
                       "start a new run without --resume");
    }
  }
  return {};
}

Result<bool> CallLog::readReply(CallRecord &record) const {
  const bool isOpen = record.outcome.empty();
  if (!isOpen && !record.isAnswered())
    return false;
  const auto file = replyFile(directory_, record);
  if (!file && isOpen)
    return false;
  const std::string name = fileOf(directory_, record.call, record.attempt) + ".reply.json";
  if (!file)
    return userError(name + " is missing or damaged", "start a new run without --resume");
  record.reply = TRY(replyFrom(file->value("reply", json()), name));
  if (!isOpen)
    return false;
  try {
    applySettlement(record, file->at("settlement"));
  } catch (const json::exception &error) {
    return userError(name + " is damaged: " + error.what(), "start a new run without --resume");
  }
  return true;
}

CallTotals totalsOf(std::span<const CallRecord> calls) {
  CallTotals totals;
  std::set<int> known;
  for (const CallRecord &record : calls)
    add(totals, known, record);
  return totals;
}

std::map<std::string, CallTotals> totalsByRole(std::span<const CallRecord> calls) {
  std::map<std::string, CallTotals> totals;
  std::map<std::string, std::set<int>> known;
  for (const CallRecord &record : calls)
    if (const std::string &role = record.purpose.role; !role.empty())
      add(totals[role], known[role], record);
  return totals;
}

std::string CallLog::line(const char *event, const std::string &body) const {
  json entry = json::parse(body);
  entry["v"] = kVersion;
  entry["event"] = event;
  entry["time"] = utcTimestamp();
  entry["at"] = unixSeconds();
  return redacted(dumpLine(entry)) + "\n";
}

Result<void> CallLog::append(const char *event, const std::string &body) const {
  return appendSynced(directory_ + "/calls.jsonl", line(event, body));
}

std::vector<CallRecord> CallLog::endedAfter(std::size_t known) const {
  const std::lock_guard lock(*mutex_);
  std::vector<CallRecord> records;
  for (std::size_t i = known; i < ended_.size(); ++i)
    records.push_back(calls_[ended_[i]]);
  return records;
}

int CallLog::nextCall() const {
  const std::lock_guard lock(*mutex_);
  int last = 0;
  for (const CallRecord &record : calls_)
    last = std::max(last, record.call);
  return last + 1;
}

double CallLog::endedUsd() const {
  const std::lock_guard lock(*mutex_);
  double usd = 0;
  for (const std::size_t i : ended_)
    usd = sumUsd(usd, calls_[i].cost.usd);
  return usd;
}

double CallLog::usdOf(const std::string &role) const {
  const std::lock_guard lock(*mutex_);
  double usd = 0;
  for (const CallRecord &record : calls_)
    if (record.purpose.role == role)
      usd = sumUsd(usd, record.cost.usd);
  return usd;
}

CallTotals CallLog::totals() const {
  const std::lock_guard lock(*mutex_);
  return totalsOf(calls_);
}

Result<void> CallLog::reserve(int call, int attempt, const std::string &agent, const ChatRequest &request,
                              const std::string &body, double worstUsd, const CallPurpose &purpose,
                              const std::optional<Ask> &ask) {
  const std::lock_guard lock(*mutex_);
  CallRecord record{.call = call,
                    .attempt = attempt,
                    .agent = agent,
                    .purpose = purpose,
                    .requestHash = sha256(body),
                    .worstUsd = worstUsd,
                    .cost = {worstUsd, "reserved, and never settled"},
                    .ask = ask};
  if (auto written = writeFileAtomic(fileOf(directory_, call, attempt) + ".request.json",
                                     redacted(dumpLine(requestJson(request)) + "\n"), Flush::Later);
      !written)
    return written;
  calls_.push_back(record);
  json event = {{"call", call},
                {"attempt", attempt},
                {"agent", agent},
                {"request_hash", record.requestHash},
                {"request_bytes", body.size()},
                {"max_output_tokens", request.maxOutputTokens},
                {"worst_usd", worstUsd}};
  if (!purpose.role.empty()) {
    event["role"] = purpose.role;
    event["about"] = purpose.about;
  }
  if (!purpose.told.empty())
    event["told"] = purpose.told;
  if (ask)
    event["ask"] = *ask;
  return append("reserved", dumpLine(event));
}

/// Returns the record of an attempt that is over now.
CallRecord &CallLog::ended(int call, int attempt) {
  const auto found = std::ranges::find_if(
      calls_, [&](const CallRecord &record) { return record.call == call && record.attempt == attempt; });
  ended_.push_back(static_cast<std::size_t>(found - calls_.begin()));
  return *found;
}

Result<void> CallLog::answered(int call, int attempt, const ChatReply &reply, const CallCost &cost) {
  const std::lock_guard lock(*mutex_);
  CallRecord &record = ended(call, attempt);
  record.outcome = kAnswered;
  record.cost = cost;
  record.usage = reply.usage;
  record.seconds = reply.seconds;
  const json settlement = settlementJson(record, {{"finish", finishName(reply.finish)},
                                                  {"model", reply.model},
                                                  {"provider", reply.provider},
                                                  {"first_token_seconds", reply.firstTokenSeconds}});
  const json file = {{"request_hash", record.requestHash}, {"settlement", settlement}, {"reply", replyJson(reply)}};
  if (auto written = writeFileAtomic(fileOf(directory_, record.call, record.attempt) + ".reply.json",
                                     redacted(dumpLine(file) + "\n"));
      !written)
    return written;
  record.reply = reply;
  return appendUnsynced(directory_ + "/calls.jsonl", line("settled", dumpLine(settlement)));
}

Result<void> CallLog::failed(int call, int attempt, const ChatError &error, const CallCost &cost, double seconds) {
  const std::lock_guard lock(*mutex_);
  CallRecord &record = ended(call, attempt);
  record.outcome = chatErrorKindName(error.kind);
  record.cost = cost;
  record.seconds = seconds;
  return append("settled", dumpLine(settlementJson(record, {{"message", error.message}})));
}

} // namespace agentic
