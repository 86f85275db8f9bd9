// Which indexed passages a candidate copies lines of.
#include "tool/knowledge/copied_lines.h"
#include "tool/knowledge/cut.h"
#include "tool/knowledge/licence.h"
#include "tool/knowledge/source_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace agentic {
namespace {

constexpr std::int64_t kMostOfAFingerprint = 200; // what so many passages begin alike with is in others, too
constexpr std::size_t kMostCompared = 2000;

bool isOwn(const std::string &file, const std::vector<std::string> &own) {
  return std::ranges::any_of(own, [&](const std::string &path) { return file == path || isBelow(file, path); });
}

/// Generated files name no folder of the machine.
std::string placeOf(const std::string &file, const std::string &source, unsigned line) {
  const fs::path from = fs::path(source).parent_path();
  return fmt::format("{}:{}", fs::path(file).lexically_relative(from).generic_string(), line);
}

/// Returns the passages that have a fingerprint of the candidate.
Result<std::set<std::int64_t>> likelyPassages(Database &database, const CopyFinder &finder) {
  Statement rows = TRY(database.prepare("SELECT passage FROM fingerprints WHERE hash = ?1 LIMIT ?2"));
  std::set<std::int64_t> passages;
  for (const std::uint64_t hash : finder.fingerprints()) {
    rows.with({}).bind(1, static_cast<std::int64_t>(hash)).bind(2, kMostOfAFingerprint);
    for (;;) {
      const bool more = TRY(rows.step());
      if (!more)
        break;
      passages.insert(rows.number(0));
      if (passages.size() >= kMostCompared)
        return passages;
    }
  }
  return passages;
}

} // namespace

Result<std::vector<CopiedPassage>> SourceIndex::copies(const CopyQuery &query) {
  const CopyFinder finder(query.candidate, query.baseline);
  const std::set<std::int64_t> passages = TRY(likelyPassages(database_, finder));
  Statement row = TRY(database_.prepare(
      "SELECT files.path, sources.path, CASE files.licence WHEN '' THEN sources.licence ELSE files.licence END, "
      "passages.first, passages.body FROM passages JOIN files ON files.id = passages.file JOIN sources ON sources.id = "
      "files.source WHERE passages.id = ?1"));
  std::map<std::string, CopiedPassage> found; // a file may lie in several sources
  for (const std::int64_t passage : passages) {
    row.with({}).bind(1, passage);
    const bool isThere = TRY(row.step());
    const std::string file = isThere ? row.text(0) : std::string();
    if (!isThere || isOwn(file, query.own) || isUnderListed(row.text(2), query.licences))
      continue;
    const auto copied = finder.in(row.text(4));
    if (!copied)
      continue;
    // Of a section of a document the first line alone is known.
    const unsigned line =
        static_cast<unsigned>(row.number(3)) + (fileKindOf(file) == FileKind::Code ? copied->first - 1 : 0);
    found.try_emplace(fmt::format("{}:{}", file, line),
                      CopiedPassage{placeOf(file, row.text(1), line), row.text(2), copied->count});
  }
  std::vector<CopiedPassage> copies;
  for (auto &[place, copy] : found)
    copies.push_back(std::move(copy));
  std::ranges::sort(copies, [](const CopiedPassage &a, const CopiedPassage &b) {
    return std::tie(b.lines, a.place) < std::tie(a.lines, b.place);
  });
  return copies;
}

} // namespace agentic
