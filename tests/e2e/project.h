// A copy of a consumer project in a scratch folder, and the tool run on it as a user would run it.
#pragma once

#include "tool/base/files.h"
#include "tool/base/process.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace agentic::e2e {

/// Returns the tool of the build under test, from CMake.
std::string toolPath();
std::string installPrefix();
std::string sourceRoot();
std::string compilerPath(); ///< compiler of the projects

struct Outcome {
  int status = -1; ///< exit status; 128 + signal if killed
  std::string out, err;
  double seconds = 0;
  nlohmann::json json; ///< the last line of `out`; null if that is not JSON

  std::vector<std::string> errors() const; ///< lines of `err` that begin with "error: "
  std::string all() const { return out + err; }
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// How long a test waits for an event that happens at once on an idle machine, or never.
inline constexpr double kPatience = 1200;

/// A candidate that is faster than the baseline of the quickstart.
inline constexpr const char *kWalksRows = R"(#include <cstddef>
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
}
)";
/// The same without the include: its bytes are not those of the other, so it is a candidate of its own.
inline constexpr const char *kBareWalksRows = R"(
void columnSums(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c)
    sums[c] = 0.0f;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      sums[c] += matrix[r * columns + c];
}
)";

/// Throws, and so fails the test, if a program cannot be started at all.
Outcome runCommand(std::vector<std::string> argv, double timeoutSeconds = kPatience,
                   const Environment &environment = {}, const std::string &workingDirectory = {});

/// Relative path → content hash of every file below `root` except `excluded` (a top-level folder).
std::map<std::string, std::string> snapshot(const fs::path &root, const std::string &excluded = "build");

class Project {
public:
  enum class Generated { Leave, Copy };
  /// Copies `<repository>/<folder>` to a scratch folder of its own, without build trees, and without generated files
  /// unless they are requested.
  explicit Project(const std::string &folder, Generated generated = Generated::Leave,
                   const std::string &scratchName = "agentic-e2e-");

  const fs::path &root() const { return scratch_.path(); }
  fs::path source() const { return root() / "source"; }
  fs::path build() const { return root() / "build"; }

  /// cmake -G Ninja; `options` come last and win.
  Outcome configure(const std::vector<std::string> &options = {}) const;
  Outcome configureIn(const fs::path &buildDir, const std::vector<std::string> &options = {},
                      const Environment &environment = {}) const;
  /// Runs agentic-kernel `arguments`… --build-dir <build> --json. A run without --max-seconds has unlimited time: its
  /// candidates are counted, so that the result does not depend on the machine's load.
  Outcome tool(std::vector<std::string> arguments, double timeoutSeconds = kPatience) const;
  std::vector<std::string> toolCommand(std::vector<std::string> arguments) const;

  std::string read(const std::string &file) const; ///< below source()
  void write(const std::string &file, const std::string &text) const;
  void replace(const std::string &file, const std::string &from, const std::string &to) const; ///< must occur

  /// Whether its winners are shortened, which takes longer than all else that a small search does.
  bool shortens = false;

private:
  ScratchDirectory scratch_;
};

/// Expects one clear error: this exit status, exactly one "error:" line, all of `words` in it or in its "next:" line,
/// and with --json the same error in the last line of stdout.
void expectOneError(const Outcome &outcome, int status, const std::vector<std::string> &words);

} // namespace agentic::e2e
