// A row of the matrix of projects: tests/e2e/matrix built in one particular way, and the tool run on it.
#pragma once

#include "tests/e2e/project.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace agentic::e2e {

class MatrixProject;

/// A new row is an entry in a table of these; nothing else.
struct Row {
  std::string name;  ///< every trap in it
  std::string lists; ///< row.cmake, see tests/e2e/matrix/CMakeLists.txt
  std::string compiler = compilerPath();
  std::string generator = "Ninja";
  std::string configuration = {}; ///< configuration of a Multi-Config tree
  std::vector<std::string> options = {};
  Environment environment = {};                      ///< only for the configure
  std::function<void(MatrixProject &)> prepare = {}; ///< edits the project before it is configured
  std::string scratchName = "agentic-e2e-";          ///< how the folder's name begins
};
void PrintTo(const Row &row, std::ostream *out); ///< for GoogleTest

class MatrixProject {
public:
  explicit MatrixProject(const Row &row);

  const Project &files() const { return project_; }
  fs::path source() const { return project_.source(); }
  fs::path build() const { return project_.root() / "build"; }

  /// Runs cmake without a warning; each step fails the running test on an error.
  void configure();
  /// `function` is one of those of hash.cpp; its candidate reads eight bytes at a time.
  void rejectsAWrongCandidate(const std::string &kernel = "hash", const std::string &function = "polynomialHash");
  void acceptsAnHonestOne(const std::string &kernel = "hash", const std::string &function = "polynomialHash");
  /// Runs the tool with `arguments` so that it writes back a variant of `kernel`.
  void writesBack(std::vector<std::string> arguments, const std::string &kernel = "hash");
  /// Builds and tests the project like its users: the dispatcher's trace says that the variant runs, or the function as
  /// written where the environment says so; and the variant's forced test passes.
  void shipsTheVariant(const std::string &kernel = "hash");

  std::string candidate(const std::string &function, bool isWrong) const; ///< the path of its file
  Outcome tool(std::vector<std::string> arguments) const;
  std::vector<std::string> toolCommand(std::vector<std::string> arguments) const;

  std::vector<std::string> configureCommand; ///< a row may change it

private:
  std::string level(const std::string &kernel) const;
  std::string chosenByTests(const std::string &kernel, const Environment &environment) const;
  std::vector<std::string> ctest(std::vector<std::string> arguments) const;

  Row row_;
  Project project_;
};

} // namespace agentic::e2e
