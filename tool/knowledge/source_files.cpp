#include "tool/knowledge/source_files.h"

#include "tool/knowledge/cut.h"
#include "tool/knowledge/licence.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::uintmax_t kLargestFile = 4u << 20, kLargestPdf = 64u << 20;
constexpr std::size_t kLongestLine = 10'000, kMostFiles = 200'000;

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

} // namespace

SourceText readSourceFile(const fs::path &path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  const std::uintmax_t most = fileKindOf(path.string()) == FileKind::Pdf ? kLargestPdf : kLargestFile;
  if (error)
    return std::unexpected(error.message());
  if (bytes > most)
    return std::unexpected(fmt::format("it has {} MiB; at most {} are read", bytes >> 20, most >> 20));
  Result<std::string> text = readFile(path);
  if (!text)
    return std::unexpected(text.error().message);
  return std::move(*text);
}

SourceText sourceText(const fs::path &path, std::string bytes, const PdfReader &pdfs) {
  const bool isPdf = fileKindOf(path.string()) == FileKind::Pdf;
  if (isPdf && !pdfs)
    return std::unexpected("a PDF: 'pdftotext' makes a text of it, which can be added");
  SourceText text = isPdf ? pdfs(path) : SourceText(std::move(bytes));
  if (!text)
    return text;
  if (std::string reason = whyNotIndexed(*text); !reason.empty())
    return std::unexpected(std::move(reason));
  return text;
}

std::string LicenceFiles::of(const fs::path &folder) {
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

Result<std::vector<fs::path>> filesBelow(const fs::path &folder) {
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
    if (fileKindOf(path.string()) != FileKind::Other)
      files.push_back(path);
    if (files.size() > kMostFiles)
      return userError(folder.string() + " has more than 200,000 files to index",
                       "add the folders that matter, one by one");
  }
  std::ranges::sort(files);
  return files;
}

} // namespace agentic
