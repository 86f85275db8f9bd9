#include "tool/llm/prices.h"

#include "tool/base/wire_json.h"
#include "tool/llm/prices_text.h"

#include <algorithm>
#include <cctype>

namespace agentic {
namespace {

constexpr double kMillion = 1e6;

/// Returns false if the member exists but is no price.
bool readPrice(const Json &row, const char *name, double otherwise, double &price) {
  const Json &value = at(row, name);
  price = otherwise;
  if (value.is_null())
    return true;
  if (!value.is_number() || !(value.get<double>() >= 0))
    return false;
  price = value.get<double>();
  return true;
}

/// A price for caches that is not given equals that of fresh input.
bool readTier(const Json &row, PriceTier &tier) {
  tier.aboveInput = countAt(row, {"above"});
  return at(row, "input").is_number() && at(row, "output").is_number() && readPrice(row, "input", 0, tier.input) &&
         readPrice(row, "output", 0, tier.output) && readPrice(row, "cached", tier.input, tier.cached) &&
         readPrice(row, "cache_write", tier.input, tier.cacheWrite);
}

std::optional<PriceRow> readRow(const Json &json) {
  PriceRow row;
  row.contextTokens = countAt(json, {"context"});
  row.maxOutputTokens = countAt(json, {"max_output"});
  PriceTier tier;
  if (!readTier(json, tier))
    return std::nullopt;
  row.price.tiers.push_back(tier);
  if (const Json &tiers = at(json, "tiers"); tiers.is_array())
    for (const Json &each : tiers) {
      if (!readTier(each, tier) || tier.aboveInput <= row.price.tiers.back().aboveInput)
        return std::nullopt;
      row.price.tiers.push_back(tier);
    }
  return row;
}

/// Returns the name without "-2026-03-05" or "-20260305" at its end; empty if it has neither.
std::string withoutDate(const std::string &model) {
  for (const std::string_view form : {"-dddd-dd-dd", "-dddddddd"}) {
    if (model.size() <= form.size())
      continue;
    const std::string_view end = std::string_view(model).substr(model.size() - form.size());
    if (std::ranges::equal(end, form, [](unsigned char c, char f) { return f == 'd' ? std::isdigit(c) != 0 : c == f; }))
      return model.substr(0, model.size() - form.size());
  }
  return {};
}

} // namespace

const PriceTable &PriceTable::builtin() {
  static const PriceTable kTable = parse(kPricesText, "the built-in price table").value_or(PriceTable());
  return kTable;
}

Result<PriceTable> PriceTable::parse(std::string_view text, const std::string &what) {
  const auto json = parseWireJson(text);
  if (!json || !at(*json, "models").is_object())
    return userError(what + " is no price table: an object with \"models\" is missing",
                     "write it like tool/llm/prices.json of the sources");
  PriceTable table;
  for (const auto &[provider, models] : at(*json, "models").items())
    for (const auto &[model, entry] : models.items()) {
      std::optional<PriceRow> row = readRow(entry);
      if (!row)
        return userError(what + ": the row of '" + model + "' has no usable prices",
                         R"(give it "input" and "output" in dollars per million tokens, tiers with rising "above")");
      row->price.source = textAt(*json, "source").empty() ? what : textAt(*json, "source");
      row->price.date = textAt(*json, "date");
      table.rows_[{provider, model}] = std::move(*row);
    }
  return table;
}

const PriceRow *PriceTable::find(const std::string &provider, const std::string &model) const {
  for (const std::string &name : {model, withoutDate(model)})
    if (const auto found = rows_.find({provider, name}); found != rows_.end())
      return &found->second;
  return nullptr;
}

std::optional<Price> priceOf(const std::string &name, const ModelFacts &facts, const PriceTable *own,
                             const PriceTable &table) {
  const std::size_t colon = name.find(':');
  const auto listed = [&](const PriceTable &rows) -> std::optional<Price> {
    if (colon == std::string::npos)
      return std::nullopt;
    const PriceRow *row = rows.find(name.substr(0, colon), name.substr(colon + 1));
    return row ? std::optional(row->price) : std::nullopt;
  };
  if (own)
    if (auto price = listed(*own))
      return price;
  if (facts.inputUsd && facts.outputUsd) {
    const double input = *facts.inputUsd * kMillion;
    return Price{.tiers = {{.input = input,
                            .output = *facts.outputUsd * kMillion,
                            .cached = facts.cacheReadUsd ? *facts.cacheReadUsd * kMillion : input,
                            .cacheWrite = facts.cacheWriteUsd ? *facts.cacheWriteUsd * kMillion : input}},
                 .source = "the provider's list",
                 .date = {}};
  }
  return listed(table);
}

double costOf(const Price &price, const ChatUsage &usage) {
  const PriceTier *tier = &price.tiers.front();
  for (const PriceTier &each : price.tiers)
    if (usage.input() > each.aboveInput)
      tier = &each;
  return (static_cast<double>(usage.freshInput) * tier->input + static_cast<double>(usage.cachedInput) * tier->cached +
          static_cast<double>(usage.cacheWrite) * tier->cacheWrite + static_cast<double>(usage.output) * tier->output) /
         kMillion;
}

double worstCost(const Price &price, std::size_t requestBytes, std::int64_t maxOutputTokens) {
  double worst = 0;
  for (const PriceTier &tier : price.tiers)
    if (tier.aboveInput == 0 || static_cast<double>(requestBytes) > static_cast<double>(tier.aboveInput)) {
      const double input = std::max({tier.input, tier.cached, tier.cacheWrite});
      worst = std::max(worst, static_cast<double>(requestBytes) * input +
                                  static_cast<double>(std::max<std::int64_t>(0, maxOutputTokens)) * tier.output);
    }
  return worst / kMillion;
}

} // namespace agentic
