// The prices of tokens, by a dated table that a user's file can replace row by row. A model that is not listed has no
// price: never zero. Pure.
#pragma once

#include "tool/base/error.h"
#include "tool/llm/chat.h"

#include <map>

namespace agentic {

/// US dollars per million tokens for requests of more than `aboveInput` input tokens: for all their tokens, not only
/// those above.
struct PriceTier {
  std::int64_t aboveInput = 0;
  double input = 0, output = 0;
  double cached = 0;     ///< input read from the cache
  double cacheWrite = 0; ///< input written to it
};

struct Price {
  std::vector<PriceTier> tiers; ///< the first applies from 0 tokens on; ascending
  std::string source;           ///< source of the price
  std::string date;             ///< "2026-11-20"; empty: current
};

/// A model of the table.
struct PriceRow {
  Price price;
  std::int64_t contextTokens = 0, maxOutputTokens = 0; ///< 0 = not known
};

class PriceTable {
public:
  /// The table that the tool was built with: tool/llm/prices.json.
  static const PriceTable &builtin();

  /// Parses the format of tool/llm/prices.json. Unknown members are ignored; a row without prices, or with prices that
  /// are no numbers ≥ 0, is an error that names it. `what` names the text.
  static Result<PriceTable> parse(std::string_view text, const std::string &what);

  /// Returns the row of "openai", "gpt-5.4". A name with a date after it ("-2026-03-05", "-20260305") has the price of
  /// the name without it. nullptr if it is not listed.
  const PriceRow *find(const std::string &provider, const std::string &model) const;

private:
  std::map<std::pair<std::string, std::string>, PriceRow> rows_;
};

/// Returns the user's price, else the server's, else the table's; `name` as the user wrote it ("openai:gpt-5.4"). `own`
/// may be nullptr. nullopt = not known.
std::optional<Price> priceOf(const std::string &name, const ModelFacts &facts, const PriceTable *own,
                             const PriceTable &table);

/// Returns the dollars of the used tokens.
double costOf(const Price &price, const ChatUsage &usage);

/// Returns the dollars that a request cannot exceed: each byte of its body a token, in the most expensive of its
/// possible tiers, read or written to the cache, and the whole output limit.
double worstCost(const Price &price, std::size_t requestBytes, std::int64_t maxOutputTokens);

} // namespace agentic
