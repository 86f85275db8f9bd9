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

/// A prepared statement.
class Statement {
public:
  Statement(Statement &&) noexcept = default;
  /// Starts anew with these arguments, from 1.
  Statement &with(std::initializer_list<std::string_view> texts);
  Statement &bind(int index, std::string_view text);
  Statement &bind(int index, std::int64_t number);
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
  Statement(sqlite3_stmt *statement, std::string file) : statement_(statement), file_(std::move(file)) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string file_; ///< for messages
};

class Database {
public:
  /// Creates the file if it is missing. Waits up to 20 s for another process that writes. Errors: it is no database, or
  /// cannot be read.
  static Result<Database> open(const std::string &file);
  Result<void> run(const char *sql); ///< any number of statements
  Result<Statement> prepare(const char *sql);
  std::int64_t lastRow() const;

private:
  struct Close {
    void operator()(sqlite3 *database) const;
  };
  Database(sqlite3 *database, std::string file) : database_(database), file_(std::move(file)) {}
  std::unique_ptr<sqlite3, Close> database_;
  std::string file_;
};

} // namespace agentic
