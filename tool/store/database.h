// SQLite behind values: statements with bound arguments, errors as Result. The only place that includes its header.
#pragma once

#include "tool/base/error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace agentic {

/// What a database is to its user, for messages.
struct DatabaseUse {
  std::string name;     ///< "index"
  std::string repair;   ///< what to do about a damaged one
  int waitSeconds = 20; ///< for another process that writes
};

/// What messages call it.
struct DatabaseNames {
  std::string file;
  DatabaseUse use;
};

/// A prepared statement.
class Statement {
public:
  Statement(Statement &&) noexcept = default;
  /// Starts anew with these arguments, from 1.
  Statement &with(std::initializer_list<std::string_view> texts);
  Statement &bind(int index, std::string_view text);
  Statement &bind(int index, std::int64_t number);
  Statement &bind(int index, double number);
  /// Returns whether there is a row.
  Result<bool> step();
  /// For one that gives no rows.
  Result<void> run();
  std::string text(int column) const;
  std::int64_t number(int column) const;
  double real(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *statement) const;
  };
  Statement(sqlite3_stmt *statement, std::shared_ptr<const DatabaseNames> names)
      : statement_(statement), names_(std::move(names)) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::shared_ptr<const DatabaseNames> names_;
};

class Database {
public:
  /// Creates the file if it is missing. It has no write-ahead log, which needs memory that all processes share: the
  /// cache may be on a network. Errors: it is no database, or cannot be read.
  static Result<Database> open(const std::string &file, const DatabaseUse &use);
  Result<void> run(const char *sql); ///< any number of statements
  Result<Statement> prepare(const char *sql);
  std::int64_t lastRow() const;
  /// Runs `work`, which returns a Result, in a transaction: all of it, or nothing. Statements that gave rows are reset
  /// before it ends.
  template <class Work> auto allOrNothing(const Work &work) -> decltype(work()) {
    TRY(run("BEGIN IMMEDIATE"));
    auto done = work();
    TRY(run(done ? "COMMIT" : "ROLLBACK"));
    return done;
  }
  /// Makes the tables anew if another version of the tool, or none, made those that are there.
  Result<void> haveTables(std::int64_t version, const char *drop, const char *create);

private:
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  Result<std::int64_t> version();
  Database(sqlite3 *database, std::shared_ptr<const DatabaseNames> names)
      : database_(database), names_(std::move(names)) {}
  std::unique_ptr<sqlite3, Close> database_;
  std::shared_ptr<const DatabaseNames> names_;
};

} // namespace agentic
