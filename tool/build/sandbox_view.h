// What of the file system a sandboxed program sees besides its view, whatever shows it.
#pragma once

#include <string>
#include <vector>

namespace agentic {

/// Read-only: folders with programs, libraries and headers, and the few files beside them that the C library and Google
/// Benchmark read. Those that exist here. The second list holds links (/lib, /bin on merged-/usr systems).
std::vector<std::string> systemPaths();
std::vector<std::string> systemLinks();

/// Without "." and "..", and without a slash at the end.
std::string normalizedPath(const std::string &path);
/// `path` is `folder` or lies in it; both normalized.
bool liesIn(const std::string &path, const std::string &folder);

/// The tool's own folders (`_agentic`) in or directly below the folders shown, and around them: they hold expected
/// results, other runs' scratch folders and journals.
std::vector<std::string> toolFolders(const std::vector<std::string> &shown);

/// For a means that can only add (Landlock): what to show so that all of `folder` is seen but `hidden`, that is the
/// other entries of all folders on the way to a hidden one. Those folders themselves cannot be listed then. A hidden
/// folder around `folder` says nothing: `folder` is named.
std::vector<std::string> aroundHidden(const std::string &folder, const std::vector<std::string> &hidden);

} // namespace agentic
