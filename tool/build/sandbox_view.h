// The part of the file system that a sandboxed program sees besides its view, for every kind of sandbox.
#pragma once

#include <string>
#include <vector>

namespace agentic {

/// Existing read-only paths: folders with programs, libraries and headers, and the few files beside them that the C
/// library and Google Benchmark read. systemLinks() holds links (/lib, /bin on merged-/usr systems).
std::vector<std::string> systemPaths();
std::vector<std::string> systemLinks();

/// Returns the path without "." and "..", and without a slash at the end.
std::string normalizedPath(const std::string &path);
/// Returns whether `path` is `folder` or lies in it; both normalized.
bool liesIn(const std::string &path, const std::string &folder);

/// Returns the tool's own folders (`_agentic`) in, directly below and around the visible folders: they hold expected
/// results, other runs' scratch folders and journals.
std::vector<std::string> toolFolders(const std::vector<std::string> &shown);

/// Serves a mechanism that can only add paths (Landlock): returns the paths that make all of `folder` visible but
/// `hidden`, that is the other entries of all folders on the way to a hidden one. Those folders themselves cannot be
/// listed then. A hidden folder around `folder` has no effect, because the view names `folder`.
std::vector<std::string> aroundHidden(const std::string &folder, const std::vector<std::string> &hidden);

} // namespace agentic
