// An index of sources that the user points at: functions of code and sections of documents, found by words. One SQLite
// file for each project, in the user's cache.
//
// What is indexed is foreign data: it is read and shown, never run and never obeyed. A file that cannot be indexed
// is left out with the reason.
#pragma once

#include "tool/base/error.h"
#include "tool/knowledge/source_files.h"
#include "tool/store/database.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct IndexedSource {
  std::string path;    ///< absolute: a file or a folder
  std::string licence; ///< of the whole, from its licence file; empty: not known
  std::size_t files = 0, passages = 0;
};

struct SkippedFile {
  std::string path, reason;
};

struct AddReport {
  std::string path, licence;
  std::size_t files = 0, unchanged = 0, removed = 0, passages = 0; ///< files: read anew; removed: no longer there
  std::vector<SkippedFile> skipped;
};

struct Passage {
  std::string file;                     ///< absolute; of a program's passage: what it calls its source
  std::string name;                     ///< of the function, or the heading
  std::string licence;                  ///< of the file, else of the source; empty: not known
  unsigned firstLine = 0, lastLine = 0; ///< 0: a program's
  std::string text;
  double score = 0; ///< larger = better; only to compare
};

/// What a candidate is compared for with the sources.
struct CopyQuery {
  std::string_view candidate, baseline;
  std::vector<std::string> licences; ///< what is under these may be copied (licence.h)
  std::vector<std::string> own;      ///< files and folders of the project, which are no foreign source
};

struct CopiedPassage {
  std::string place;   ///< from the folder of the source: "other-project/src/scan.c:120"
  std::string licence; ///< empty: not known
  std::size_t lines = 0;
};

class SourceIndex {
public:
  /// Creates it if it is missing. An index of another version of the tool is made empty.
  static Result<SourceIndex> open(const std::string &file);

  /// Adds a file, or a folder with all below it; or brings it up to date: files of the same content are not read again.
  /// Hidden folders and links out of it are left out. 50,000 functions take under a minute. All or nothing.
  /// `pdfs` reads PDFs; without it they are left out.
  Result<AddReport> add(const std::string &path, const std::atomic<bool> *cancelled = nullptr,
                        const PdfReader &pdfs = {});
  Result<std::vector<IndexedSource>> list();
  /// Returns whether there was such a source.
  Result<bool> remove(const std::string &path);
  /// Returns passages that hold at least one of the words, best first. Words that thousands of passages hold count only
  /// where no rarer one is asked for, then one of them does, and only some of what it finds is rated: milliseconds.
  Result<std::vector<Passage>> search(std::string_view words, std::size_t most);
  /// Returns passages of exactly this name, unrated.
  Result<std::vector<Passage>> named(std::string_view name, std::size_t most);

  /// Returns the passages whose lines a candidate copies, those with most of them first. An index of 50,000 functions
  /// costs milliseconds: only passages that share a fingerprint are read. Of a fingerprint that many share, some are.
  Result<std::vector<CopiedPassage>> copies(const CopyQuery &query);

private:
  explicit SourceIndex(Database database) : database_(std::move(database)) {}
  struct Source {
    std::int64_t id = 0;
    const PdfReader &pdfs;
  };
  Result<void> addFile(const Source &source, const std::filesystem::path &file, const std::string &folderLicence,
                       AddReport &report);
  Result<void> removeFile(std::int64_t file);
  Result<std::vector<std::string>> rarestOf(std::vector<std::string> words);
  Result<AddReport> addAll(const std::string &path, const std::atomic<bool> *cancelled, const PdfReader &pdfs);
  Result<std::int64_t> sourceOf(const std::string &path, const std::string &licence);
  Database database_;
};

} // namespace agentic
