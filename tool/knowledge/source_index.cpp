#include "tool/knowledge/source_index.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/knowledge/cut.h"
#include "tool/knowledge/licence.h"
#include "tool/store/search_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace agentic {
namespace {

// Its number changes with the tables, the cutters and the words: what is removed must be split as it was added.
constexpr std::int64_t kVersion = 1;
constexpr std::uintmax_t kLargestFile = 4u << 20;
constexpr std::size_t kLongestLine = 10'000, kMostFiles = 200'000, kMostQueryWords = 24;

const DatabaseUse kUse{"index", "remove the file, and add its sources again with 'agentic-kernel knowledge add'"};

constexpr const char *kDropTables = "DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS passages;"
                                    "DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS sources;";
constexpr const char *kTables = R"(
CREATE TABLE IF NOT EXISTS sources(id INTEGER PRIMARY KEY, path TEXT UNIQUE, licence TEXT);
CREATE TABLE IF NOT EXISTS files(id INTEGER PRIMARY KEY, source INTEGER, path TEXT, hash TEXT, licence TEXT,
                                 UNIQUE(source, path));
CREATE TABLE IF NOT EXISTS passages(id INTEGER PRIMARY KEY, file INTEGER, name TEXT, first INTEGER, last INTEGER,
                                    body TEXT);
CREATE INDEX IF NOT EXISTS passages_of_file ON passages(file);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(name, place, body, content='', detail=column,
                                                    tokenize='porter ascii');
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

/// Bytes that are no UTF-8 become '?': the text is shown, and sent as JSON.
std::string validUtf8(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : (lead & 0xF0) == 0xE0       ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    bool isValid = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; isValid && k < length; ++k)
      isValid = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
    if (isValid && length == 3) {
      const auto next = static_cast<unsigned char>(text[i + 1]);
      isValid = !(lead == 0xE0 && next < 0xA0) && !(lead == 0xED && next >= 0xA0);
    }
    if (isValid && length == 4) {
      const auto next = static_cast<unsigned char>(text[i + 1]);
      isValid = !(lead == 0xF0 && next < 0x90) && !(lead == 0xF4 && next >= 0x90);
    }
    if (!isValid)
      text[i] = '?';
    i += isValid ? length : 1;
  }
  return text;
}

/// Returns why a text is not indexed; empty if it is.
std::string whyNotIndexed(std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return "it is binary";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end - at > kLongestLine)
      return fmt::format("it has a line of {} bytes: generated or packed", end - at);
    at = end + 1;
  }
  return {};
}

/// Returns the licence of the folder that a file lies in: of it, or of those above it up to the source.
class LicenceFiles {
public:
  explicit LicenceFiles(fs::path root) : root_(std::move(root)) {}
  std::string of(const fs::path &folder) {
    const std::string key = folder.string();
    if (const auto known = known_.find(key); known != known_.end())
      return known->second;
    std::string licence;
    std::error_code error;
    std::vector<fs::path> named;
    for (const auto &entry : fs::directory_iterator(folder, error))
      if (isLicenceFile(entry.path().filename().string()) && entry.is_regular_file(error) &&
          entry.file_size(error) <= kLargestFile)
        named.push_back(entry.path());
    std::ranges::sort(named);
    for (const fs::path &path : named)
      if (licence.empty())
        licence = licenceOf(readFile(path).value_or(""));
    if (licence.empty() && folder != root_ && folder.has_parent_path() && folder != folder.parent_path() &&
        isBelow(key, root_.string()))
      licence = of(folder.parent_path());
    return known_[key] = licence;
  }

private:
  fs::path root_;
  std::map<std::string, std::string> known_;
};

/// Returns the regular files below a folder, in order; hidden ones and links are left out.
Result<std::vector<fs::path>> filesBelow(const fs::path &folder, std::vector<SkippedFile> &skipped) {
  std::vector<fs::path> files;
  std::error_code error;
  auto walk = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  if (error)
    return userError("cannot read " + folder.string() + ": " + error.message(), "name a folder that you can read");
  for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (error)
      break;
    std::error_code ignored;
    const fs::path &path = walk->path();
    if (path.filename().string().starts_with('.')) {
      if (walk->is_directory(ignored))
        walk.disable_recursion_pending();
      continue;
    }
    if (walk->is_symlink(ignored) || !walk->is_regular_file(ignored))
      continue;
    if (fileKindOf(path.string()) == FileKind::Pdf)
      skipped.push_back({path.string(), "a PDF: 'pdftotext' makes a text of it, which can be added"});
    else if (fileKindOf(path.string()) != FileKind::Other)
      files.push_back(path);
    if (files.size() > kMostFiles)
      return userError(folder.string() + " has more than 200,000 files to index",
                       "add the folders that matter, one by one");
  }
  std::ranges::sort(files);
  return files;
}

} // namespace

Result<SourceIndex> SourceIndex::open(const std::string &file) {
  TRY(createDirectories(fs::path(file).parent_path()));
  Database database = TRY(Database::open(file, kUse));
  TRY(database.haveTables(kVersion, kDropTables, kTables));
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
  rows.with({}).bind(1, file);
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      break;
    const WordColumns columns = columnsOf(rows.text(1), rows.text(2), rows.text(3));
    forget.with({}).bind(1, rows.number(0)).bind(2, columns.name).bind(3, columns.place).bind(4, columns.body);
    TRY(forget.run());
  }
  for (const char *sql : {"DELETE FROM passages WHERE file = ?1", "DELETE FROM files WHERE id = ?1"}) {
    Statement statement = TRY(database_.prepare(sql));
    statement.with({}).bind(1, file);
    TRY(statement.run());
  }
  return {};
}

Result<void> SourceIndex::addFile(std::int64_t source, const fs::path &path, AddReport &report) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  Statement known = TRY(database_.prepare("SELECT id, hash FROM files WHERE source = ?1 AND path = ?2"));
  known.with({}).bind(1, source).bind(2, path.string());
  const bool isKnown = TRY(known.step());
  const std::int64_t old = isKnown ? known.number(0) : 0;
  const std::string oldHash = isKnown ? known.text(1) : "";
  std::string reason, text;
  if (error)
    reason = error.message();
  else if (bytes > kLargestFile)
    reason = fmt::format("it has {} MiB; at most {} are read", bytes >> 20, kLargestFile >> 20);
  if (reason.empty()) {
    auto read = readFile(path);
    if (!read)
      reason = read.error().message;
    else
      text = std::move(*read);
  }
  const std::string hash = reason.empty() ? sha256(text) : "";
  if (isKnown && reason.empty() && hash == oldHash) {
    ++report.unchanged;
    return {};
  }
  if (isKnown)
    TRY(removeFile(old));
  if (reason.empty())
    reason = whyNotIndexed(text);
  if (!reason.empty()) {
    report.skipped.push_back({path.string(), reason});
    return {};
  }
  text = validUtf8(std::move(text));
  Statement file = TRY(database_.prepare("INSERT INTO files(source, path, hash, licence) VALUES(?1, ?2, ?3, ?4)"));
  file.with({}).bind(1, source).bind(2, path.string()).bind(3, hash).bind(4, licenceOf(text));
  TRY(file.run());
  const std::int64_t id = database_.lastRow();
  ++report.files;
  Statement passage =
      TRY(database_.prepare("INSERT INTO passages(file, name, first, last, body) VALUES(?1, ?2, ?3, ?4, ?5)"));
  Statement words = TRY(database_.prepare("INSERT INTO words(rowid, name, place, body) VALUES(?1, ?2, ?3, ?4)"));
  for (Cut &cut : cutFile(fileKindOf(path.string()), text)) {
    cut.text = validUtf8(std::move(cut.text)); // it may be cut within a character
    passage.with({}).bind(1, id).bind(2, cut.name).bind(3, static_cast<std::int64_t>(cut.firstLine));
    passage.bind(4, static_cast<std::int64_t>(cut.lastLine)).bind(5, cut.text);
    TRY(passage.run());
    const WordColumns columns = columnsOf(cut.name, path.string(), cut.text);
    words.with({}).bind(1, database_.lastRow()).bind(2, columns.name).bind(3, columns.place).bind(4, columns.body);
    TRY(words.run());
    ++report.passages;
  }
  return {};
}

Result<AddReport> SourceIndex::addAll(const std::string &path, const std::atomic<bool> *cancelled) {
  AddReport report{.path = path};
  std::error_code error;
  const bool isFolder = fs::is_directory(path, error);
  std::vector<fs::path> files = {path};
  if (isFolder)
    files = TRY(filesBelow(path, report.skipped));
  else if (fileKindOf(path) == FileKind::Other || fileKindOf(path) == FileKind::Pdf)
    return userError(
        path + " is neither code nor a text that can be indexed",
        "add C, C++, CUDA, Rust, assembly, Markdown, HTML or plain text; 'pdftotext' makes a text of a PDF");
  LicenceFiles licences(isFolder ? fs::path(path) : fs::path(path).parent_path());
  report.licence = licences.of(isFolder ? fs::path(path) : fs::path(path).parent_path());
  const std::int64_t source = TRY(sourceOf(path, report.licence));
  std::set<std::string> present;
  for (const fs::path &file : files) {
    if (cancelled && *cancelled)
      return interruptedError();
    present.insert(file.string());
    TRY(addFile(source, file, report));
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

Result<AddReport> SourceIndex::add(const std::string &path, const std::atomic<bool> *cancelled) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error)
    return userError("cannot add " + path + ": " + error.message(), "name a file or a folder that is there");
  return database_.allOrNothing([&] { return addAll(real.string(), cancelled); });
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

Result<std::vector<Passage>> SourceIndex::search(std::string_view text, std::size_t most) {
  const std::string match = anyWordOf(text, kMostQueryWords);
  std::vector<Passage> passages;
  if (match.empty())
    return passages;
  Statement rows = TRY(database_.prepare(
      "SELECT files.path, passages.name, CASE files.licence WHEN '' THEN sources.licence ELSE files.licence END, "
      "passages.first, passages.last, passages.body, found.score FROM (SELECT rowid, bm25(words, 8.0, 3.0, 1.0) AS "
      "score FROM words WHERE words MATCH ?1 ORDER BY score LIMIT ?2) AS found JOIN passages ON passages.id = "
      "found.rowid JOIN files ON files.id = passages.file JOIN sources ON sources.id = files.source ORDER BY "
      "found.score, files.path, passages.first"));
  rows.with({match}).bind(2, static_cast<std::int64_t>(most));
  for (;;) {
    const bool more = TRY(rows.step());
    if (!more)
      return passages;
    passages.push_back({rows.text(0), rows.text(1), rows.text(2), static_cast<unsigned>(rows.number(3)),
                        static_cast<unsigned>(rows.number(4)), rows.text(5), -rows.real(6)});
  }
}

} // namespace agentic
