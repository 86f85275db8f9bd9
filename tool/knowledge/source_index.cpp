#include "tool/knowledge/source_index.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/knowledge/copied_lines.h"
#include "tool/knowledge/cut.h"
#include "tool/knowledge/licence.h"
#include "tool/knowledge/source_files.h"
#include "tool/store/search_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include <set>

namespace agentic {
namespace {

// Its number changes with the tables, the cutters, the words and the fingerprints: what is removed must be split as it
// was added.
constexpr std::int64_t kIndexVersion = 3;
constexpr std::size_t kMostQueryWords = 24;
constexpr std::int64_t kMostRated = 6000; // passages, for a question

const DatabaseUse kUse{"index", "remove the file, and add its sources again with 'agentic-kernel knowledge add'"};

constexpr const char *kDropTables =
    "DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS fingerprints; DROP TABLE IF EXISTS passages;"
    "DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS sources;";
// Without the texts, so with positions: a table that has neither rates all that it finds 0.
constexpr const char *kTables = R"(
CREATE TABLE IF NOT EXISTS sources(id INTEGER PRIMARY KEY, path TEXT UNIQUE, licence TEXT);
CREATE TABLE IF NOT EXISTS files(id INTEGER PRIMARY KEY, source INTEGER, path TEXT, hash TEXT, licence TEXT,
                                 UNIQUE(source, path));
CREATE TABLE IF NOT EXISTS passages(id INTEGER PRIMARY KEY, file INTEGER, name TEXT, first INTEGER, last INTEGER,
                                    body TEXT);
CREATE INDEX IF NOT EXISTS passages_of_file ON passages(file);
CREATE TABLE IF NOT EXISTS fingerprints(hash INTEGER, passage INTEGER, PRIMARY KEY(hash, passage)) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(name, place, body, content='', tokenize='porter ascii');
)";

/// Operators are words, too: what code does is often not in its names.
std::string operationWords(std::string_view text) {
  std::string words;
  const auto add = [&](std::string_view sign, const char *word) {
    if (text.find(sign) != std::string_view::npos)
      words += std::string(" ") + word;
  };
  add(">>", "opshiftright");
  add("<<", "opshiftleft");
  add("^", "opxor");
  add("~", "opnot");
  add("%", "opremainder");
  add("&= ", "opand");
  return words;
}

struct WordColumns {
  std::string name, place, body;
};
WordColumns columnsOf(const std::string &name, const std::string &file, const std::string &text) {
  return {wordText(name), wordText(fs::path(file).filename().string()), wordText(text) + operationWords(text)};
}

constexpr const char *kPassageColumns = "files.path, passages.name, CASE files.licence WHEN '' THEN sources.licence "
                                        "ELSE files.licence END, passages.first, "
                                        "passages.last, passages.body";

constexpr const char *kPassageOrigin =
    "JOIN files ON files.id = passages.file JOIN sources ON sources.id = files.source";

/// Reads rows of these columns and a score.
Result<std::vector<Passage>> passagesOf(Statement &rows) {
  std::vector<Passage> passages;
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      return passages;
    passages.push_back({.file = rows.text(0),
                        .name = rows.text(1),
                        .licence = rows.text(2),
                        .firstLine = static_cast<unsigned>(rows.number(3)),
                        .lastLine = static_cast<unsigned>(rows.number(4)),
                        .text = rows.text(5),
                        .score = rows.real(6)});
  }
}

/// A candidate holds no assembly.
std::vector<std::uint64_t> fingerprintsIn(const std::string &file, const std::string &text) {
  return fileKindOf(file) == FileKind::Assembly ? std::vector<std::uint64_t>() : fingerprintsOf(TokenHashes(text));
}

} // namespace

Result<SourceIndex> SourceIndex::open(const std::string &file) {
  TRY(createDirectories(fs::path(file).parent_path()));
  Database database = TRY(Database::open(file, kUse));
  // Fingerprints come in no order: of few pages in memory, each would be written many times.
  TRY(database.run("PRAGMA cache_size = -65536"));
  TRY(database.haveTables(kIndexVersion, kDropTables, kTables));
  return SourceIndex(std::move(database));
}

Result<std::int64_t> SourceIndex::sourceOf(const std::string &path, const std::string &licence) {
  Statement insert = TRY(database_.prepare(
      "INSERT INTO sources(path, licence) VALUES(?1, ?2) ON CONFLICT(path) DO UPDATE SET licence = ?2"));
  TRY(insert.with({path, licence}).run());
  Statement find = TRY(database_.prepare("SELECT id FROM sources WHERE path = ?1"));
  const bool found = TRY(find.with({path}).step());
  if (!found)
    return bugError("a source that was added is not there");
  return find.number(0);
}

Result<void> SourceIndex::removeFile(std::int64_t file) {
  Statement rows = TRY(database_.prepare("SELECT passages.id, passages.name, files.path, passages.body FROM passages "
                                         "JOIN files ON files.id = passages.file WHERE files.id = ?1"));
  Statement forget = TRY(database_.prepare("INSERT INTO words(words, rowid, name, place, body) "
                                           "VALUES('delete', ?1, ?2, ?3, ?4)"));
  Statement unmark = TRY(database_.prepare("DELETE FROM fingerprints WHERE hash = ?1 AND passage = ?2"));
  rows.with({}).bind(1, file);
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      break;
    const WordColumns columns = columnsOf(rows.text(1), rows.text(2), rows.text(3));
    forget.with({}).bind(1, rows.number(0)).bind(2, columns.name).bind(3, columns.place).bind(4, columns.body);
    TRY(forget.run());
    for (const std::uint64_t hash : fingerprintsIn(rows.text(2), rows.text(3)))
      TRY(unmark.with({}).bind(1, static_cast<std::int64_t>(hash)).bind(2, rows.number(0)).run());
  }
  for (const char *sql : {"DELETE FROM passages WHERE file = ?1", "DELETE FROM files WHERE id = ?1"}) {
    Statement statement = TRY(database_.prepare(sql));
    statement.with({}).bind(1, file);
    TRY(statement.run());
  }
  return {};
}

Result<void> SourceIndex::addFile(const Source &source, const fs::path &path, const std::string &folderLicence,
                                  AddReport &report) {
  Statement known = TRY(database_.prepare("SELECT id, hash FROM files WHERE source = ?1 AND path = ?2"));
  known.with({}).bind(1, source.id).bind(2, path.string());
  const bool isKnown = TRY(known.step());
  const std::int64_t old = isKnown ? known.number(0) : 0;
  const std::string oldHash = isKnown ? known.text(1) : "";
  SourceText read = readSourceFile(path);
  const std::string hash = read ? sha256(*read) : "";
  if (isKnown && read && hash == oldHash) {
    ++report.unchanged;
    return {};
  }
  if (isKnown)
    TRY(removeFile(old));
  if (read)
    read = sourceText(path, std::move(*read), source.pdfs);
  if (!read) {
    report.skipped.push_back({path.string(), read.error()});
    return {};
  }
  const std::string text = validUtf8(std::move(*read)), own = licenceOf(text);
  Statement file = TRY(database_.prepare("INSERT INTO files(source, path, hash, licence) VALUES(?1, ?2, ?3, ?4)"));
  file.with({}).bind(1, source.id).bind(2, path.string()).bind(3, hash).bind(4, own.empty() ? folderLicence : own);
  TRY(file.run());
  const std::int64_t id = database_.lastRow();
  ++report.files;
  Statement passage =
      TRY(database_.prepare("INSERT INTO passages(file, name, first, last, body) VALUES(?1, ?2, ?3, ?4, ?5)"));
  Statement words = TRY(database_.prepare("INSERT INTO words(rowid, name, place, body) VALUES(?1, ?2, ?3, ?4)"));
  Statement mark = TRY(database_.prepare("INSERT INTO fingerprints(hash, passage) VALUES(?1, ?2)"));
  for (Cut &cut : cutFile(fileKindOf(path.string()), text)) {
    cut.text = validUtf8(std::move(cut.text)); // it may be cut within a character
    passage.with({}).bind(1, id).bind(2, cut.name).bind(3, static_cast<std::int64_t>(cut.firstLine));
    passage.bind(4, static_cast<std::int64_t>(cut.lastLine)).bind(5, cut.text);
    TRY(passage.run());
    const std::int64_t row = database_.lastRow();
    const WordColumns columns = columnsOf(cut.name, path.string(), cut.text);
    words.with({}).bind(1, row).bind(2, columns.name).bind(3, columns.place).bind(4, columns.body);
    TRY(words.run());
    for (const std::uint64_t print : fingerprintsIn(path.string(), cut.text))
      TRY(mark.with({}).bind(1, static_cast<std::int64_t>(print)).bind(2, row).run());
    ++report.passages;
  }
  return {};
}

Result<AddReport> SourceIndex::addAll(const std::string &path, const std::atomic<bool> *cancelled,
                                      const PdfReader &pdfs) {
  AddReport report{.path = path};
  std::error_code error;
  const bool isFolder = fs::is_directory(path, error);
  std::vector<fs::path> files = {path};
  if (isFolder)
    files = TRY(filesBelow(path));
  else if (fileKindOf(path) == FileKind::Other)
    return userError(path + " is neither code nor a text that can be indexed",
                     "add C, C++, CUDA, Rust, assembly, Markdown, HTML, plain text or a PDF");
  LicenceFiles licences(isFolder ? fs::path(path) : fs::path(path).parent_path());
  report.licence = licences.of(isFolder ? fs::path(path) : fs::path(path).parent_path());
  const std::int64_t source = TRY(sourceOf(path, report.licence));
  std::set<std::string> present;
  for (const fs::path &file : files) {
    present.insert(file.string());
    const std::string licence = licences.of(file.parent_path());
    TRY(addFile({source, pdfs}, file, licence, report));
    if (cancelled && *cancelled) // also what was left out because of it
      return interruptedError();
  }
  Statement rows = TRY(database_.prepare("SELECT id, path FROM files WHERE source = ?1"));
  rows.with({}).bind(1, source);
  std::vector<std::int64_t> gone;
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      break;
    if (!present.contains(rows.text(1)))
      gone.push_back(rows.number(0));
  }
  for (const std::int64_t id : gone)
    TRY(removeFile(id));
  report.removed = gone.size();
  return report;
}

Result<AddReport> SourceIndex::add(const std::string &path, const std::atomic<bool> *cancelled, const PdfReader &pdfs) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error)
    return userError("cannot add " + path + ": " + error.message(), "name a file or a folder that is there");
  return database_.allOrNothing([&] { return addAll(real.string(), cancelled, pdfs); });
}

Result<std::vector<IndexedSource>> SourceIndex::list() {
  Statement rows = TRY(database_.prepare(
      "SELECT path, licence, (SELECT count(*) FROM files WHERE source = sources.id), (SELECT count(*) FROM passages "
      "JOIN files ON files.id = passages.file WHERE files.source = sources.id) FROM sources ORDER BY path"));
  std::vector<IndexedSource> sources;
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      return sources;
    sources.push_back({rows.text(0), rows.text(1), static_cast<std::size_t>(rows.number(2)),
                       static_cast<std::size_t>(rows.number(3))});
  }
}

Result<bool> SourceIndex::remove(const std::string &path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error); // it may be gone
  const std::string name = error ? path : real.string();
  Statement find = TRY(database_.prepare("SELECT id FROM sources WHERE path = ?1"));
  const bool isThere = TRY(find.with({name}).step());
  if (!isThere)
    return false;
  const std::int64_t source = find.number(0);
  find.with({});
  const auto work = [&]() -> Result<void> {
    std::vector<std::int64_t> files;
    {
      Statement rows = TRY(database_.prepare("SELECT id FROM files WHERE source = ?1"));
      rows.with({}).bind(1, source);
      for (;;) {
        const bool more = TRY(rows.step());
        if (!more)
          break;
        files.push_back(rows.number(0));
      }
    }
    for (const std::int64_t file : files)
      TRY(removeFile(file));
    Statement forget = TRY(database_.prepare("DELETE FROM sources WHERE id = ?1"));
    forget.with({}).bind(1, source);
    return forget.run();
  };
  TRY(database_.allOrNothing(work));
  return true;
}

/// Returns the words that fewest passages hold, as far as few enough hold any of them: rating what common words find
/// would take most of a question's time. Of words that very many hold it is one, the longest.
Result<std::vector<std::string>> SourceIndex::rarestOf(std::vector<std::string> words) {
  Statement count = TRY(database_.prepare("SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ?1 LIMIT ?2)"));
  std::vector<std::pair<std::int64_t, std::string>> counted;
  for (std::string &word : words) {
    TRY(count.with({anyOf({word})}).bind(2, kMostRated).step());
    if (const std::int64_t holders = count.number(0); holders > 0)
      counted.emplace_back(holders, std::move(word));
  }
  std::ranges::sort(counted, {}, [](const auto &one) {
    return std::tuple(one.first, -static_cast<std::int64_t>(one.second.size()), std::string_view(one.second));
  });
  std::vector<std::string> rarest;
  std::int64_t rated = 0;
  for (auto &[holders, word] : counted) {
    rated += holders;
    if (!rarest.empty() && rated > kMostRated)
      break;
    rarest.push_back(std::move(word));
  }
  return rarest;
}

Result<std::vector<Passage>> SourceIndex::search(std::string_view text, std::size_t most) {
  const std::vector<std::string> words = TRY(rarestOf(questionWords(text, kMostQueryWords)));
  if (words.empty())
    return std::vector<Passage>();
  const std::string sql =
      fmt::format("SELECT {}, -found.score FROM (SELECT rowid, score FROM (SELECT rowid, bm25(words, 8.0, 3.0, 1.0) AS "
                  "score FROM words WHERE words MATCH ?1 LIMIT ?3) ORDER BY score LIMIT ?2) AS found JOIN passages ON "
                  "passages.id = found.rowid {} ORDER BY found.score, files.path, passages.first",
                  kPassageColumns, kPassageOrigin);
  Statement rows = TRY(database_.prepare(sql.c_str()));
  return passagesOf(rows.with({anyOf(words)}).bind(2, static_cast<std::int64_t>(most)).bind(3, kMostRated));
}

Result<std::vector<Passage>> SourceIndex::named(std::string_view name, std::size_t most) {
  const std::string sql = fmt::format(
      "SELECT {}, 0.0 FROM passages {} WHERE passages.name = ?1 ORDER BY files.path, passages.first LIMIT ?2",
      kPassageColumns, kPassageOrigin);
  Statement rows = TRY(database_.prepare(sql.c_str()));
  return passagesOf(rows.with({name}).bind(2, static_cast<std::int64_t>(most)));
}

} // namespace agentic
