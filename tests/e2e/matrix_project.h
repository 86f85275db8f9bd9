// A row of the matrix of projects: tests/e2e/matrix built in one particular way, and the tool run on it.
#pragma once

#include "tests/e2e/project.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace agentic::e2e {

class MatrixProject;

/// To add a row, add it to a table of these; nothing else.
struct Row {
  std::string name;  ///< every trap in it
  std::string lists; ///< row.cmake, see tests/e2e/matrix/CMakeLists.txt
  std::string compiler = compilerPath();
  std::string generator = "Ninja";
  std::string configuration = {}; ///< of a Multi-Config tree
  std::vector<std::string> options = {};
  Environment environment = {};                      ///< of configuring alone
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

  /// cmake, without a warning; each step fails the running test if it does not do what it should.
  void configure();
  /// `function` is one of those of hash.cpp; its candidate reads eight bytes at a time.
  void rejectsAWrongCandidate(const std::string &kernel = "hash", const std::string &function = "polynomialHash");
  void acceptsAnHonestOne(const std::string &kernel = "hash", const std::string &function = "polynomialHash");
  /// `arguments` run the tool so that a variant of `kernel` is written back.
  void writesBack(std::vector<std::string> arguments, const std::string &kernel = "hash");
  /// The project as its users build and test it: the dispatcher's own record says that the variant runs, or, where the
  /// environment says so, the function as written; and the variant's forced test passes.
  void shipsTheVariant(const std::string &kernel = "hash");

  std::string candidate(const std::string &function, bool isWrong) const; ///< the path of its file
  Outcome tool(std::vector<std::string> arguments) const;
  std::vector<std::string> toolCommand(std::vector<std::string> arguments) const;

  std::vector<std::string> configureCommand; ///< for a row to change

private:
  std::string level(const std::string &kernel) const;
  std::string chosenByTests(const std::string &kernel, const Environment &environment) const;
  std::vector<std::string> ctest(std::vector<std::string> arguments) const;

  Row row_;
  Project project_;
};

} // namespace agentic::e2e
