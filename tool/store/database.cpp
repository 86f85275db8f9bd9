#include "tool/store/database.h"

#include <sqlite3.h>

namespace agentic {
namespace {

std::unexpected<Error> failed(sqlite3 *database, const DatabaseNames &names) {
  const int code = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
  const std::string reason = database ? sqlite3_errmsg(database) : "out of memory";
  const std::string what = "the " + names.use.name + " " + names.file;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    return userError(what + " is in use by another process", "try again when that has ended");
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
    return userError(what + " is damaged: " + reason, names.use.repair);
  return userError(what + ": " + reason, "look at the folder's rights and room, then try again");
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt *statement) const {
  sqlite3_finalize(statement);
}

Statement &Statement::with(std::initializer_list<std::string_view> texts) {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  int index = 0;
  for (const std::string_view text : texts)
    bind(++index, text);
  return *this;
}

Statement &Statement::bind(int index, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), index, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}

Statement &Statement::bind(int index, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), index, number);
  return *this;
}

Statement &Statement::bind(int index, double number) {
  sqlite3_bind_double(statement_.get(), index, number);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW || code == SQLITE_DONE)
    return code == SQLITE_ROW;
  return failed(sqlite3_db_handle(statement_.get()), *names_);
}

Result<void> Statement::run() {
  auto more = step();
  sqlite3_reset(statement_.get());
  return more ? Result<void>() : std::unexpected(more.error());
}

std::string Statement::text(int column) const {
  const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
               : std::string();
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

void Database::Close::operator()(sqlite3 *database) const {
  sqlite3_close(database);
}

Result<Database> Database::open(const std::string &file, const DatabaseUse &use) {
  sqlite3 *handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(handle, std::make_shared<DatabaseNames>(DatabaseNames{file, use})); // closed after a failure, too
  if (code != SQLITE_OK)
    return failed(handle, *database.names_);
  sqlite3_busy_timeout(handle, use.waitSeconds * 1000);
  return database;
}

Result<void> Database::run(const char *sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failed(database_.get(), *names_);
  return {};
}

Result<Statement> Database::prepare(const char *sql) {
  sqlite3_stmt *statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK)
    return failed(database_.get(), *names_);
  return Statement(statement, names_);
}

Result<std::int64_t> Database::version() {
  Statement statement = TRY(prepare("PRAGMA user_version"));
  const bool hasRow = TRY(statement.step());
  return hasRow ? statement.number(0) : 0;
}

Result<void> Database::haveTables(std::int64_t version, const char *drop, const char *create) {
  const std::int64_t before = TRY(this->version());
  if (before == version)
    return {};
  return allOrNothing([&]() -> Result<void> {
    TRY(run(drop));
    TRY(run(create));
    return run(("PRAGMA user_version = " + std::to_string(version)).c_str());
  });
}

std::int64_t Database::lastRow() const {
  return sqlite3_last_insert_rowid(database_.get());
}

} // namespace agentic
