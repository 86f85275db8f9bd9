#include "tool/memory/memory_store.h"

#include "tool/base/text.h"
#include "tool/memory/memory_file.h"
#include "tool/store/search_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace agentic {
namespace {

constexpr std::int64_t kMemoryVersion = 1; ///< changes with the tables and with what makes near-duplicates
constexpr std::size_t kMostMemoryQueryWords = 40, kMostTextScores = 200;

constexpr const char *kMemoryTables = R"(
CREATE TABLE IF NOT EXISTS items(row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, body TEXT, uses INTEGER);
CREATE VIRTUAL TABLE IF NOT EXISTS item_words USING fts5(title, body, detail=column, tokenize='porter ascii');
)";

/// Items are written by this class alone, but the file is the user's: what is damaged there is no item.
std::optional<MemoryItem> itemOf(const std::string &body, const std::string &id, std::int64_t uses) {
  const nlohmann::json value = nlohmann::json::parse(body, nullptr, false);
  if (!value.is_object())
    return std::nullopt;
  try {
    MemoryItem item = value.get<MemoryItem>();
    item.id = id;
    item.uses = static_cast<int>(std::clamp<std::int64_t>(uses, 0, 1'000'000'000));
    return whyNoItem(item).empty() ? std::optional(std::move(item)) : std::nullopt;
  } catch (const nlohmann::json::exception &) {
    return std::nullopt;
  }
}

double strengthOf(const MemoryItem &item) {
  return std::abs(std::log(item.speedup.ratio));
}

int boundedSum(int left, int right) {
  return static_cast<int>(std::min<std::int64_t>(std::int64_t{left} + right, 1'000'000'000));
}

} // namespace

Result<MemoryStore> MemoryStore::open(const std::string &file, std::size_t most) {
  Database database = TRY(openMemoryFile(file));
  TRY(database.haveTables(kMemoryVersion, "DROP TABLE IF EXISTS item_words; DROP TABLE IF EXISTS items;",
                          kMemoryTables));
  return MemoryStore(std::move(database), most);
}

/// The statement gets id, body and uses.
Result<void> MemoryStore::write(const char *sql, const MemoryItem &item) {
  Statement statement = TRY(database_.prepare(sql));
  const std::string body = nlohmann::json(item).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  statement.with({item.id, body}).bind(3, std::int64_t{item.uses});
  return statement.run();
}

Result<void> MemoryStore::addOne(MemoryItem item, MemoryReport &report) {
  item.id = kindOf(item);
  Statement find = TRY(database_.prepare("SELECT row, body, uses FROM items WHERE id = ?1"));
  const bool isKnown = TRY(find.with({item.id}).step());
  std::int64_t row = 0;
  if (isKnown) {
    row = find.number(0);
    if (const auto before = itemOf(find.text(1), item.id, find.number(2))) {
      const int seen = boundedSum(before->seen, item.seen), uses = boundedSum(before->uses, item.uses);
      if (strengthOf(*before) >= strengthOf(item))
        item = *before;
      item.seen = seen, item.uses = uses;
    }
    find.with({});
    TRY(write("UPDATE items SET body = ?2, uses = ?3 WHERE id = ?1", item));
    ++report.merged;
  } else {
    TRY(write("INSERT INTO items(id, body, uses) VALUES(?1, ?2, ?3)", item));
    row = database_.lastRow();
    ++report.added;
  }
  Statement words = TRY(database_.prepare("INSERT OR REPLACE INTO item_words(title, body, rowid) VALUES(?1, ?2, ?3)"));
  words
      .with({wordText(item.title + " " + item.kernel),
             wordText(item.change + " " + item.reason + " " + join(item.changes, " ") + " " + join(item.words, " "))})
      .bind(3, row);
  return words.run();
}

Result<void> MemoryStore::removeRows(const std::vector<std::int64_t> &rows) {
  for (const char *sql : {"DELETE FROM items WHERE row = ?1", "DELETE FROM item_words WHERE rowid = ?1"}) {
    Statement statement = TRY(database_.prepare(sql));
    for (const std::int64_t row : rows) {
      statement.with({}).bind(1, row);
      TRY(statement.run());
    }
  }
  return {};
}

Result<void> MemoryStore::boundNumber(MemoryReport &report) {
  Statement count = TRY(database_.prepare("SELECT count(*) FROM items"));
  const bool hasRow = TRY(count.step());
  const std::int64_t all = hasRow ? count.number(0) : 0, most = static_cast<std::int64_t>(most_);
  count.with({});
  if (all <= most)
    return {};
  // The newest are the last of the rows.
  Statement least = TRY(database_.prepare("SELECT row FROM (SELECT row, uses FROM items ORDER BY row LIMIT ?1) "
                                          "ORDER BY uses, row LIMIT ?2"));
  least.with({}).bind(1, all - most / 8).bind(2, all - most);
  std::vector<std::int64_t> rows;
  for (;;) {
    const bool more = TRY(least.step());
    if (!more)
      break;
    rows.push_back(least.number(0));
  }
  TRY(removeRows(rows));
  report.forgotten += rows.size();
  return {};
}

Result<MemoryReport> MemoryStore::add(const std::vector<MemoryItem> &items) {
  MemoryReport report;
  const auto work = [&]() -> Result<void> {
    for (const MemoryItem &item : items)
      if (whyNoItem(item).empty())
        TRY(addOne(item, report));
    return boundNumber(report);
  };
  TRY(database_.allOrNothing(work));
  return report;
}

Result<std::vector<MemoryItem>> MemoryStore::list() {
  Statement rows = TRY(database_.prepare("SELECT id, body, uses FROM items ORDER BY id"));
  std::vector<MemoryItem> items;
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      return items;
    if (auto item = itemOf(rows.text(1), rows.text(0), rows.number(2)))
      items.push_back(std::move(*item));
  }
}

Result<std::map<std::string, double>> MemoryStore::textScores(std::string_view text) {
  const std::string match = anyOf(questionWords(text, kMostMemoryQueryWords));
  std::map<std::string, double> scores;
  if (match.empty())
    return scores;
  Statement rows = TRY(database_.prepare("SELECT items.id, bm25(item_words, 2.0, 1.0) AS score FROM item_words JOIN "
                                         "items ON items.row = item_words.rowid WHERE item_words MATCH ?1 ORDER BY "
                                         "score, items.id LIMIT ?2"));
  rows.with({match}).bind(2, static_cast<std::int64_t>(kMostTextScores));
  double best = 0; // the first one's: smaller is better, and below 0
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      return scores;
    const double score = std::max(0.0, -rows.real(1));
    best = std::max(best, score);
    scores[rows.text(0)] = best > 0 ? score / best : 0;
  }
}

Result<void> MemoryStore::used(const std::vector<std::string> &ids) {
  return database_.allOrNothing([&]() -> Result<void> {
    Statement statement = TRY(database_.prepare("UPDATE items SET uses = uses + 1 WHERE id = ?1"));
    for (const std::string &id : ids)
      TRY(statement.with({id}).run());
    return {};
  });
}

Result<bool> MemoryStore::forget(std::string_view id) {
  Statement find = TRY(database_.prepare("SELECT row FROM items WHERE id = ?1"));
  const bool isThere = TRY(find.with({id}).step());
  if (!isThere)
    return false;
  const std::int64_t row = find.number(0);
  find.with({});
  TRY(database_.allOrNothing([&] { return removeRows({row}); }));
  return true;
}

Result<void> MemoryStore::forgetAll() {
  return database_.allOrNothing([&] { return database_.run("DELETE FROM items; DELETE FROM item_words;"); });
}

} // namespace agentic
