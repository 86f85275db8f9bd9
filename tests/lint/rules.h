// The project's own rules on its sources (design §4): what may include what, who may fork, print, read the environment
// or use the network, and how long a file may be.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::lint {

/// Violations in one file, as "path:line: message". `path` is relative to the repository's root.
std::vector<std::string> lintFile(std::string_view path, std::string_view text);

/// Violations in all files of ours below `root`; generated files and build trees are not ours.
std::vector<std::string> lintTree(const std::filesystem::path &root);

/// The files that lintTree reads, relative to `root`, sorted.
std::vector<std::string> filesOfOurs(const std::filesystem::path &root);

/// The Markdown files of the same folders and of the root itself, the same way.
std::vector<std::string> documentsOfOurs(const std::filesystem::path &root);

} // namespace agentic::lint
