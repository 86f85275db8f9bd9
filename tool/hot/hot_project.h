// What the build tree tells of the project: folders, compile commands, links, kernels.
#pragma once

#include "tool/base/error.h"
#include "tool/build/linked_targets.h"
#include "tool/model/compile_command.h"
#include "tool/model/manifest.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace agentic {

struct HotProject {
  std::string buildDir, sourceDir; ///< absolute
  std::string config;              ///< of a multi-config tree
  std::string buildType;
  std::string compiler, compilerC; ///< as CMake knows them
  bool hasPackage = false;         ///< add_agentic_kernel() is known there
  std::vector<Manifest> manifests; ///< of its kernels; may be none
  std::vector<LinkedTarget> linked;
  std::vector<CompileCommand> commands; ///< as recorded; none: the tree has no compile_commands.json
  std::set<std::string> folders; ///< of the sources that the tree compiles; the top CMakeLists.txt may be elsewhere

  /// Whether it is below the source tree or beside a source that the tree compiles, and not made by the build.
  bool isProjectFile(const std::string &file) const;
  bool isProjectModule(const std::string &file) const;            ///< a program or library below one of its folders
  std::set<std::string> targetsOf(const std::string &file) const; ///< that compile it

  /// Returns the target that the code of `module` comes from, of those that compile `file`; empty: none is known.
  std::string targetFor(const std::string &file, const std::string &module) const;
  const LinkedTarget *linkedTarget(const std::string &name) const; ///< nullptr: it links nothing (an OBJECT library)
};

/// Errors: the folder is no build tree; a multi-config tree needs `config`.
Result<HotProject> readHotProject(const std::string &buildDir, const std::string &config);

/// Finds the source file of functions of which only the symbol is known, in the objects of the tree.
class ObjectSources {
public:
  explicit ObjectSources(const HotProject &project) : project_(project) {}
  /// Returns the source of the first object that defines it; empty: none does. Cost: the first call reads the symbols
  /// of all objects.
  std::string sourceOf(const std::string &linkageName);

private:
  void read();
  const HotProject &project_;
  bool isRead_ = false;
  std::map<std::string, std::string> sources_; ///< linkage name → file
};

} // namespace agentic
