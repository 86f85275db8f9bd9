// Finds the files of a source that the user points at, and reads them: what cannot be indexed is left out with a
// reason.
#pragma once

#include "tool/base/error.h"
#include "tool/base/files.h"

#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Returns the regular files below a folder that can be indexed, in order; hidden ones and links are left out. Errors:
/// it cannot be read, or has too many.
Result<std::vector<fs::path>> filesBelow(const fs::path &folder);

/// What it reads, or why that is not indexed.
using SourceText = std::expected<std::string, std::string>;

/// Makes a text of a PDF.
using PdfReader = std::function<SourceText(const fs::path &path)>;

/// Returns a file's bytes.
SourceText readSourceFile(const fs::path &path);

/// Returns the text of a file that has these bytes: of a PDF what `pdfs` makes of it; it may be null.
SourceText sourceText(const fs::path &path, std::string bytes, const PdfReader &pdfs);

/// The licence files of a folder and of those below it.
class LicenceFiles {
public:
  explicit LicenceFiles(fs::path root) : root_(std::move(root)) {}
  /// Returns the licence that a folder's own licence file tells, or that of the nearest one above it up to the root.
  std::string of(const fs::path &folder);

private:
  fs::path root_;
  std::map<std::string, std::string> known_;
};

} // namespace agentic
