// The items of one memory in a SQLite file of the user's cache: near-duplicates are one, and the number is bounded.
//
// What is stored was written by models and by files of others: data, never an instruction.
#pragma once

#include "tool/base/error.h"
#include "tool/model/memory_item.h"
#include "tool/store/database.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::size_t kMostMemoryItems = 1000;

struct MemoryReport {
  std::size_t added = 0, merged = 0, forgotten = 0;
};

class MemoryStore {
public:
  /// Creates it if it is missing. A memory of another version of the tool is made empty. Waits up to 3 s for another
  /// process that writes. `most`: items that it keeps. ":memory:" is a memory of this process alone.
  static Result<MemoryStore> open(const std::string &file, std::size_t most = kMostMemoryItems);

  /// Adds items; their ids are made here. One that is a near-duplicate of another (kindOf) is one with it: what changed
  /// the time more stays, and the counts add up. If there are too many, those that were used least, and of these the
  /// oldest, are forgotten; but not the newest eighth, which had no chance yet. All or nothing; what is no item
  /// (whyNoItem) is left out.
  Result<MemoryReport> add(const std::vector<MemoryItem> &items);

  /// Returns all items, in order of their ids.
  Result<std::vector<MemoryItem>> list();
  /// Returns how well items fit a text, by id: from 0 to 1, at most 200; without those that hold none of its words.
  Result<std::map<std::string, double>> textScores(std::string_view words);
  /// Counts that these were shown to a model.
  Result<void> used(const std::vector<std::string> &ids);
  /// Returns whether there was such an item.
  Result<bool> forget(std::string_view id);
  Result<void> forgetAll();

private:
  MemoryStore(Database database, std::size_t most) : database_(std::move(database)), most_(most) {}
  Result<void> addOne(MemoryItem item, MemoryReport &report);
  Result<void> boundNumber(MemoryReport &report);
  Result<void> write(const char *sql, const MemoryItem &item);
  Result<void> removeRows(const std::vector<std::int64_t> &rows);
  Database database_;
  std::size_t most_;
};

} // namespace agentic
