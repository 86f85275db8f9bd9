// The lines and files that make a coding agent use this server. Files of users are theirs: only new files are written,
// or a marked block in a file that is meant to be shared, and nothing outside the project.
#pragma once

#include "tool/base/error.h"
#include "tool/base/files.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::mcp {

struct SetupFile {
  std::string path; ///< from the project's folder
  std::string text; ///< the whole file, or the block with its marks
  bool isBlock = false;
};

struct Setup {
  std::string intro; ///< a sentence that says what the lines are for
  std::vector<SetupFile> files;
  std::string lines; ///< to be put into a configuration outside the project by hand; empty: none
  std::string linesPath;
};

/// Names of the clients that there is a set-up for.
std::span<const std::string_view> setupClients();

/// `buildDir`: as the server gets it, from the project's folder. Errors: there is no such client.
Result<Setup> setupFor(std::string_view client, const std::string &buildDir);

/// What became of one file.
struct SetupWritten {
  std::string path;
  bool isWritten = false; ///< else it was like that already
};

/// Writes the files into `project`; twice gives the same. Errors: a file is there with other content, which the message
/// says how to complete; then nothing is written.
Result<std::vector<SetupWritten>> writeSetup(const Setup &setup, const fs::path &project);

} // namespace agentic::mcp
